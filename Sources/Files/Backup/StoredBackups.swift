import Archive
package import Device
import Foundation
package import LocalAPI
import Records
import SyncCore

/// Reads folders of backups for people, without opening any device.
package enum StoredBackups {
    /// The backups in a folder. Throws ``APIError``.
    package static func list(in path: String) async throws -> BackupList {
        try await BackupSentence.sayingWhat(path) {
            let place = try BackupPlace(at: path)
            return BackupList(path: place.path, backups: try place.entries().map(view))
        }
    }

    private static func view(of entry: BackupPlace.Entry) -> BackupEntry {
        BackupEntry(
            name: entry.name,
            holds: entry.manifest.map { manifest in
                let trips = manifest.trips.filter { $0.schema ?? "journal" == "journal" }
                let spaces = manifest.trips.filter { !trips.contains($0) }
                var contents = BackupEntry.Contents(
                    made: Moment(milliseconds: manifest.made),
                    device: ShownText.line(manifest.deviceName),
                    person: ShownText.line(manifest.personName), keys: manifest.hasKeys,
                    trips: trips.map { ShownText.line($0.name) },
                    files: manifest.originals ?? manifest.files,
                    bytes: Int64(clamping: manifest.bytes))
                contents.spaces = spaces.map { ShownText.line($0.name) }
                return contents
            })
    }

    /// Verifies all backups, or one. Throws ``APIError``.
    package static func verify(
        in path: String, only name: String?
    ) async throws -> BackupVerification {
        try await BackupWork.run(path) { isStopped in
            let place = try BackupPlace(at: path)
            let meter = ProgressMeter(.verifying, bytes: Int64(clamping: place.knownBytes))
            let verdict = try place.verify(name) { files, bytes in
                meter.add(files: files, bytes: Int64(bytes))
                return !isStopped()
            }
            return BackupVerification(
                path: place.path, backups: verdict.backups, files: verdict.files,
                bytes: Int64(clamping: verdict.bytes),
                faults: verdict.faults.map(fault))
        }
    }

    private static func fault(_ fault: BackupVerdict.Fault) -> BackupVerification.Fault {
        let reason: String? =
            if case .unreadable(let code) = fault.flaw { Sentence.System.reason(code) } else { nil }
        return BackupVerification.Fault(
            file: fault.file, missing: fault.flaw == .missing, unreadable: reason,
            backups: fault.backups)
    }

    /// Restores a device into a home that is empty or missing; `last` describes the restored backup. Throws
    /// ``APIError``.
    package static func restore(
        _ home: AgentHome, from path: String, backup name: String?, keyFile: String?
    ) async throws -> (report: RestoreReport, last: LastBackup) {
        let key = try keyFile.map { try FilePath.bytes(of: $0) }
        return try await BackupWork.run(path) { isStopped in
            let place = try BackupPlace(at: path)
            let now = Int64(Date().timeIntervalSince1970 * 1000) + Limits.dayMilliseconds
            let entry = try place.entry(name, now: now)
            guard let manifest = entry.manifest else { throw BackupError.damaged(entry.name) }
            let unlisted = try place.unlistedFiles(of: entry)
            let meter = ProgressMeter(
                .saving, files: manifest.files, bytes: Int64(clamping: manifest.bytes))
            let lacking = try place.restore(
                entry.name, to: home.directory, key: key
            ) { files, bytes in
                meter.add(files: files, bytes: Int64(bytes))
                return !isStopped()
            }
            let flaws = lacking.values
            return (
                RestoreReport(
                    home: home.directory, backup: view(of: entry),
                    damaged: flaws.count { $0 == .damaged } + unlisted,
                    missing: flaws.count { $0 == .missing },
                    unreadable: unreadable(lacking, in: place)),
                LastBackup(
                    path: place.path, made: Moment(milliseconds: manifest.made),
                    keys: manifest.hasKeys)
            )
        }
    }

    private static func unreadable(
        _ files: [BlobID: BackupFlaw], in place: BackupPlace
    ) -> RestoreReport.UnreadableFiles? {
        var unreadable: [(file: BlobID, code: Int32)] = []
        for (file, flaw) in files.sorted(by: { $0.key < $1.key }) {
            if case .unreadable(let code) = flaw { unreadable.append((file, code)) }
        }
        return unreadable.first.map { first in
            RestoreReport.UnreadableFiles(
                count: unreadable.count, file: place.path(of: first.file),
                reason: Sentence.System.reason(first.code))
        }
    }
}

extension Limits {
    /// How far in the future a backup may be dated before it is unclear which is the latest.
    static let dayMilliseconds: Int64 = 86_400_000
}
