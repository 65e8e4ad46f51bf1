internal import CPlatform
internal import Foundation
internal import Glibc

/// A destination for a new file or folder, and the hidden name beside it under which it is made.
final class AtomicDestination {
    /// The folder that contains it.
    let folder: Int32
    let name: String
    let partName: String
    /// The path of `partName`.
    let part: String
    /// The path of `folder`.
    var parentPath: String { URL(fileURLWithPath: part).deletingLastPathComponent().path }
    private var isDone = false

    private static let prefix = ".peersync-"
    private static let suffix = ".part"

    /// Removes the remains of a killed program at the path of a part; a file of another name stays. Throws
    /// also when the folder is missing, for example on a disk that is not mounted.
    static func remove(part path: String) throws {
        let url = URL(fileURLWithPath: path)
        guard isPart(url.lastPathComponent, label: "") else { return }
        let parent = url.deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: parent) else {
            throw ArchiveError.system(call: "open", code: ENOENT)
        }
        if FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(at: url)
        }
    }

    /// Whether this is the name of a part with this label.
    static func isPart(_ name: String, label: String) -> Bool {
        name.hasPrefix(prefix + label) && name.hasSuffix(suffix)
    }

    /// The hidden name has the label, by which one kind of part is found. Throws
    /// `ArchiveError.alreadyExists`, `system`.
    init(_ path: String, label: String = "") throws(ArchiveError) {
        let url = URL(fileURLWithPath: path)
        name = url.lastPathComponent
        let parent = url.deletingLastPathComponent()
        // Short enough for every file system, no matter how long the name is.
        let mark = UInt64.random(in: .min ... .max)
        partName = "\(Self.prefix)\(label)\(String(mark, radix: 16))\(Self.suffix)"
        part = parent.appending(path: partName).path
        folder = unsafe open(parent.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .system(call: "open", code: errno) }
        var status = stat()
        if unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
            throw .alreadyExists
        }
    }

    deinit {
        // A part that cannot be removed is hidden, and its name says what it is.
        if !isDone { try? FileManager.default.removeItem(atPath: part) }
        if folder >= 0 { close(folder) }
    }

    /// Renames the part to its final name.
    func finish() throws(ArchiveError) {
        guard unsafe peersync_rename_new(folder, partName, name) == 0 else {
            throw errno == EEXIST ? .alreadyExists : .system(call: "renameat2", code: errno)
        }
        isDone = true
        try AtomicDestination.synchronize(folder)
    }

    static func synchronize(_ descriptor: Int32) throws(ArchiveError) {
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", code: errno) }
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(ArchiveError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor, buffer.baseAddress.map { unsafe $0 + written },
                    buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(call: "write", code: errno) }
            written += count
        }
    }
}
