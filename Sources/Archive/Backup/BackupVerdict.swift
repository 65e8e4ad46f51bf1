internal import SyncCore

/// Why a file of a backup cannot be had as it was written.
package enum BackupFlaw: Hashable, Sendable {
    case missing
    case damaged
    /// The system does not let it be read, with this `errno`; it may be whole.
    case unreadable(code: Int32)

    init(_ error: BackupError) {
        self = if case .system(_, let code) = error { .unreadable(code: code) } else { .damaged }
    }
}

/// The result of verifying a place of backups.
package struct BackupVerdict: Sendable, Hashable {
    /// A file that is missing, unreadable, or differs from what was written.
    package struct Fault: Sendable, Hashable {
        /// The path below the place.
        package let file: String
        package let flaw: BackupFlaw
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
            let sums: BackupSums
            do throws(BackupError) {
                sums = try sumsToCompare(of: backup)
            } catch {
                verdict.faults.append(
                    BackupVerdict.Fault(
                        file: "backups/\(backup)/\(BackupSums.fileName)", flaw: BackupFlaw(error),
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
            let flaw: BackupFlaw?
            do throws(BackupError) {
                let found = try hash(of: file) { told(0, $0) }
                verdict.bytes += found?.length ?? 0
                flaw =
                    if let found { found.hash == expected.hash ? nil : .damaged } else { .missing }
            } catch {
                guard error != .stopped else { throw error }
                // One that cannot be opened must not hide what is wrong with others.
                flaw = BackupFlaw(error)
            }
            guard told(1, 0) else { throw .stopped }
            guard let flaw else { continue }
            verdict.faults.append(
                BackupVerdict.Fault(file: file, flaw: flaw, backups: expected.backups))
        }
        return verdict
    }

    /// The hashes of a backup. Where its manifest is unreadable, that is a fault of its own, and the length
    /// of the list is unknown.
    private func sumsToCompare(of backup: String) throws(BackupError) -> BackupSums {
        let sums = try readableSums(of: backup)
        let isWhole =
            (try? manifest(of: backup)).map { sums.isWhole(for: $0) }
            ?? (sums.own[BackupManifest.fileName] != nil)
        guard isWhole else { throw .damaged(BackupSums.fileName) }
        return sums
    }

    /// An estimate of the bytes that ``verify(_:_:)`` reads: those of the largest backup.
    package var knownBytes: UInt64 {
        let manifests = ((try? entries()) ?? []).compactMap(\.manifest)
        return manifests.map(\.bytes).max() ?? 0
    }
}
