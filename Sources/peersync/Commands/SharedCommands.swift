package import ArgumentParser
package import LocalAPI

/// A group of commands with its own word for spaces.
package protocol SpaceCommands: SendableMetatype {
    static var noun: SpaceNoun { get }
}

extension SpaceCommands {
    /// The commands for spaces of any kind.
    static var shared: [any ParsableCommand.Type] {
        [
            ShowSpace<Self>.command, RenameSpace<Self>.command, ListMembers<Self>.command,
            Grant<Self>.command, Revoke<Self>.command, AskWhetherMay<Self>.command,
            RequestRight<Self>.command, AcceptSpace<Self>.command, DeclineSpace<Self>.command,
            LeaveSpace<Self>.command, CheckSpace<Self>.command, RecoverChanges<Self>.command,
            DeleteSpace<Self>.command, RestoreSpace<Self>.command, WriteArchive<Self>.command,
            ImportArchive<Self>.command, EncryptSpace<Self>.command, SpaceKey<Self>.self,
        ]
    }
}

/// The space that a command works on.
package struct SpaceArgument<Group: SpaceCommands>: ParsableArguments {
    @Argument(
        help: ArgumentHelp(Group.noun.argument, valueName: Group.noun.rawValue),
        completion: .name(of: Group.noun))
    package internal(set) var name: String

    package init() {}
}

package struct ShowSpace<Group: SpaceCommands>: PeersyncCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            "show", "Show a \(Group.noun.word) and its members.",
            examples: [Group.noun.typed(tr("show"))])
    }

    @OptionGroup package internal(set) var space: SpaceArgument<Group>

    package init() {}

    package func run(in context: CommandContext) async throws {
        try await context.show(\.trips.show, id: space.name) {
            TripDetails.rendered($0, width: context.output.width)
        }
    }
}

struct RenameSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "rename", "Rename a \(Group.noun.word) for everybody.",
            examples: [Group.noun.typed(tr("rename"), tr("\"Tuscany 2008\""))])
    }

    @OptionGroup var space: SpaceArgument<Group>

    @Argument(help: ArgumentHelp(OptionHelp.newName, valueName: "name")) var name: String

    func run(in context: CommandContext) async throws {
        let renamed = try await context.show(
            \.trips.rename, id: space.name, TripRename(name: name), as: told)
        try await context.warnOfSameName(renamed)
    }

    private func told(_ trip: TripView) -> String {
        let name = Sentence.name(trip.name)
        return trip.isTrip
            ? tr("The trip is now called \(name).") : tr("The space is now called \(name).")
    }
}

extension CommandContext {
    /// Says it when another one has that name, whatever its case.
    @discardableResult
    func warnOfSameName(_ space: TripView) async throws -> Bool {
        let name = space.name.lowercased()
        let others = try await call(\.spaces.list).filter {
            $0.id != space.id && $0.membership != .left
        }
        guard others.contains(where: { $0.name.lowercased() == name }) else { return false }
        output.remark(SpaceText.sameName(space.name, isTrip: space.isTrip))
        return true
    }
}

struct AcceptSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "accept", "Accept a \(Group.noun.word) that someone shares with you.",
            examples: [Group.noun.typed(tr("accept"))],
            remarks: "What is in it is then fetched to this device.")
    }

    @OptionGroup var space: SpaceArgument<Group>

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.sharing.accept, id: space.name, as: SpaceText.accepted)
    }
}

struct DeclineSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "decline", "Decline a \(Group.noun.word) that someone shares with you.",
            examples: [Group.noun.typed(tr("decline"))])
    }

    @OptionGroup var space: SpaceArgument<Group>

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.sharing.decline, id: space.name) {
            tr("Declined \(Sentence.name($0.name)); nothing of it is kept here.")
        }
    }
}

