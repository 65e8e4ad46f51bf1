extension Sentence {
    /// What is said of devices that carry trips and other spaces and cannot read them. There they are all
    /// called spaces: nobody knows what they follow.
    package enum Vault {
        /// What a trip is called that has no name here.
        package static func standIn(for id: String) -> String { "sealed-\(id.prefix(6))" }

        package static func added(_ change: VaultChange) -> String {
            var lines: [String] = []
            if !change.trips.isEmpty {
                lines.append(
                    tr(
                        """
                        \(plain(change.device.name)) carries \(Member.list(change.trips.map { name($0.name) })) \
                        once \(plain(change.person.name)) has accepted there: peersync status on \
                        that device shows what to type. It can read nothing of it.
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

        /// What people have to know who trust a vault with their copy.
        package static var addedNext: String {
            tr(
                """
                A vault keeps what others cannot read, also from you: should all devices that read \
                it be lost, only the exported key opens what the vault has. Write it down: \
                peersync trip key export, or: peersync space key export
                """)
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

        package static var alreadyCarried: String { tr("it is carried there already.") }
        package static var notEncrypted: String { tr("it is not encrypted.") }
        package static var notAdmin: String { tr("only its admins give it to a vault.") }
        package static var isRead: String { tr("that device can read it.") }
        package static var none: String {
            tr(
                """
                No device carries anything for you, and this one carries nothing. An old computer can keep \
                an encrypted trip or space that it cannot read: peersync vault add DEVICE --trip NAME
                """)
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
            let who = trip.grantedBy.map { tr(" for \(plain($0.name))") } ?? ""
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

        /// `trip members`, below the people.
        package static func carriers(_ vaults: [Reference]) -> String {
            tr(
                """
                Carried by \(Member.list(vaults.map { plain($0.name) })), which cannot read it.
                """)
        }
    }
}

/// What status says of spaces that this device carries.
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

/// Errors about vaults.
extension APIError {
    package static func carriedOnly(_ name: String) -> APIError {
        APIError(
            code: .conflict,
            sentence: "This device only carries \(Sentence.name(name)) and cannot read it.",
            hint: "What it has of it: peersync vault list")
    }

    package static func ownVault(_ device: String) -> APIError {
        APIError(
            code: .conflict,
            sentence: """
                \(Sentence.plain(device)) is your own device: it reads all that you read, and so is \
                no vault.
                """,
            hint: """
                To use it as a vault, set it up for a person of its own ('peersync init' there) and \
                pair without --mine.
                """)
    }

    package static func vaultReads(
        _ device: String, trip: String, isTrip: Bool = true
    ) -> APIError {
        APIError(
            code: .conflict,
            sentence: """
                \(Sentence.plain(device)) can read \(Sentence.name(trip)): that is no vault.
                """,
            hint: """
                Take that from it first: peersync \(SpaceNoun(isTrip: isTrip)) revoke \
                \(Sentence.quoted(trip)) \(Sentence.quoted(device))
                """)
    }

    package static let vaultWhat = APIError(
        code: .badInput, sentence: "It is not clear what the vault is to carry.",
        hint: "Name a trip or space with --trip, or take all of yours with --all.")

    package static func alreadyVault(_ device: String, trip: String) -> APIError {
        APIError(
            code: .conflict,
            sentence: "\(Sentence.plain(device)) carries \(Sentence.name(trip)) already.",
            hint: "What it has of it: peersync vault list")
    }

    package static func noVault(_ device: String, trip: String) -> APIError {
        APIError(
            code: .conflict,
            sentence: "\(Sentence.plain(device)) does not carry \(Sentence.name(trip)).",
            hint: "Which devices carry what: peersync vault list")
    }

    /// Nothing was found that a vault could carry, or carries.
    package static func nothingForVault(_ device: String) -> APIError {
        APIError(
            code: .conflict,
            sentence: "There is nothing to change on \(Sentence.plain(device)).",
            hint: """
                Only what is encrypted is carried: peersync trip encrypt TRIP, or: peersync space \
                encrypt SPACE; then vault add.
                """)
    }
}

extension CommandHelp {
    package static let vault = CommandHelp(
        "Have other devices carry encrypted trips that they cannot read.",
        examples: ["peersync vault add nas --trip Arezzo", "peersync vault list"],
        remarks: """
            A vault stores, verifies and passes on an encrypted trip, and can read nothing of it: two \
            travellers who are never online together sync over it.
            """)

    package static let vaultAdd = CommandHelp(
        "Make a paired device a vault.",
        examples: [
            "peersync vault add nas --trip Arezzo", "peersync vault add nas --all",
        ],
        remarks: """
            It has to belong to another person than you: your own devices read what you read. Its person \
            accepts there. With --all, every encrypted trip and space that you are admin of now.
            """)

    package static let vaultRemove = CommandHelp(
        "Have a vault carry a trip or space no more.",
        examples: ["peersync vault remove nas --trip Arezzo"],
        remarks: "What it has it keeps, and cannot read; it gets nothing new.")

    package static let vaultList = CommandHelp(
        "List who carries your trips, and what this device carries for others.",
        examples: ["peersync vault list"],
        remarks: """
            Of what this device carries it knows counts, sizes and ages: no name, no text. What waits for \
            your answer is accepted with: peersync space accept NAME
            """)
}
