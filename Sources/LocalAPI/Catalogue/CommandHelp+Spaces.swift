/// The word for a space in a command and its help: a trip is a space of the journal.
package enum SpaceNoun: String, Sendable, CustomStringConvertible {
    case trip, space

    package init(isTrip: Bool) { self = isTrip ? .trip : .space }

    package var description: String { rawValue }

    /// As people say it.
    var word: Message { self == .trip ? tr("trip") : tr("space") }
    var the: Message { self == .trip ? tr("the trip") : tr("the space") }

    package var argument: String { tr("Name of a \(word), or the first letters of its id.") }
    package var deletedArgument: String {
        tr("Name of a deleted \(word), or the first letters of its id.")
    }

    /// `peersync trip show Arezzo`, with the name of an example.
    func typed(_ command: String, _ rest: String = "") -> String {
        let name = self == .trip ? tr("Arezzo") : tr("Home")
        return "peersync \(self) \(command) \(name)" + (rest.isEmpty ? "" : " \(rest)")
    }
}

/// Commands for trips and for spaces of any schema.
extension CommandHelp {
    package static func show(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp("Show a \(noun.word) and its members.", examples: [noun.typed(tr("show"))])
    }

    package static func rename(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Rename a \(noun.word) for everybody.",
            examples: [noun.typed(tr("rename"), tr("\"Tuscany 2008\""))])
    }

    package static func members(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "List who has a \(noun.word) and what they may do.",
            examples: [noun.typed(tr("members"))],
            remarks: """
                Also who gave it to whom, what somebody asks for, and which devices have not heard yet \
                of the latest grants and revocations.
                """)
    }

    package static func grant(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Share a \(noun.word) with a person, or change what they may do.",
            examples: [
                noun.typed(tr("grant"), tr("Bea")),
                noun.typed(tr("grant"), tr("Bea --role editor")),
                noun.typed(tr("grant"), tr("Bea --can read,write,admin")),
                noun.typed(tr("grant"), tr("Bea --authority")),
            ],
            remarks: """
                viewer reads; contributor also adds and edits; editor also deletes; admin also shares. \
                On the other person's device \(noun.the) waits until they accept it. With less than \
                they have, the rest is taken: what they did until now stays, or with --believe-until \
                what they did by then. With --authority, what they write from then on takes precedence \
                over what others write, even over newer values, which are kept. The founder can grant \
                it, also to themselves. It cannot be revoked.
                """)
    }

    package static func revoke(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Take a \(noun.word) from a person or from one device.",
            examples: [
                noun.typed(tr("revoke"), tr("Bea")), noun.typed(tr("revoke"), tr("bea-phone")),
                noun.typed(tr("revoke"), tr("Bea --believe-until \"2008-10-22 16:28\"")),
            ],
            remarks: """
                From then on nobody sends them anything of it, and what they write has no effect. What \
                is on their devices stays there and can be read for ever. Whoever has not heard of it \
                yet still sends them things; then it counts everywhere. Taken back with 'peersync \
                \(noun) grant'.
                """)
    }

    package static func can(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Say whether somebody may do something.",
            examples: [noun.typed(tr("can"), tr("Bea delete"))],
            remarks: "Exits with 0 for yes and 1 for no.")
    }

    package static func request(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Ask the admins of a \(noun.word) for a right.",
            examples: [
                noun.typed(tr("request"), tr("delete")), noun.typed(tr("request"), "--withdraw"),
                noun.typed(tr("request"), tr("--refuse Bea")),
            ],
            remarks: """
                They see it in 'peersync status' and 'peersync \(noun) members'; 'peersync \(noun) \
                grant' answers it, and --refuse says no.
                """)
    }

    package static func accept(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Accept a \(noun.word) that someone shares with you.",
            examples: [noun.typed(tr("accept"))],
            remarks: "What is in it is then fetched to this device.")
    }

    package static func decline(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Decline a \(noun.word) that someone shares with you.",
            examples: [noun.typed(tr("decline"))])
    }

    package static func leave(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Leave a \(noun.word); the other members keep it.", examples: [noun.typed(tr("leave"))],
            remarks: "To delete it for everybody, use 'peersync \(noun) delete'.")
    }

    package static func check(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Look whether everything in a \(noun.word) hangs together.",
            examples: [noun.typed(tr("check"))],
            remarks: """
                Finds references that lead nowhere, parts whose whole is gone, things that are there \
                twice, missing files and values, and says what each means. The exit code is 0 when \
                nothing is left to do, 1 otherwise. Changes nothing. 'peersync space check home' looks \
                at your own lists.
                """)
    }

    package static func delete(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Delete a \(noun.word) for everybody.", examples: [noun.typed(tr("delete"))],
            remarks: """
                Taken back with 'peersync \(noun) restore'. To leave it without deleting it for others, \
                use 'peersync \(noun) leave'.
                """)
    }

    package static func restore(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Bring back a deleted \(noun.word) for everybody.",
            examples: [noun.typed(tr("restore")), "peersync \(noun) list --deleted"],
            remarks: """
                It comes back as it was, with everything in it, and with what others wrote in it while \
                it was being deleted.
                """)
    }

    package static func archive(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Write a \(noun.word) to an archive that any computer can read.",
            examples: [
                noun.typed(tr("archive"), tr("--to ~/Backup")),
                noun.typed(
                    tr("archive"), tr("--to /media/stick/backup.tar.age --encrypted-to age1…")),
            ],
            remarks: """
                The archive is a folder with all texts as JSON, places and tracks as GPX, all photos \
                and files, what happened, and a page to read it with: index.html. SHA256SUMS has the \
                hashes of all; check them with 'sha256sum -c'. With --encrypted-to it is a tar file \
                instead that only these keys open, with peersync or with 'age -d'. It appears whole or \
                not at all, and replaces nothing.
                """)
    }

    package static func importing(_ noun: SpaceNoun) -> CommandHelp {
        CommandHelp(
            "Make a \(noun.word) of an archive.",
            examples: [
                "peersync \(noun) import ~/Backup/Arezzo",
                "peersync \(noun) import arezzo.tar.age --identity key.txt --encrypted",
            ],
            remarks: """
                Everything in the archive is verified first; when something is wrong, nothing is \
                imported. What it becomes is new and yours: share it again with whom you like. Who \
                wrote what before, and when, is kept.
                """)
    }
}
