extension Sentence {
    /// What is said of encrypted trips.
    package enum Encryption {
        package static func encrypted(_ report: EncryptReport) -> String {
            var lines = ["\(name(report.trip.name)) is encrypted from now on."]
            let before = [
                report.changes > 0 ? count(report.changes, "change", "changes") : nil,
                report.files > 0 ? count(report.files, "file", "files") : nil,
            ].compactMap(\.self)
            if !before.isEmpty {
                lines.append(
                    """
                    \(Member.list(before)) from before \(report.changes + report.files == 1 ? "stays" : "stay") \
                    as they were, readable on \(devices(report.readable)), and in copies of their disks.
                    """)
            }
            return lines.joined(separator: "\n")
        }

        package static func rotated(_ view: TripKeyView) -> String {
            """
            \(name(view.trip.name)) has a new key, on \(devices(view.devices)). It protects what is \
            written from now on; whoever had the keys before can still read what was written under them.
            """
        }

        package static func exported(_ view: TripKeyExport, path: String) -> String {
            let keys =
                view.keys == view.keysTotal
                ? count(view.keys, "key", "keys")
                : "\(view.keys) of \(count(view.keysTotal, "key", "keys")), all that this device has,"
            return "Wrote \(keys) of \(name(view.trip.name)) to \(path)."
        }

        package static let exportedNext = """
            Whoever has this file can read everything that was encrypted under its keys. Keep it as you \
            keep a password.
            """

        /// A row of `trip show`.
        package static func standing(_ view: EncryptionView) -> String {
            var parts = [
                view.keysHere == view.keys
                    ? "yes, \(count(view.keys, "key", "keys"))"
                    : "yes, \(view.keysHere) of \(count(view.keys, "key", "keys")) here"
            ]
            if view.closed > 0 {
                parts.append("\(count(view.closed, "change", "changes")) cannot be read here")
            }
            if !view.writable { parts.append("waits for an admin to make a new key") }
            return parts.joined(separator: "; ")
        }

        /// `trip members`, beside a person.
        package static func reads(_ keys: MemberKeys) -> String? {
            switch keys {
            case .all: nil
            case .fromNow: "reads what came after them"
            case .missing: "waits for a key"
            }
        }

        package static let membersRead =
            "Encrypted: of all who carry it, only the people above can read what is written now."

        /// After a revocation; `isNewKey` says whether it carried a new key.
        package static func revoked(isNewKey: Bool) -> String {
            isNewKey
                ? """
                The trip has a new key that they do not have: it protects what is written from now on, not \
                what they could read until now.
                """
                : """
                Nothing is written in it before an admin's device has made a new key. That protects what is \
                written from then on, not what they could read until now.
                """
        }

        package static let identityFileTitle = "Keys of a trip of peersync, as age identities."
        package static let identityFileUse = "Open a file of the trip: age -d -i THIS-FILE FILE"

        private static func devices(_ devices: [Reference]) -> String {
            devices.count > 6
                ? count(devices.count, "device", "devices")
                : Member.list(devices.map { plain($0.name) })
        }
    }
}
