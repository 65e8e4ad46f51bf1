internal import SyncCore

/// The result of verifying a place of backups.
package struct BackupVerdict: Sendable, Hashable {
    /// A file that is missing, or differs from what was written.
    package struct Fault: Sendable, Hashable {
        /// The path below the place.
        package let file: String
        package let isMissing: Bool
        /// The backups that need it, the latest first.
        package let backups: [String]
    }

    package var backups = 0
    package var files = 0
    package var bytes: UInt64 = 0
    package var faults: [Fault] = []
}

extension BackupPlace {
    /// Reads every file of every backup once, and compares it with its hash; with `name`, only of that
    /// backup. Blocks. Throws `BackupError.noSuchBackup`, `stopped` once `told` answers false.
    package func verify(
        _ name: String?, _ told: (_ files: Int, _ bytes: Int) -> Bool
    ) throws(BackupError) -> BackupVerdict {
        let all = try names()
        let names = name.map { wanted in all.filter { $0 == wanted } } ?? all
        guard !names.isEmpty else { throw .noSuchBackup }
        var verdict = BackupVerdict()
        var wanted: [String: (hash: Bytes32, backups: [String])] = [:]
        for backup in names {
            verdict.backups += 1
            guard let sums = try? sums(of: backup) else {
                verdict.faults.append(
                    BackupVerdict.Fault(
                        file: "backups/\(backup)/\(BackupSums.fileName)", isMissing: false,
                        backups: [backup]))
                continue
            }
            for (own, hash) in sums.own { wanted["backups/\(backup)/\(own)"] = (hash, [backup]) }
            for (file, hash) in sums.files {
                wanted[BackupSums.name(of: file), default: (hash, [])].backups.append(backup)
            }
        }
        for (file, expected) in wanted.sorted(by: { $0.key < $1.key }) {
            verdict.files += 1
            let found: (hash: Bytes32, length: UInt64)?
            do throws(BackupError) {
                found = try hash(of: file) { told(0, $0) }
            } catch {
                guard error != .stopped else { throw error }
                // One that cannot be opened must not hide what is wrong with others.
                found = nil
            }
            guard told(1, 0) else { throw .stopped }
            verdict.bytes += found?.length ?? 0
            guard found?.hash != expected.hash else { continue }
            let isMissing = (try? input(file)).flatMap(\.self) == nil
            verdict.faults.append(
                BackupVerdict.Fault(file: file, isMissing: isMissing, backups: expected.backups))
        }
        return verdict
    }

    /// An estimate of the bytes that ``verify(_:_:)`` reads: those of the largest backup.
    package var knownBytes: UInt64 {
        let manifests = ((try? entries()) ?? []).compactMap(\.manifest)
        return manifests.map(\.bytes).max() ?? 0
    }
}