struct LeaveSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "leave", "Leave a \(Group.noun.word); the other members keep it.",
            examples: [Group.noun.typed(tr("leave"))],
            remarks: "To delete it for everybody, use 'peersync \(Group.noun) delete'.")
    }

    @OptionGroup var space: SpaceArgument<Group>

    func run(in context: CommandContext) async throws {
        let isSyncOn = try await context.call(\.agent.status).syncEnabled
        let left = try await context.ask(
            { LeaveText.unsent($0, isSyncOn: isSyncOn) + questionBeforeLeaving($0) },
            of: \.trips.show, id: space.name, NoInput(), then: \.trips.sharing.leave,
            as: { tr("You left \(Sentence.name($0.name)); the others keep it.") })
        for line in LeaveText.remarks(left, try await context.call(\.agent.status)) {
            context.output.remark(line)
        }
    }

    private func questionBeforeLeaving(_ trip: TripView) -> String {
        guard let staying = trip.keptBy, !staying.isEmpty else {
            return tr(
                """
                You will no longer see or get \(Sentence.name(trip.name)); the others keep it, \
                and only they can give it back. Leave it?
                """)
        }
        let devices = Sentence.Member.list(staying.map { Sentence.plain($0.name) })
        return tr(
            staying.count,
            """
            You will no longer see or get \(Sentence.name(trip.name)) here. Your device \(devices) keeps \
            it, as this one cannot take it from there: leave it there, too. Leave it here?
            """,
            """
            You will no longer see or get \(Sentence.name(trip.name)) here. Your devices \(devices) keep \
            it, as this one cannot take it from there: leave it there, too. Leave it here?
            """)
    }
}

struct CheckSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "check", "Look whether everything in a \(Group.noun.word) hangs together.",
            examples: [Group.noun.typed(tr("check"))],
            remarks: """
                Finds references that lead nowhere, parts whose whole is gone, things that are \
                there twice, missing files and values, and says what each means. The exit code is \
                0 when nothing is left to do, 1 otherwise. Changes nothing. 'peersync space check \
                home' looks at your own lists.
                """)
    }

    @OptionGroup var space: SpaceArgument<Group>

    /// Exits with 0 if there is no problem, with 1 otherwise.
    func run(in context: CommandContext) async throws {
        let check = try await context.show(
            \.spaces.check, id: space.name, as: SpaceCheckText.rendered)
        if !check.sound { throw ExitCode(1) }
    }
}

struct DeleteSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "delete", "Delete a \(Group.noun.word) for everybody.",
            examples: [Group.noun.typed(tr("delete"))],
            remarks: """
                Taken back with 'peersync \(Group.noun) restore'. To leave it without deleting it \
                for others, use 'peersync \(Group.noun) leave'.
                """)
    }

    @OptionGroup var space: SpaceArgument<Group>

    func run(in context: CommandContext) async throws {
        let gone = try await context.ask(
            questionBeforeDeleting, of: \.trips.show, id: space.name, NoInput(),
            then: \.trips.delete, as: { tr("Deleted \(Sentence.name($0.name)) for everybody.") })
        context.output.remark(tr("Taken back with: \(Sentence.Trip.restore(gone))"))
    }

    private func questionBeforeDeleting(_ trip: TripView) -> String {
        let others = trip.memberCount - 1
        let whom =
            others > 0
            ? tr("for you and \(Sentence.count(others, "other person", "other people"))")
            : tr("on all your devices")
        let instead =
            others > 0
            ? tr(
                "To go while the others keep it: peersync \(SpaceNoun(isTrip: trip.isTrip)) leave \(Sentence.quoted(trip.name))\n"
            )
            : ""
        return tr(
            """
            This deletes \(Sentence.name(trip.name)) for everybody: \(TripTable.contents(trip)), \(whom).
            \(instead)Delete it for everybody?
            """)
    }
}

struct RestoreSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "restore", "Bring back a deleted \(Group.noun.word) for everybody.",
            examples: [Group.noun.typed(tr("restore")), "peersync \(Group.noun) list --deleted"],
            remarks: """
                It comes back as it was, with everything in it, and with what others wrote in it \
                while it was deleted.
                """)
    }

    @Argument(
        help: ArgumentHelp(Group.noun.deletedArgument, valueName: Group.noun.rawValue),
        completion: .deletedName(of: Group.noun))
    var space: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.restore, id: space) {
            tr(
                """
                Brought back \(Sentence.name($0.name)) for everybody: \(TripTable.contents($0)).
                """)
        }
    }
}
