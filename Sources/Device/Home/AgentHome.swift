import Foundation
import LocalAPI
import SyncCore
internal import Synchronization

/// The folder where one agent keeps all its state.
package struct AgentHome: Sendable {
    /// Absolute, without a trailing slash.
    package let directory: String
    /// The socket local commands talk to.
    package let socketPath: String
    /// The key file that the service manager offers to this process (systemd.exec(5),
    /// LoadCredential=); it replaces the one in the home.
    package let offeredKeyFile: String?

    /// `--home DIR`, then PEERSYNC_HOME, then the XDG data directory; debug builds have their own.
    /// Throws ``APIError``.
    package static func resolve(
        option: String?, environment: [String: String]
    ) throws -> AgentHome {
        let named = option ?? environment["PEERSYNC_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        let path = try named ?? defaultDirectory(environment)
        let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
        guard absolute != "/" else {
            throw APIError(
                code: .badInput, sentence: "\(path) cannot be peersync's folder.",
                hint: "Choose a folder of your own with --home.")
        }
        var isFolder: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: absolute, isDirectory: &isFolder),
            !isFolder.boolValue
        {
            throw APIError(
                code: .badInput, sentence: "\(path) is a file, not a folder.",
                hint: "Name a folder of your own with --home.")
        }
        try requireAccess(to: absolute)
        return AgentHome(
            directory: absolute, socketPath: try socketPath(for: absolute, environment),
            offeredKeyFile: offeredKeyFile(environment))
    }

    /// Whether this device belongs to a person, by `init` or by `join --mine`.
    package var isInitialised: Bool { FileManager.default.fileExists(atPath: cardFile) }

    package var keyFile: String { directory + "/" + AgentHome.keyName }
    /// This file exists while the keys come from the service manager.
    var offerMark: String { keyFile + ".offered" }
    package var hasOfferMark: Bool { FileManager.default.fileExists(atPath: offerMark) }
    /// The device's card; public.
    package var cardFile: String { directory + "/device.card" }
    package var blobDirectory: String { directory + "/blobs" }

    /// Creates the directory with mode 0700, or checks that an existing one belongs to this user
    /// alone.
    package func prepare() throws {
        try AgentHome.prepare(directory: directory)
        let sockets = URL(fileURLWithPath: socketPath).deletingLastPathComponent().path
        if sockets != directory { try AgentHome.prepare(directory: sockets) }
    }

    /// A folder that this user may not read must not be reported as not set up.
    private static func requireAccess(to directory: String) throws {
        guard unsafe access(directory + "/.", F_OK) != 0, errno == EACCES else { return }
        var status = stat()
        throw unsafe stat(directory, &status) == 0 && status.st_uid != geteuid()
            ? APIError.homeOfAnotherUser(directory)
            : APIError(
                code: .notAllowed, sentence: "You may not look into the folder \(directory).",
                hint: "Choose a folder of your own with --home.")
    }

    private static func prepare(directory: String) throws {
        let manager = FileManager.default
        if !manager.fileExists(atPath: directory) {
            do {
                try manager.createDirectory(
                    atPath: directory, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            } catch {
                let reason = reason(of: error, directory)
                throw APIError(
                    code: .failed,
                    sentence: "The folder \(directory) could not be made: \(reason).",
                    hint: "Choose another folder with --home.")
            }
        }
        let attributes = try manager.attributesOfItem(atPath: directory)
        guard (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid() else {
            throw APIError.homeOfAnotherUser(directory)
        }
        guard let mode = (attributes[.posixPermissions] as? NSNumber)?.uint16Value,
            mode & 0o077 == 0
        else {
            throw APIError(
                code: .notAllowed, sentence: "Other users may look into the folder \(directory).",
                hint: "Close it: chmod 700 \(Sentence.quoted(directory))")
        }
    }

    private static func reason(of error: any Error, _ directory: String) -> String {
        var isFolder: ObjCBool = true
        let parent = (directory as NSString).deletingLastPathComponent
        if unsafe FileManager.default.fileExists(atPath: parent, isDirectory: &isFolder),
            !isFolder.boolValue
        {
            return tr("a file is in the way")
        }
        return Sentence.System.reason(of: error)
    }

    private static func defaultDirectory(_ environment: [String: String]) throws -> String {
        #if DEBUG
            let name = "peersync-debug"
        #else
            let name = "peersync"
        #endif
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return data + "/" + name
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw APIError(
                code: .badInput, sentence: "Your home folder is not known here (HOME is not set).",
                hint: "Choose a folder with --home.")
        }
        return home + "/.local/share/" + name
    }

    private static let keyName = "device.key"

    /// A credential has the name of the file that it stands for.
    private static func offeredKeyFile(_ environment: [String: String]) -> String? {
        guard let folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else {
            return nil
        }
        let path = folder + "/" + keyName
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// The socket lies in the home. If the home's path is too long (a socket's path has 108 bytes),
    /// it lies in the runtime directory, under a name derived from that path.
    private static func socketPath(
        for directory: String, _ environment: [String: String]
    ) throws -> String {
        let direct = directory + "/agent.sock"
        guard direct.utf8.count >= Limits.socketPathBytes else { return direct }
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else {
            throw APIError.socketPathTooLong(directory)
        }
        let name = hexadecimal(sha256(Array(directory.utf8)).bytes.prefix(8))
        let short = "\(runtime)/peersync-\(name)/agent.sock"
        guard short.utf8.count < Limits.socketPathBytes else {
            throw APIError.socketPathTooLong(directory)
        }
        return short
    }
}
