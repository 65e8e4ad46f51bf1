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
                faults: verdict.faults.map {
                    BackupVerification.Fault(
                        file: $0.file, missing: $0.isMissing, backups: $0.backups)
                })
        }
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
            let lost = try place.restore(entry.name, to: home.directory, key: key) { files, bytes in
                meter.add(files: files, bytes: Int64(bytes))
                return !isStopped()
            }
            return (
                RestoreReport(
                    home: home.directory, backup: view(of: entry), damaged: lost.count + unlisted),
                LastBackup(
                    path: place.path, made: Moment(milliseconds: manifest.made),
                    keys: manifest.hasKeys)
            )
        }
    }
}

extension Limits {
    /// How far in the future a backup may be dated before it is unclear which is the latest.
    static let dayMilliseconds: Int64 = 86_400_000
}
