extension Sentence {
    /// Words about devices that carry trips and other spaces without reading them. All are called spaces
    /// there, as their schemas are unknown.
    package enum Vault {
        package static func added(_ change: VaultChange) -> String {
            var lines: [String] = []
            if !change.trips.isEmpty {
                lines.append(
                    tr(
                        """
                        \(plain(change.device.name)) is to carry \(Member.list(change.trips.map { name($0.name) })), \
                        and can read nothing of it that is written from now on. Unless it was accepted there \
                        before, \(plain(change.person.name)) has to accept it: peersync status on that device \
                        shows what to type.
                        """))
            }
            if !change.partly.isEmpty {
                lines.append(
                    tr(
                        """
                        What was written in \(Member.list(change.partly.map { name($0.name) })) \
                        before the encryption does not go there.
                        """))
            }
            return (lines + left(change)).joined(separator: "\n")
        }

        package static func removed(_ change: VaultChange) -> String {
            var lines: [String] = []
            if !change.trips.isEmpty {
                lines.append(
                    tr(
                        """
                        \(plain(change.device.name)) gets nothing new of \
                        \(Member.list(change.trips.map { name($0.name) })). What it has it keeps, and \
                        cannot read.
                        """))
            }
            return (lines + left(change)).joined(separator: "\n")
        }

        private static func left(_ change: VaultChange) -> [String] {
            change.left.map { tr("\(name($0.trip.name)) is left out: \($0.sentence)") }
        }

        /// A row of `vault list`, beside device and trip.
        package static func standing(_ view: VaultView) -> String {
            guard view.accepted else {
                return tr("waits until \(plain(view.person.name)) accepts it there")
            }
            return view.waiting == .nothing
                ? tr("has all it may have") : tr("lacks \(waiting(view.waiting))")
        }

        /// `carried for Anna: 204 changes, 31 of 40 files (48 MB), the newest 3 hours ago`.
        package static func carried(_ trip: TripView, _ view: CarriedView, ago: String?) -> String {
            let who = receiver(trip)
            let files =
                view.filesHere == trip.mediaCount
                ? count(trip.mediaCount, "file", "files")
                : tr("\(view.filesHere) of \(count(trip.mediaCount, "file", "files"))")
            let size = trip.mediaCount > 0 ? " (\(size(trip.bytes)))" : ""
            let newest = ago.map { tr(", the newest \($0)") } ?? ""
            return tr(
                """
                carried\(who), unreadable here: \(count(view.changes, "change", "changes")), \
                \(files)\(size)\(newest)
                """)
        }

        /// Of a trip that this device could read before: `2 memories from before; what came since is only
        /// carried for Anna, unreadable here`.
        package static func carriedSince(_ trip: TripView, contents: String) -> String {
            tr(
                """
                \(contents) from before; what came since is only carried\(receiver(trip)), \
                unreadable here
                """)
        }

        private static func receiver(_ trip: TripView) -> String {
            trip.grantedBy.map { tr(" for \(plain($0.name))") } ?? ""
        }
    }
}

/// The words of status about spaces that this device carries.
extension Sentence.Problem {
    package static func vaultInvitation(from person: String?, to place: String) -> Words {
        let who = person.map { Sentence.plain($0) } ?? tr("Somebody")
        return Words(
            """
            \(who) asks this device to carry \(Sentence.name(place)), which it cannot read.
            """, "it waits for your answer",
            """
            peersync \(SpaceNoun.space) accept \(Sentence.quoted(place)), or: \
            peersync \(SpaceNoun.space) decline \(Sentence.quoted(place))
            """
        )
    }

    package static func carriedNoMore(
        _ name: String, by person: String?, ago: String?, changes: Int, files: Int
    ) -> Words {
        let who = person.map { Sentence.plain($0) } ?? tr("Somebody")
        let when = ago.map { ", \($0)" } ?? ""
        let held = Sentence.Member.list(
            [Sentence.count(changes, "change", "changes")]
                + (files > 0 ? [Sentence.count(files, "file", "files")] : []))
        return Words(
            """
            \(who) has \(Sentence.name(name)) carried by this device no more\(when). What is here \
            stays here (\(held)), unreadable as before; nothing new comes.
            """, "it is carried here no more",
            "To put it away here: peersync \(SpaceNoun.space) leave \(Sentence.quoted(name))")
    }
}
