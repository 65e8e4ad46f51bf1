internal import Encryption
internal import Foundation
internal import SyncCore

/// Which backups to keep: the latest of each of the last days, weeks, months and years that have one.
package struct BackupRetention: Sendable, Hashable {
    private let units: [Unit]

    private struct Unit: Hashable {
        let count: Int
        let letter: Character

        /// Equal for two dates in the same day, week, month or year.
        func bucket(of date: Date, _ calendar: Calendar) -> [Int?] {
            let parts = calendar.dateComponents(
                [.year, .month, .day, .weekOfYear, .yearForWeekOfYear], from: date)
            return switch letter {
            case "d": [parts.year, parts.month, parts.day]
            case "w": [parts.yearForWeekOfYear, parts.weekOfYear]
            case "m": [parts.year, parts.month]
            default: [parts.year]
            }
        }
    }

    /// Parses text such as `7d,4w,12m`; nil when it is invalid.
    package init?(_ text: String) {
        var units: [Unit] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let letter = part.last, "dwmy".contains(letter), let count = Int(part.dropLast()),
                (1...Limits.backupsKept).contains(count),
                !units.contains(where: { $0.letter == letter })
            else { return nil }
            units.append(Unit(count: count, letter: letter))
        }
        self.units = units
    }

    /// The indices in `made`, in milliseconds since 1970, of the backups to keep. The latest is always
    /// kept.
    package func kept(_ made: [Int64], in zone: String? = nil) -> Set<Int> {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone.flatMap { TimeZone(identifier: $0) } ?? .current
        let latestFirst = made.indices.sorted { made[$0] > made[$1] }
        var kept = Set(latestFirst.prefix(1))
        for unit in units {
            var buckets: Set<[Int?]> = []
            for index in latestFirst where buckets.count < unit.count {
                let date = Date(timeIntervalSince1970: Double(made[index]) / 1000)
                if buckets.insert(unit.bucket(of: date, calendar)).inserted { kept.insert(index) }
            }
        }
        return kept
    }
}

extension BackupPlace {
    /// Removes the backups of a device that are older than `latest` and not kept by `retention`, then the
    /// files that no backup has any more. Backups dated after the latest were made by a wrong clock, and
    /// stay. Removes no file while a backup is unreadable, as it may need any of them.
    package func remove(
        of device: String, notKeptBy retention: BackupRetention, latest: String
    ) throws(BackupError) -> BackupRemoval {
        let all = try entries()
        guard let last = all.first(where: { $0.name == latest })?.manifest?.made else {
            return BackupRemoval(unreadable: latest)
        }
        let own =
            all.compactMap { entry in
                entry.manifest.flatMap { manifest in
                    manifest.device == device && manifest.made <= last && entry.name != latest
                        ? (entry.name, manifest.made) : nil
                }
            } + [(latest, last)]
        let kept = retention.kept(own.map(\.1))
        let gone = own.indices.filter { !kept.contains($0) && own[$0].0 != latest }.map {
            own[$0].0
        }
        guard !gone.isEmpty else { return BackupRemoval() }
        for name in gone {
            // Hidden first, so that half a backup never counts as one.
            let part = "backups/.\(name).part"
            do throws(ArchiveError) {
                try folder.rename("backups/\(name)", to: part)
            } catch {
                throw BackupError(error)
            }
            try? FileManager.default.removeItem(atPath: "\(path)/\(part)")
        }
        var removal = try removeFiles()
        removal.backups = gone.count
        return removal
    }

    private func removeFiles() throws(BackupError) -> BackupRemoval {
        var named: Set<BlobID> = []
        for name in try names() {
            guard let sums = try? sums(of: name) else { return BackupRemoval(unreadable: name) }
            named.formUnion(sums.files.keys)
        }
        var bytes: UInt64 = 0
        for name in sharedFiles() {
            let file = SyncCore.bytes(hexadecimal: name.split(separator: "/").last ?? "")
                .flatMap { BlobID(bytes: $0) }
            guard let file, !named.contains(file), let input = try? input(name) else { continue }
            bytes += input.length
            folder.remove(name)
        }
        return BackupRemoval(bytes: bytes)
    }
}

/// The result of removing earlier backups.
package struct BackupRemoval: Hashable, Sendable {
    package var backups: Int
    /// Of files that no backup needs any more.
    package var bytes: UInt64
    /// The backup whose list of files, or content, cannot be read whole; because of it no file was removed.
    package var unreadable: String?

    package init(backups: Int = 0, bytes: UInt64 = 0, unreadable: String? = nil) {
        (self.backups, self.bytes, self.unreadable) = (backups, bytes, unreadable)
    }
}

extension Limits {
    /// Days, weeks, months or years of which backups stay.
    static let backupsKept = 1000
}
