extension Sentence {
    /// Words about encrypted trips.
    package enum Encryption {
        package static func encrypted(_ report: EncryptReport, _ noun: SpaceNoun) -> String {
            var lines =
                report.isNew ? [tr("\(name(report.trip.name)) is encrypted from now on.")] : []
            if report.encrypted > 0 {
                lines.append(
                    tr(
                        report.encrypted,
                        "\(report.encrypted) file from before is encrypted now.",
                        "\(report.encrypted) files from before are encrypted now."))
            }
            lines += stays(report)
            lines += left(report, noun)
            return lines.joined(separator: "\n")
        }

        /// The irrevocable consequences.
        private static func stays(_ report: EncryptReport) -> [String] {
            let changes = report.changes
            let what: String? =
                switch (changes > 0, report.encrypted > 0) {
                case (true, true):
                    tr(
                        changes,
                        "\(changes) change from before, and the files as they were, stay readable",
                        "\(changes) changes from before, and the files as they were, stay readable")
                case (true, false):
                    tr(
                        changes, "\(changes) change from before stays readable",
                        "\(changes) changes from before stay readable")
                case (false, true): tr("The files as they were stay readable")
                case (false, false): nil
                }
            return what.map {
                [tr("\($0) \(on(report.readable)), and in copies of their disks.")]
            } ?? []
        }

        private static func left(_ report: EncryptReport, _ noun: SpaceNoun) -> [String] {
            var lines: [String] = []
            let again = "peersync \(noun) encrypt \(quoted(report.trip.name))"
            if report.missing.count > 0 {
                lines.append(
                    tr(
                        """
                        Not encrypted, as not on this device: \(files(report.missing)). \
                        Once fetched, or on a device that has them: \(again)
                        """))
            }
            if report.outranked.count > 0 {
                lines.append(
                    tr(
                        """
                        Not encrypted, as set with authority: \(files(report.outranked)). \
                        On a device with authority: \(again)
                        """))
            }
            return lines
        }

        /// About files that a recovery left out.
        package static func notRecovered(_ left: LeftFiles) -> String {
            tr(
                left.count,
                """
                Without \(files(left)) from before the encryption, as not on this device. \
                Do the same on a device that has it.
                """,
                """
                Without \(files(left)) from before the encryption, as not on this device. \
                Do the same on a device that has them.
                """)
        }

        private static func files(_ left: LeftFiles) -> String {
            "\(count(left.count, "file", "files")) (\(names(left)))"
        }

        /// Names of the first few.
        package static func names(_ files: LeftFiles) -> String {
            let shown = files.names.prefix(3).map { plain($0) }.joined(separator: ", ")
            return files.count > 3 ? shown + ", …" : shown
        }

        package static func rotated(_ view: TripKeyView) -> String {
            tr(
                """
                \(name(view.trip.name)) has a new key, \(on(view.devices)). It protects what is \
                written from now on; whoever had the keys before can still read what was written under them.
                """)
        }

        package static func exported(_ view: TripKeyExport, path: String) -> String {
            let keys =
                view.keys == view.keysTotal
                ? count(view.keys, "key", "keys")
                : tr(
                    view.keysTotal,
                    "\(view.keys) of \(view.keysTotal) key, all that this device has,",
                    "\(view.keys) of \(view.keysTotal) keys, all that this device has,")
            return tr("Wrote \(keys) of \(name(view.trip.name)) to \(path).")
        }

        /// A row of `trip show`.
        package static func standing(_ view: EncryptionView) -> String {
            var parts = [
                view.keysHere == view.keys
                    ? tr("yes, \(count(view.keys, "key", "keys"))")
                    : tr(
                        view.keys, "yes, \(view.keysHere) of \(view.keys) key here",
                        "yes, \(view.keysHere) of \(view.keys) keys here")
            ]
            if view.closed > 0 {
                parts.append(tr("\(count(view.closed, "change", "changes")) cannot be read here"))
            }
            if !view.writable { parts.append(tr("waits for an admin to make a new key")) }
            return parts.joined(separator: "; ")
        }

        /// `trip members`, beside a person.
        package static func reads(_ keys: MemberKeys) -> String? {
            switch keys {
            case .all: nil
            case .fromNow: tr("reads what came after them")
            case .missing: tr("waits for a key")
            }
        }

        /// After a revocation; `isNewKey` says whether a new key was made with it.
        package static func revoked(isNewKey: Bool) -> String {
            isNewKey
                ? tr(
                    """
                    There is a new key that they do not have: it protects what is written from now on, not \
                    what they could read until now.
                    """)
                : tr(
                    """
                    Nothing is written there before an admin's device has made a new key. That protects what is \
                    written from then on, not what they could read until now.
                    """)
        }

        /// The first lines of a file with keys.
        package static func identityFile(_ noun: SpaceNoun) -> [String] {
            noun == .trip
                ? [
                    tr("Keys of a trip of peersync, as age identities."),
                    tr("Open a file of the trip: age -d -i THIS-FILE FILE"),
                ]
                : [
                    tr("Keys of a space of peersync, as age identities."),
                    tr("Open a file of the space: age -d -i THIS-FILE FILE"),
                ]
        }

        /// `on Laptop and Phone`, `on 7 devices`.
        private static func on(_ devices: [Reference]) -> String {
            devices.count > 6
                ? tr("on \(devices.count) devices")
                : tr("on \(Member.list(devices.map { plain($0.name) }))")
        }
    }
}

extension Sentence.Problem {
    /// Changes that wait for their key.
    package static func closed(_ changes: Int, in place: String) -> Words {
        let what = Sentence.count(changes, "change", "changes")
        return Words(
            changes == 1
                ? "\(what) in \(Sentence.name(place)) cannot be read here: its key has not come yet."
                : "\(what) in \(Sentence.name(place)) cannot be read here: their key has not come yet.",
            "its key has not come yet",
            "It comes when this device next connects with a member's that has it: peersync sync")
    }
}
