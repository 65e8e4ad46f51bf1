internal import CPlatform
internal import Encryption
internal import Foundation
internal import Glibc
package import SyncCore

extension BackupPlace {
    /// The entry of this name; without a name the latest, if all are of one device and none is dated after
    /// `now`, in milliseconds since 1970. Throws `BackupError.noSuchBackup`.
    package func entry(_ name: String?, now: Int64 = .max) throws(BackupError) -> Entry {
        let all = try entries()
        let isUnclear = all.contains { $0.manifest.map { $0.made > now } ?? false }
        let devices = Set(all.compactMap(\.manifest?.device))
        guard
            let found = name.map({ wanted in all.first { $0.name == wanted } })
                ?? (devices.count > 1 || isUnclear ? nil : all.first { $0.manifest != nil })
        else { throw .noSuchBackup }
        return found
    }

    /// Makes the folder of a device from a backup, whole or not at all. Compares every file with its hash;
    /// returns the ones that could not be had, which are left out. `key` replaces the one in the backup.
    /// Blocks.
    ///
    /// Throws `BackupError.damaged` when an indispensable file is damaged, `noKeys`, `notEmpty`, `newer`,
    /// and `stopped` once `told` answers false.
    package func restore(
        _ name: String, to home: String, key: [UInt8]?,
        _ told: (_ files: Int, _ bytes: Int) -> Bool
    ) throws(BackupError) -> [BlobID: BackupFlaw] {
        // What an incomplete list still names can be restored.
        let sums = try readableSums(of: name)
        guard key != nil || sums.own[BackupSums.key] != nil else { throw .noKeys }
        guard sums.own[BackupSums.store] != nil, sums.own[BackupSums.card] != nil else {
            throw .damaged(BackupSums.fileName)
        }
        // The destination may be an empty folder.
        if unsafe rmdir(home) != 0, ![ENOENT, ENOTEMPTY, EEXIST].contains(errno) {
            throw .system(call: "rmdir", code: errno)
        }
        let parent = URL(fileURLWithPath: home).deletingLastPathComponent().path
        try? FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let part = try RestoredPart(home)
        let target = part.path
        for own in [BackupSums.store, BackupSums.card, BackupSums.key] {
            let given = own == BackupSums.key ? key : nil
            guard let hash = sums.own[own] ?? given.map({ sha256($0) }) else {
                throw .damaged(BackupSums.fileName)
            }
            let input: (any ByteInput)? =
                if let given { MemoryInput(given) } else { try input("backups/\(name)/\(own)") }
            let expected = given.map { sha256($0) } ?? hash
            guard let input else { throw .damaged(own) }
            switch try copy(input, to: "\(target)/\(own)", expected, told) {
            case nil: break
            case .unreadable(let code)?: throw .system(call: "read", code: code)
            case .missing?, .damaged?: throw .damaged(own)
            }
        }
        let lacking = try restoreFiles(sums, to: "\(target)/blobs", told)
        try part.finish()
        return lacking
    }

    private func restoreFiles(
        _ sums: BackupSums, to target: String, _ told: (_ files: Int, _ bytes: Int) -> Bool
    ) throws(BackupError) -> [BlobID: BackupFlaw] {
        try make(target)
        var lacking: [BlobID: BackupFlaw] = [:]
        var folders: Set<String> = []
        for (file, hash) in sums.files.sorted(by: { $0.key < $1.key }) {
            let folder = "\(target)/\(file.description.prefix(2))"
            if folders.insert(folder).inserted { try make(folder) }
            let input: (any ByteInput)?
            do throws(BackupError) {
                input = try self.input(BackupSums.name(of: file))
            } catch {
                lacking[file] = BackupFlaw(error)
                continue
            }
            guard let input else {
                lacking[file] = .missing
                continue
            }
            lacking[file] = try copy(input, to: "\(folder)/\(file)", hash, told)
        }
        for folder in folders.sorted() + [target] { try synchronize(folder) }
        return lacking
    }

    /// Nil once it is copied; otherwise leaves no file.
    private func copy(
        _ input: any ByteInput, to path: String, _ hash: Bytes32,
        _ told: (_ files: Int, _ bytes: Int) -> Bool
    ) throws(BackupError) -> BackupFlaw? {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system(call: "open", code: errno) }
        defer { close(file) }
        var pieces = HashingReader(input)
        while true {
            let piece: [UInt8]?
            do {
                piece = try pieces.next()
            } catch {
                unsafe unlink(path)
                return BackupFlaw(BackupError(reading: path, error))
            }
            guard let piece else { break }
            guard told(0, piece.count) else { throw .stopped }
            do throws(ArchiveError) {
                try AtomicDestination.write(piece, to: file)
            } catch {
                throw BackupError(error)
            }
        }
        guard pieces.hash() == hash else {
            unsafe unlink(path)
            return .damaged
        }
        guard fsync(file) == 0 else { throw .system(call: "fsync", code: errno) }
        guard told(1, 0) else { throw .stopped }
        return nil
    }

    private func make(_ path: String) throws(BackupError) {
        guard unsafe mkdir(path, 0o700) == 0 else { throw .system(call: "mkdir", code: errno) }
    }

    private func synchronize(_ path: String) throws(BackupError) {
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .system(call: "open", code: errno) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw .system(call: "fsync", code: errno) }
    }
}
