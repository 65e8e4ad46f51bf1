internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about memories.
struct Memory: ParsableCommand {
    static let configuration = CommandConfiguration(
        "memory", "Add, find and change memories.",
        examples: ["peersync memory add Arezzo --title Duomo --photo *.jpg"],
        subcommands: [
            MemoryAdd.command, MemoryList.command, MemoryShow.command, MemoryEdit.command,
            MemoryDelete.command, MemoryRestore.command, MemoryMove.command,
            MemoryMerge.command,
        ])
}

struct MemoryList: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "List all memories, or those that match.",
        examples: [
            "peersync memory list Arezzo", tr("peersync memory list --tag food --since 2008-10-01"),
            "peersync memory list --near 43.46,11.88,5km --text duomo",
        ])

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip"), completion: .names(of: .trip))
    var trip: String?

    @Option(
        help: .tr("Only memories with this tag.", valueName: "tag"), completion: .names(of: .tag))
    var tag: String?

    @Option(
        help: .tr("Only from this day or time on.", valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().start(typed) } })
    var since: Moment?

    @Option(
        help: .tr("Only until this day, or before this time.", valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().end(typed) } })
    var until: Moment?

    @Option(
        parsing: .unconditional, help: ArgumentHelp(OptionHelp.near, valueName: "lat,lon,distance"),
        transform: { typed in try TypedInput.argument { try NearInput(typed) } })
    var near: NearInput?

    @Option(
        parsing: .unconditional,
        help: .tr("Only memories with this in title, text, place or weather.", valueName: "text"))
    var text: String?

    @Flag(help: .tr("The deleted ones instead, which you can restore."))
    var deleted = false

    func run(in context: CommandContext) async throws {
        var filter = MemoryFilter()
        filter.deleted = deleted
        filter.trip = trip
        filter.tag = tag
        filter.since = since
        filter.until = until
        filter.near = near?.near
        filter.text = text
        // A list without an order of its own in the store comes whole.
        guard tag == nil, near == nil, text == nil, !deleted else {
            try await context.show(\.memories.list, filter) {
                MemoryTable.rendered($0, width: context.output.width)
            }
            return
        }
        filter.limit = LocalLimits.recordsOfPart
        let first = filter
        try await context.withService { try await list(first, of: $0, in: context) }
    }

    /// Part by part, as a trip may have a hundred thousand.
    private func list(
        _ first: MemoryFilter, of service: any AgentService, in context: CommandContext
    ) async throws {
        let output = context.output
        var severalTrips = false
        var table = MemoryTable.table(severalTrips: severalTrips)
        try await context.showParts(
            of: \.memories.list, first, from: service,
            whole: { all in
                try output.result(all) { MemoryTable.rendered($0, width: output.width) }
            },
            show: { part, isFirst, isLast in
                if isFirst, trip == nil {
                    let trips = try await service.call(\.trips.list)
                    severalTrips = trips.count { $0.membership != .left } > 1
                    table = MemoryTable.table(severalTrips: severalTrips)
                }
                try output.part(part, isFirst: isFirst, isLast: isLast) {
                    MemoryTable.add($0, to: &table, severalTrips: severalTrips)
                    return table.part(width: output.width)
                }
            })
    }
}

struct MemoryShow: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "show", "Show a memory with all its details.", examples: ["peersync memory show Duomo"])

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
    static let configuration = CommandConfiguration(
        "delete", "Delete a memory with its photos for everybody.",
        examples: ["peersync memory delete Duomo"],
        remarks: "Taken back with: peersync memory restore")

    @Argument(
        help: ArgumentHelp(OptionHelp.memory, valueName: "memory"), completion: .names(of: .memory))
    var memory: String

    func run(in context: CommandContext) async throws {
        try await context.ask(
            question, of: \.memories.show, id: memory, NoInput(),
            then: \.memories.delete,
            as: { tr("Deleted \(Sentence.Memory.name($0)) for everybody.") })
    }

    private func question(_ memory: MemoryView) -> String {
        let files = memory.media.count + (memory.track == nil ? 0 : 1)
        let with = files == 0 ? "" : tr(" with \(Sentence.count(files, "file", "files"))")
        return tr(
            """
            This deletes \(Sentence.Memory.name(memory))\(with) for everybody in \
            \(Sentence.name(memory.trip.name)). Delete it?
            """)
    }
}

struct MemoryRestore: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "restore", "Bring back a deleted memory with its photos.",
        examples: ["peersync memory restore Duomo"])

    @Argument(
        help: .tr("Title of a deleted memory, or the first letters of its id.", valueName: "memory")
    )
    var memory: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.memories.restore, id: memory) {
            tr("Brought back \(Sentence.Memory.name($0)) for everybody.")
        }
    }
}

struct MemoryMove: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "move", "Move memories to another trip, with their photos, tracks and tags.",
        examples: [
            tr("peersync memory move Duomo --to Tuscany"),
            tr("peersync memory move Duomo Pizza --from Arezzo --to Tuscany"),
        ],
        remarks: """
            For everybody. You have to be allowed to delete them where they are. Members of the \
            other trip see your name on them, and below it who wrote them before. Taken back with: \
            peersync undo
            """)

    @Argument(
        help: .tr("Title of each memory, or the first letters of its id.", valueName: "memory"),
        completion: .names(of: .memory))
    var memories: [String]

    @Option(
        help: .tr("The trip that they come to.", valueName: "trip"), completion: .names(of: .trip))
    var to: String

    @Option(
        name: [.customLong("from"), .customLong("trip")],
        help: .tr("The trip that they are in.", valueName: "trip"), completion: .names(of: .trip))
    var from: String?

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.memories.move, MoveDraft(memories: memories, to: to, from: from),
            as: moved)
    }
}

private func moved(_ memories: [MemoryView]) -> String {
    guard let first = memories.first else { return tr("Nothing was moved.") }
    let what =
        memories.count > 1
        ? Sentence.count(memories.count, "memory", "memories")
        : "\(Sentence.Memory.name(first)) (\(first.shortID))"
    return tr(
        """
        Moved \(what) to \(Sentence.name(first.trip.name)). Take it back: peersync undo
        """)
}

struct MemoryMerge: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "merge", "Make one memory of several.",
        examples: [
            tr("peersync memory merge \"Duomo at noon\" --into Duomo"),
            tr("peersync memory merge 3f2a 81c0 --into Duomo --trip Arezzo"),
        ],
        remarks: """
            For everybody. Photos, tracks and tags come to the one that stays, the texts one after \
            the other. The others are deleted: you have to be allowed to. Taken back with: peersync \
            undo
            """)

    @Argument(
        help: .tr("Title of each memory, or the first letters of its id.", valueName: "memory"),
        completion: .names(of: .memory))
    var memories: [String]

    @Option(
        help: .tr("The memory that stays.", valueName: "memory"), completion: .names(of: .memory))
    var into: String

    @OptionGroup var scope: PlaceScope

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.memories.merge,
            MemoryMergeDraft(memories: memories, into: into, trip: scope.trip)
        ) {
            let what = Sentence.count(Set(memories).count, "memory", "memories")
            return tr(
                """
                Merged \(what) into \(Sentence.Memory.name($0)) (\($0.shortID)). Take it back: \
                peersync undo
                """)
        }
    }
}
