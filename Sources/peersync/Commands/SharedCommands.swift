package import ArgumentParser
package import LocalAPI

/// A group of commands that calls spaces by its own word.
package protocol SpaceCommands: SendableMetatype {
    static var noun: SpaceNoun { get }
}

extension SpaceCommands {
    /// What can be done with a space of any kind.
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

/// Which space.
package struct SpaceArgument<Group: SpaceCommands>: ParsableArguments {
    @Argument(
        help: ArgumentHelp(Group.noun.argument, valueName: Group.noun.rawValue),
        completion: .name(of: Group.noun))
    package internal(set) var name: String

    package init() {}
}

package struct ShowSpace<Group: SpaceCommands>: PeersyncCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration("show", .show(Group.noun))
    }

    @OptionGroup package internal(set) var space: SpaceArgument<Group>

    package init() {}

    package func run(in context: CommandContext) async throws {
        try await context.show(\.trips.show, id: space.name, as: TripDetails.rendered)
    }
}

struct RenameSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("rename", .rename(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    @Argument(help: ArgumentHelp(OptionHelp.newName, valueName: "name")) var name: String

    func run(in context: CommandContext) async throws {
        let renamed = try await context.show(
            \.trips.rename, id: space.name, TripRename(name: name), as: Sentence.Trip.renamed)
        try await context.warnOfSameName(renamed)
    }
}

extension CommandContext {
    /// Says it when another one has that name, whatever its case.
    func warnOfSameName(_ space: TripView) async throws {
        let name = space.name.lowercased()
        let others = try await call(\.spaces.list).filter { $0.id != space.id }
        guard others.contains(where: { $0.name.lowercased() == name }) else { return }
        output.remark(Sentence.Usage.sameName(space.name, isTrip: space.isTrip))
    }
}

struct AcceptSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("accept", .accept(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.accept, id: space.name, as: Sentence.Trip.accepted)
    }
}

struct DeclineSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("decline", .decline(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.decline, id: space.name, as: Sentence.Trip.declined)
    }
}

struct LeaveSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("leave", .leave(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    func run(in context: CommandContext) async throws {
        try await context.ask(
            Sentence.Trip.askLeave, of: \.trips.show, id: space.name, NoInput(),
            then: \.trips.leave, as: Sentence.Trip.left)
    }
}

struct CheckSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("check", .check(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    /// 0 when nothing is left to do, 1 otherwise.
    func run(in context: CommandContext) async throws {
        try await SpaceCheckText.show(space.name, in: context)
    }
}

struct DeleteSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("delete", .delete(Group.noun))
    }

    @OptionGroup var space: SpaceArgument<Group>

    func run(in context: CommandContext) async throws {
        let gone = try await context.ask(
            Sentence.Trip.askDelete, of: \.trips.show, id: space.name, NoInput(),
            then: \.trips.delete, as: Sentence.Trip.deleted)
        context.output.remark(Sentence.Trip.deletedNext(gone))
    }
}

struct RestoreSpace<Group: SpaceCommands>: PeersyncCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("restore", .restore(Group.noun))
    }

    @Argument(
        help: ArgumentHelp(Group.noun.deletedArgument, valueName: Group.noun.rawValue),
        completion: .deletedName(of: Group.noun))
    var space: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.restore, id: space, as: Sentence.Trip.restored)
    }
}
