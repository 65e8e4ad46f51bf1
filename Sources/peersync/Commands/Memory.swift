internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about memories.
struct Memory: ParsableCommand {
    static let configuration = CommandConfiguration(
        "memory", .memory,
        subcommands: [
            MemoryAdd.command, MemoryList.command, MemoryShow.command, MemoryEdit.command,
            MemoryDelete.command, MemoryRestore.command, MemoryMove.command,
        ])
}

struct MemoryList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .memoryList)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip"), completion: .names(of: .trip))
    var trip: String?

    @Option(
        help: ArgumentHelp(OptionHelp.filterTag, valueName: "tag"), completion: .names(of: .tag))
    var tag: String?

    @Option(
        help: ArgumentHelp(OptionHelp.since, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().start(typed) } })
    var since: Moment?

    @Option(
        help: ArgumentHelp(OptionHelp.until, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().end(typed) } })
    var until: Moment?

    @Option(
        parsing: .unconditional, help: ArgumentHelp(OptionHelp.near, valueName: "lat,lon,distance"),
        transform: { typed in try TypedInput.argument { try NearInput(typed) } })
    var near: NearInput?

    @Option(parsing: .unconditional, help: ArgumentHelp(OptionHelp.filterText, valueName: "text"))
    var text: String?

    @Flag(help: ArgumentHelp(OptionHelp.deletedMemories)) var deleted = false

    func run(in context: CommandContext) async throws {
        var filter = MemoryFilter()
        filter.deleted = deleted
        filter.trip = trip
        filter.tag = tag
        filter.since = since
        filter.until = until
        filter.near = near?.near
        filter.text = text
        try await context.show(\.memories.list, filter) {
            MemoryTable.rendered($0, width: context.output.width)
        }
    }
}

struct MemoryShow: PeersyncCommand {
    static let configuration = CommandConfiguration("show", .memoryShow)

    @Argument(
        help: ArgumentHelp(OptionHelp.memory, valueName: "memory"), completion: .names(of: .memory))
    var memory: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.memories.show, id: memory) {
            MemoryDetails.rendered($0, width: context.output.width)
        }
    }
}

struct MemoryDelete: PeersyncCommand {
    static let configuration = CommandConfiguration("delete", .memoryDelete)

    @Argument(
        help: ArgumentHelp(OptionHelp.memory, valueName: "memory"), completion: .names(of: .memory))
    var memory: String

    func run(in context: CommandContext) async throws {
        try await context.ask(
            Sentence.Memory.askDelete, of: \.memories.show, id: memory, NoInput(),
            then: \.memories.delete, as: Sentence.Memory.deleted)
    }
}

struct MemoryRestore: PeersyncCommand {
    static let configuration = CommandConfiguration("restore", .memoryRestore)

    @Argument(help: ArgumentHelp(OptionHelp.deletedMemory, valueName: "memory")) var memory: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.memories.restore, id: memory, as: Sentence.Memory.restored)
    }
}

struct MemoryMove: PeersyncCommand {
    static let configuration = CommandConfiguration("move", .memoryMove)

    @Argument(
        help: ArgumentHelp(OptionHelp.movedMemories, valueName: "memory"),
        completion: .names(of: .memory))
    var memories: [String]

    @Option(help: ArgumentHelp(OptionHelp.moveTo, valueName: "trip"), completion: .names(of: .trip))
    var to: String

    @Option(
        name: [.customLong("from"), .customLong("trip")],
        help: ArgumentHelp(OptionHelp.moveFrom, valueName: "trip"), completion: .names(of: .trip))
    var from: String?

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.memories.move, MoveDraft(memories: memories, to: to, from: from),
            as: Sentence.Move.moved)
    }
}
