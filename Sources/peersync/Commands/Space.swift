internal import ArgumentParser
internal import LocalAPI

/// Spaces of any schema.
struct Space: ParsableCommand {
    static let configuration = CommandConfiguration(
        "space", .space,
        subcommands: [
            SpaceCreate.command, SpaceList.command, SpaceShow.command, SpaceGrant.command,
            SpaceRevoke.command, SpaceAccept.command, SpaceLeave.command, SpaceCheck.command,
            SpaceDelete.command,
            SpaceRestore.command, SpaceArchive.command, SpaceImport.command,
        ])
}

struct SpaceCreate: PeersyncCommand {
    static let configuration = CommandConfiguration("create", .spaceCreate)

    @Option(help: ArgumentHelp(OptionHelp.schemaOption, valueName: "file|name")) var schema: String

    @Argument(help: ArgumentHelp(OptionHelp.spaceName, valueName: "name")) var name: String

    func run(in context: CommandContext) async throws {
        let isFile = SchemaFile.isFile(schema)
        let draft = SpaceDraft(
            name: name, schema: isFile ? nil : schema,
            document: isFile ? try SchemaFile.text(of: schema) : nil)
        let space = try await context.show(\.spaces.create, draft, as: Sentence.Record.spaceCreated)
        if let collection = space.collections?.first {
            context.output.remark(Sentence.Record.spaceCreatedNext(space, collection: collection))
        }
    }
}

struct SpaceList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .spaceList)

    @Flag(help: ArgumentHelp(OptionHelp.listDeleted)) var deleted = false

    func run(in context: CommandContext) async throws {
        try await context.show(deleted ? \.spaces.deleted : \.spaces.list) {
            TripTable.rendered($0, heading: "space", width: context.output.width)
        }
    }
}

struct SpaceShow: PeersyncCommand {
    static let configuration = CommandConfiguration("show", .spaceShow)

    @Argument(help: ArgumentHelp(OptionHelp.space, valueName: "space")) var space: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.show, id: space, as: TripDetails.rendered)
    }
}

struct SpaceAccept: PeersyncCommand {
    static let configuration = CommandConfiguration("accept", .spaceAccept)

    @Argument(help: ArgumentHelp(OptionHelp.space, valueName: "space")) var space: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.accept, id: space, as: Sentence.Record.accepted)
    }
}

struct SpaceLeave: PeersyncCommand {
    static let configuration = CommandConfiguration("leave", .spaceLeave)

    @Argument(help: ArgumentHelp(OptionHelp.space, valueName: "space")) var space: String

    func run(in context: CommandContext) async throws {
        try await context.ask(
            Sentence.Trip.askLeave, of: \.trips.show, id: space, NoInput(), then: \.trips.leave,
            as: Sentence.Trip.left)
    }
}

struct SpaceCheck: PeersyncCommand {
    static let configuration = CommandConfiguration("check", .spaceCheck)

    @Argument(help: ArgumentHelp(OptionHelp.recordSpace, valueName: "space")) var space: String

    /// 0 when nothing is left to do, 1 otherwise.
    func run(in context: CommandContext) async throws {
        try await SpaceCheckText.show(space, in: context)
    }
}

struct SpaceDelete: PeersyncCommand {
    static let configuration = CommandConfiguration("delete", .spaceDelete)

    @Argument(help: ArgumentHelp(OptionHelp.space, valueName: "space")) var space: String

    func run(in context: CommandContext) async throws {
        let deleted = try await context.ask(
            Sentence.Record.askDeleteSpace, of: \.trips.show, id: space, NoInput(),
            then: \.trips.delete, as: Sentence.Trip.deleted)
        context.output.remark(Sentence.Trip.deletedNext(deleted))
    }
}

struct SpaceRestore: PeersyncCommand {
    static let configuration = CommandConfiguration("restore", .spaceRestore)

    @Argument(help: ArgumentHelp(OptionHelp.deletedSpace, valueName: "space")) var space: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.restore, id: space, as: Sentence.Trip.restored)
    }
}
