internal import Encryption
internal import Foundation
internal import Glibc
package import SyncCore

/// A folder in which the backups of devices are kept.
///
/// ```
/// BACKUP.txt                      what this is, for people; the first line names the format
/// files/ab/<64 hex digits>        each file once, named by its content
/// backups/<name>/store.sqlite     one backup: the database, the device's card and key,
///                device.card      what it holds, and the hashes of all that belongs to it
///                device.key
///                backup.json
///                SHA256SUMS
/// ```
/// A backup appears whole or not at all; a file of it never changes.
package final class BackupPlace: Sendable {
    package struct Entry: Sendable {
        package let name: String
        /// Nil when it is unreadable: damaged, or of a later program.
        package let manifest: BackupManifest?
    }

    private static let mark = "BACKUP.txt"
    private static let firstLine = "peersync backup "
    private static let format = 1
    /// The folder to make in a folder that holds something else.
    private static let inside = "peersync-backup"

    /// Absolute.
    package let path: String
    /// Whether this folder was made for it now.
    package let isNewFolder: Bool
    let folder: OpenFolder
    /// The file BACKUP.txt, locked by the program that writes.
    private let lock: FileHandle?

    /// Opens a place for reading: this folder, or the one that ``init(making:words:)`` made in it. Throws
    /// `BackupError.notFound`, `notABackup`, `newer`, `system`.
    package init(at path: String) throws(BackupError) {
        guard BackupPlace.isThere(path) else { throw .notFound }
        self.path = BackupPlace.isPlace(path) ? path : "\(path)/\(BackupPlace.inside)"
        guard BackupPlace.isPlace(self.path) else { throw .notABackup }
        folder = try BackupPlace.open(self.path)
        isNewFolder = false
        lock = nil
        try BackupPlace.requireKnown(self.path)
    }

    /// Opens a place for writing, and makes it where there is none: as a folder of its own inside a folder
    /// that holds something else. The folder around it must be there: one that is missing may be on a disk
    /// that is not mounted. `words` explain it to people. Throws `BackupError.busy`, `newer`, `notABackup`,
    /// `notAFolder`, `noFolderAround`, `system`; then there is nothing new.
    package init(making path: String, words: String) throws(BackupError) {
        var path = path
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        if !BackupPlace.isMarked(path), names.map({ !$0.isEmpty }) ?? false {
            path += "/\(BackupPlace.inside)"
        }
        self.path = path
        isNewFolder = try BackupPlace.make(path)
        let mark = "\(path)/\(BackupPlace.mark)"
        if !BackupPlace.isPlace(path) {
            let text = "\(BackupPlace.firstLine)\(BackupPlace.format)\n\n\(words)\n"
            do throws(BackupError) {
                for part in ["files", "backups"] { _ = try BackupPlace.make("\(path)/\(part)") }
                try BackupPlace.write(Array(text.utf8), to: mark)
            } catch {
                BackupPlace.removeEmpty(path, isNew: isNewFolder)
                throw error
            }
        }
        try BackupPlace.requireKnown(path)
        folder = try BackupPlace.open(path)
        let descriptor = unsafe Glibc.open(mark, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(call: "open", code: errno) }
        lock = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // On a disk without locks, another program cannot be noticed.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw .busy }
        removeRemains()
    }

    /// Removes the remains of interrupted backups.
    private func removeRemains() {
        for name in allFiles(below: "backups") + sharedFiles()
        where name.split(separator: "/").last.map({ $0.hasPrefix(".") && $0.hasSuffix(".part") })
            ?? false
        {
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
    }

    private func allFiles(below folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? [])
            .map { "\(folder)/\($0)" }
    }

    /// The names of all shared files.
    func sharedFiles() -> [String] {
        allFiles(below: "files").flatMap { allFiles(below: $0) }
    }

    deinit {
        // A child process that was started meanwhile may keep the file open a moment longer.
        if let lock { _ = flock(lock.fileDescriptor, LOCK_UN) }
    }

    private static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
    private static func isPlace(_ path: String) -> Bool { bytes("\(path)/\(mark)") ?? 0 > 0 }
    /// The mark may be empty: older versions left it behind when the disk was full.
    private static func isMarked(_ path: String) -> Bool { isThere("\(path)/\(mark)") }

    private static func bytes(_ path: String) -> Int? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Makes a folder where there is none; returns whether it did. Throws `BackupError.notAFolder`,
    /// `noFolderAround`, `system`.
    private static func make(_ path: String) throws(BackupError) -> Bool {
        if unsafe mkdir(path, 0o700) == 0 { return true }
        let code = errno
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder }
            return false
        }
        let around = URL(fileURLWithPath: path).deletingLastPathComponent().path
        throw code == ENOENT && !isThere(around)
            ? .noFolderAround(around) : .system(call: "mkdir", code: code)
    }

    /// Removes a place without any content.
    private static func removeEmpty(_ path: String, isNew: Bool) {
        for part in ["/files", "/backups"] + (isNew ? [""] : []) { unsafe rmdir(path + part) }
    }

    private static func open(_ path: String) throws(BackupError) -> OpenFolder {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(call: "open", code: errno) }
        return OpenFolder(owning: descriptor)
    }

    private static func requireKnown(_ path: String) throws(BackupError) {
        let text = FileManager.default.contents(atPath: "\(path)/\(mark)")
            .map { String(decoding: $0.prefix(64), as: UTF8.self) }
        guard let text, text.hasPrefix(firstLine),
            let number = text.dropFirst(firstLine.count).prefix(while: \.isNumber).asFormat
        else { throw .notABackup }
        guard number <= format else { throw .newer }
    }

    /// Writes a file whole, or not at all; one of this name stays unless it is empty.
    private static func write(_ bytes: [UInt8], to path: String) throws(BackupError) {
        if self.bytes(path) == 0 { unsafe unlink(path) }
        do throws(ArchiveError) {
            let new = try AtomicDestination(path)
            let file = unsafe Glibc.open(new.part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw .system(call: "open", code: errno) }
            defer { close(file) }
            try AtomicDestination.write(bytes, to: file)
            try AtomicDestination.synchronize(file)
            try new.finish()
        } catch .alreadyExists {
            // Another program was faster.
        } catch {
            throw BackupError(error)
        }
    }

    // MARK: Content

    /// The finished backups, the latest first. Throws `BackupError.system`.
    package func entries() throws(BackupError) -> [Entry] {
        try names().map { Entry(name: $0, manifest: try? manifest(of: $0)) }
    }

    /// What a backup says of itself. Throws `BackupError.damaged`, `newer`, `system`.
    func manifest(of backup: String) throws(BackupError) -> BackupManifest {
        try BackupManifest(
            encoded: try contents("backups/\(backup)/\(BackupManifest.fileName)"))
    }

    /// The names of finished backups, the latest first.
    func names() throws(BackupError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path + "/backups")
                .filter { !$0.hasPrefix(".") }.sorted(by: >)
        } catch {
            throw .system(call: "readdir", code: EIO)
        }
    }

    /// The hashes of a backup. Throws `BackupError.damaged` if lines are missing, and also what reading its
    /// manifest throws: only the manifest says how many lines there are.
    func sums(of backup: String) throws(BackupError) -> BackupSums {
        let sums = try readableSums(of: backup)
        guard sums.isWhole(for: try manifest(of: backup)) else {
            throw .damaged(BackupSums.fileName)
        }
        return sums
    }

    /// The same, even if lines are missing.
    func readableSums(of backup: String) throws(BackupError) -> BackupSums {
        try BackupSums(parsing: try contents("backups/\(backup)/\(BackupSums.fileName)"))
    }

    /// The number of files of a backup that are missing from its list of hashes. Throws
    /// `BackupError.damaged` where the list is unreadable.
    package func unlistedFiles(of backup: Entry) throws(BackupError) -> Int {
        let listed = try readableSums(of: backup.name).files.count
        return max(0, (backup.manifest?.files ?? 0) - listed)
    }

    /// Reads a file of at most a few megabytes.
    func contents(_ name: String) throws(BackupError) -> [UInt8] {
        guard let input = try input(name), input.length <= Limits.archiveListBytes else {
            throw .damaged(name)
        }
        do {
            return try input.read(0..<input.length)
        } catch {
            throw BackupError(reading: name, error)
        }
    }

    /// The path of a shared file.
    package func path(of file: BlobID) -> String { "\(path)/\(BackupSums.name(of: file))" }

    /// Whether there is a shared file of this length.
    package func has(_ file: BlobID, length: UInt64) -> Bool {
        (try? input(BackupSums.name(of: file)))?.map { $0.length == length } ?? false
    }

    /// A file; nil where there is none.
    func input(_ name: String) throws(BackupError) -> (any ByteInput)? {
        do throws(ArchiveError) {
            return try FolderSource(folder).open(name)
        } catch {
            throw BackupError(error)
        }
    }

    /// Hashes a file; nil where it is missing. Throws `BackupError.system` where it is unreadable, and
    /// `stopped` once `told` answers false.
    func hash(
        of name: String, _ told: (Int) -> Bool
    ) throws(BackupError) -> (hash: Bytes32, length: UInt64)? {
        guard let input = try input(name) else { return nil }
        var pieces = HashingReader(input)
        while true {
            let piece: [UInt8]?
            do {
                piece = try pieces.next()
            } catch {
                throw BackupError(reading: name, error)
            }
            guard let piece else { break }
            guard told(piece.count) else { throw .stopped }
        }
        return (pieces.hash(), pieces.length)
    }
}

extension Substring {
    fileprivate var asFormat: Int? { Int(self) }
}
