internal import CPlatform
package import Encryption
internal import Foundation
internal import Glibc
package import SyncCore

/// A backup that is being written. If it is not finished, its shared files stay, and the next backup
/// continues from there.
package final class BackupWriter {
    private let place: BackupPlace
    private let name: String
    private let partPath: String
    private let earlier: [BlobID: Bytes32]
    private let readsAll: Bool
    private var sums = BackupSums()
    private var folders: Set<String> = []
    private var waiting: [Waiting] = []
    private var isDone = false
    /// Files that were not there before, and are durable.
    package private(set) var written: Set<BlobID> = []
    /// Of the files and the database.
    package private(set) var bytes: UInt64 = 0

    /// A file that is written, but not yet read back.
    private struct Waiting {
        let file: BlobID
        let descriptor: Int32
        let hash: Bytes32
    }

    /// `made`: milliseconds since 1970. With `readsAll`, existing files are read again, and damaged ones
    /// are written again. Throws `BackupError`.
    package init(
        _ place: BackupPlace, made: Int64, readsAll: Bool
    ) throws(BackupError) {
        (self.place, self.readsAll) = (place, readsAll)
        let known = try place.names()
        var earlier: [BlobID: Bytes32] = [:]
        for backup in known.prefix(Limits.backupsLookedAt) {
            guard let sums = try? place.sums(of: backup) else { continue }
            earlier.merge(sums.files) { first, _ in first }
        }
        self.earlier = earlier
        let time = BackupWriter.name(made)
        var name = time
        var number = 2
        while known.contains(name) {
            name = "\(time)-\(number < 10 ? "0" : "")\(number)"
            number += 1
        }
        self.name = name
        partPath = "backups/.\(name).part"
        do throws(ArchiveError) {
            try place.folder.make(partPath, mode: 0o700)
        } catch {
            throw BackupError(error)
        }
    }

    deinit {
        for file in waiting { close(file.descriptor) }
        if !isDone { try? FileManager.default.removeItem(atPath: "\(place.path)/\(partPath)") }
    }

    /// Such as `2026-11-26T09-41-12Z`: valid as a name on every disk, and sorted by time.
    private static func name(_ made: Int64) -> String {
        let parts = Calendar(identifier: .gregorian).dateComponents(
            in: .gmt, from: Date(timeIntervalSince1970: Double(made / 1000)))
        func digits(_ number: Int?) -> String {
            let text = "\(number ?? 0)"
            return text.count < 2 ? "0" + text : text
        }
        let day = [parts.year, parts.month, parts.day].map(digits)
        let time = [parts.hour, parts.minute, parts.second].map(digits)
        return "\(day.joined(separator: "-"))T\(time.joined(separator: "-"))Z"
    }

    // MARK: Its own files

    /// The path at which to write the database before ``addStore(_:)``.
    package var storePath: String { "\(place.path)/\(partPath)/\(BackupSums.store)" }

    package func addStore(_ told: (Int) -> Bool) throws(BackupError) {
        let name = "\(partPath)/\(BackupSums.store)"
        try attempt { () throws(ArchiveError) in
            let file = try place.folder.open(name, O_RDONLY)
            defer { close(file) }
            try AtomicDestination.synchronize(file)
            // Drops the cache, so that the hash is of what the disk has.
            _ = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        }
        guard let (hash, length) = try place.hash(of: name, told) else {
            throw .damaged(BackupSums.store)
        }
        sums.own[BackupSums.store] = hash
        bytes += length
    }

    package func add(card: [UInt8]) throws(BackupError) { try add(BackupSums.card, card) }
    package func add(key: [UInt8]) throws(BackupError) { try add(BackupSums.key, key) }

    private func add(_ name: String, _ content: [UInt8]) throws(BackupError) {
        try attempt { () throws(ArchiveError) in
            let file = try place.folder.open(
                "\(partPath)/\(name)", O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            defer { close(file) }
            try AtomicDestination.write(content, to: file)
            try AtomicDestination.synchronize(file)
        }
        if name != BackupSums.fileName { sums.own[name] = sha256(content) }
    }

    // MARK: Shared files

    /// Adds a file, unless it is there. Returns false when its bytes do not match its name. Throws
    /// `BackupError` and what `input` throws.
    package func add(
        _ file: BlobID, _ input: any ByteInput, _ told: (Int) -> Bool
    ) throws -> Bool {
        if let known = try known(file, length: input.length, told) {
            sums.files[file] = known
            bytes += input.length
            return true
        }
        let folder = BackupSums.folder(of: file)
        if folders.insert(folder).inserted {
            do throws(ArchiveError) {
                try place.folder.make(folder, mode: 0o700)
            } catch {
                guard case .system(_, EEXIST) = error else { throw BackupError(error) }
            }
        }
        let part = self.part(of: file)
        let descriptor = try attempt { () throws(ArchiveError) in
            try place.folder.open(part, O_RDWR | O_CREAT | O_TRUNC, mode: 0o600)
        }
        var content = BlobHash()
        var pieces = HashingReader(input)
        do {
            while let piece = try pieces.next() {
                guard told(piece.count) else { throw BackupError.stopped }
                try content.update(piece)
                try attempt { () throws(ArchiveError) in
                    try AtomicDestination.write(piece, to: descriptor)
                }
            }
            guard try content.finish().blobID == file else {
                close(descriptor)
                place.folder.remove(part)
                return false
            }
        } catch {
            close(descriptor)
            place.folder.remove(part)
            throw error
        }
        // Only an optimisation: `settle` reports errors.
        _ = peersync_start_writing(descriptor)
        waiting.append(Waiting(file: file, descriptor: descriptor, hash: pieces.hash()))
        bytes += input.length
        if waiting.count >= Limits.backupFilesAtOnce { try settle() }
        return true
    }

    /// Adds a file that is not whole here, if an earlier backup has it. Throws `BackupError.stopped`.
    package func keep(
        _ file: BlobID, length: UInt64, _ told: (Int) -> Bool
    ) throws(BackupError) -> Bool {
        guard let known = try known(file, length: length, told) else { return false }
        sums.files[file] = known
        bytes += length
        return true
    }

    private func part(of file: BlobID) -> String {
        "\(BackupSums.folder(of: file))/.\(file).part"
    }

    /// The hash of a file that an earlier or interrupted backup has written.
    private func known(
        _ file: BlobID, length: UInt64, _ told: (Int) -> Bool
    ) throws(BackupError) -> Bytes32? {
        let name = BackupSums.name(of: file)
        guard let there = try? place.input(name), there.length == length else { return nil }
        if !readsAll, let known = earlier[file] {
            _ = told(Int(clamping: length))
            return known
        }
        var content = BlobHash()
        var pieces = HashingReader(there)
        do {
            while let piece = try pieces.next() {
                guard told(piece.count) else { throw BackupError.stopped }
                try content.update(piece)
            }
            guard try content.finish().blobID == file else { return nil }
        } catch BackupError.stopped {
            throw .stopped
        } catch {
            // The file is written again.
            return nil
        }
        return pieces.hash()
    }

    /// Makes files durable, reads them back from the disk, and gives them their names.
    private func settle() throws(BackupError) {
        let files = waiting
        waiting = []
        defer { for file in files { close(file.descriptor) } }
        for file in files {
            guard fsync(file.descriptor) == 0 else { throw .system(call: "fsync", code: errno) }
            // Drops the cache, so that the hash is of what the disk has.
            _ = posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_DONTNEED)
        }
        for file in files {
            let part = part(of: file.file)
            guard try place.hash(of: part, { _ in true })?.hash == file.hash else {
                throw .system(call: "read", code: EIO)
            }
            try attempt { () throws(ArchiveError) in
                try place.folder.rename(part, to: BackupSums.name(of: file.file))
            }
            sums.files[file.file] = file.hash
            written.insert(file.file)
        }
    }

    // MARK: Its end

    package func holds(_ file: BlobID) -> Bool {
        sums.files[file] != nil || waiting.contains { $0.file == file }
    }

    package var files: Int { sums.files.count + waiting.count }

    /// Gives the backup its name, and returns it.
    package func finish(_ manifest: BackupManifest) throws -> String {
        try settle()
        // On a disk without locks, another program may have removed a file meanwhile.
        for file in sums.files.keys where try place.input(BackupSums.name(of: file)) == nil {
            throw BackupError.damaged(BackupSums.name(of: file))
        }
        try add(BackupManifest.fileName, try manifest.encoded)
        try add(BackupSums.fileName, sums.bytes)
        for folder in folders.sorted() + ["files", partPath] { try synchronize(folder) }
        try attempt { () throws(ArchiveError) in
            try place.folder.rename(partPath, to: "backups/\(name)")
        }
        isDone = true
        try synchronize("backups")
        return name
    }

    private func synchronize(_ name: String) throws(BackupError) {
        try attempt { () throws(ArchiveError) in try place.folder.synchronize(name) }
    }

    private func attempt<Value>(
        _ body: () throws(ArchiveError) -> Value
    ) throws(BackupError) -> Value {
        do throws(ArchiveError) {
            return try body()
        } catch {
            throw BackupError(error)
        }
    }
}

extension Limits {
    /// Files of a backup that are made durable together.
    static let backupFilesAtOnce = 32
    /// The latest backups whose hashes are trusted for existing files; other existing files are read again.
    static let backupsLookedAt = 4
}
