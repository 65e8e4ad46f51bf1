internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about the past; without a subcommand it shows the history.
struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        "history",
        "Show everything that was ever written to a memory or record, or happened to a trip.",
        examples: [
            "peersync history \"Piazza Grande\"", "peersync history b706a975",
            "peersync history --trip Arezzo --person Ben",
        ],
        remarks: """
            Every value, who wrote it, when, on which device and in which change, and what became \
            of it: a value that was replaced is still there. It finds deleted ones too. The id of \
            a change is what 'peersync undo' takes. Without a record it shows all that happened, \
            the latest last.
            """,
        subcommands: [
            HistoryShow.command, HistoryMark.command, HistoryMarks.command, HistoryUnmark.command,
        ], otherwise: HistoryShow.command)
}

/// Shows all changes of a record, or of everything.
struct HistoryShow: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "show", "Show what was written to a record, or all that happened.",
        examples: ["peersync history show \"Piazza Grande\""])

    @Argument(
        help: ArgumentHelp(OptionHelp.recordOrFile, valueName: "record"),
        completion: .names(of: .memory))
    var record: String?

    @Option(
        help: ArgumentHelp(OptionHelp.inSpace, valueName: "space"), completion: .names(of: .space))
    var space: String?

    @Option(
        help: .tr("What happened in this trip or space.", valueName: "trip"),
        completion: .names(of: .trip))
    var trip: String?

    @Option(
        help: .tr("What this device wrote.", valueName: "device"),
        completion: .names(of: .device))
    var device: String?

    @Option(
        help: .tr("What this person wrote.", valueName: "person"),
        completion: .names(of: .person))
    var person: String?

    @Option(
        help: .tr("From this day, time or named moment on.", valueName: "time"),
        transform: SinceInput.init(typed:))
    var since: SinceInput?

    @Option(help: ArgumentHelp(OptionHelp.logLimit, valueName: "number")) var limit: Int?

    func run(in context: CommandContext) async throws {
        if let record {
            guard [trip, device, person].allSatisfy({ $0 == nil }), since == nil, limit == nil
            else {
                throw APIError(
                    code: .badInput,
                    sentence: "A record has its own history: --trip and the others go without one.",
                    hint: "In which space it is: --space SPACE")
            }
            try await context.show(\.records.history, id: record, WhyScope(space: space)) {
                HistoryText.rendered($0, width: context.output.width)
            }
            return
        }
        guard limit ?? 1 > 0 else { throw Log.badLimit }
        var filter = ChangeFilter(trip: trip ?? space, limit: limit)
        filter.whole = true
        filter.since = try await since?.moment(in: context)
        (filter.device, filter.person) = (device, person)
        let log = try await context.call(\.changes.list, filter)
        try context.output.result(log) { log in
            log.entries.isEmpty
                ? ChangeTable.noneThen
                : ChangeTable.rendered(
                    log, ofOne: filter.trip != nil, withIDs: true, width: context.output.width)
        }
        if log.hasEarlier {
            context.output.remark(
                tr("Earlier ones are not shown: add --limit \(log.entries.count * 10)"))
        }
    }
}

struct HistoryMark: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "mark", "Give this moment a name.",
        examples: [tr("peersync history mark \"before the big tidying\"")],
        remarks: """
            'log', 'history' and 'undo' take the name for a time: --since "before the big tidying".
            """)

    @Argument(help: ArgumentHelp(OptionHelp.markName, valueName: "name")) var name: String

    func run(in context: CommandContext) async throws {
        let mark = try await context.show(
            \.changes.mark, NameDraft(name: name)
        ) { tr("This moment is called \(Sentence.name($0.name)).") }
        context.output.remark(
            tr("What happened since then: peersync log --since \(Sentence.quoted(mark.name))"))
    }
}

struct HistoryMarks: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "marks", "List moments that have a name.", examples: ["peersync history marks"])

    func run(in context: CommandContext) async throws {
        try await context.show(\.changes.marks) { marks in
            guard !marks.isEmpty else { return tr("No moment has a name.") }
            var table = Table([.text(tr("moment"), shrinksTo: 12), .text(tr("time"))])
            for mark in marks { table.add([mark.name, Formatting.time(mark.at)]) }
            return table.rendered(width: context.output.width)
        }
    }
}

struct HistoryUnmark: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "unmark", "Take the name of a moment away.",
        examples: [tr("peersync history unmark tidying")])

    @Argument(help: ArgumentHelp(OptionHelp.markName, valueName: "name")) var name: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.changes.unmark, id: name) {
            tr("No moment is called \(Sentence.name($0.name)) any more.")
        }
    }
}

/// The questions of `undo` and `redo` before they change anything.
private struct UndoDialogue {
    let context: CommandContext
    let operation: (API) -> LocalAPI.Operation<UndoDraft, UndoView>

    func run(_ draft: UndoDraft, isPreview: Bool) async throws {
        let done = try await context.withService { service -> UndoView? in
            var preview = draft
            preview.preview = true
            let view = try await service.call(operation, preview)
            if isPreview {
                try context.output.result(view, describe: UndoText.preview)
                return nil
            }
            if view.recordCount > 0 || view.redated != nil {
                try await context.prompt.insist(UndoText.question(view))
            }
            do {
                return try await service.call(operation, draft)
            } catch let error as APIError {
                throw error.ofUndo
            }
        }
        guard let done else { return }
        try context.output.result(done, describe: UndoText.done)
        if done.kept.contains(where: { [.changedSince, .changedToo].contains($0.reason) }) {
            context.output.remark(UndoText.over(done))
        }
    }
}

struct Undo: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "undo", "Undo the last thing you did, or something you name.",
        examples: [
            "peersync undo", "peersync undo a1b2c3d4",
            tr("peersync undo --device phone --since \"yesterday 18:00\""),
            tr("peersync undo --deletions --since today"),
        ],
        remarks: """
            It shows what would change and asks first. Without options it undoes the last change \
            that was written on this device; typed again, the one before. What somebody else \
            changed since, or at the same time, stays, unless you say --over. An undo is a change \
            like others: everybody gets it, 'peersync history' shows it, and 'peersync redo' takes \
            it back. With --since, what \
            counts is when something came to this device.
            """)

    @Argument(
        help: .tr("The change with this id, as 'peersync history' shows it.", valueName: "change"))
    var change: String?

    @Option(
        help: .tr("All that this device wrote, with --since.", valueName: "device"),
        completion: .names(of: .device))
    var device: String?

    @Flag(help: .tr("All that was deleted, with --since."))
    var deletions = false

    @Option(
        help: .tr("What came to this device from this day or time on.", valueName: "time"),
        transform: SinceInput.init(typed:))
    var since: SinceInput?

    @Option(
        help: .tr("Only what came before this day or time.", valueName: "time"),
        transform: SinceInput.init(typed:))
    var until: SinceInput?

    @Option(
        help: .tr("Only in this trip or space.", valueName: "space"),
        completion: .names(of: .space))
    var space: String?

    @Flag(help: ArgumentHelp(OptionHelp.undoOver)) var over = false

    @Flag(help: ArgumentHelp(OptionHelp.undoPreview)) var preview = false

    func run(in context: CommandContext) async throws {
        var draft = UndoDraft()
        (draft.commit, draft.device, draft.space) = (change, device, space)
        draft.since = try await since?.moment(in: context)
        draft.until = try await until?.moment(in: context)
        (draft.deletions, draft.over) = (deletions, over)
        try await UndoDialogue(context: context, operation: \.changes.undo)
            .run(draft, isPreview: preview)
    }
}

struct Redo: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "redo", "Take the last undo back.", examples: ["peersync redo"],
        remarks: "Only while nothing else was changed on this device since.")

    @Flag(help: ArgumentHelp(OptionHelp.undoOver)) var over = false

    @Flag(help: ArgumentHelp(OptionHelp.undoPreview)) var preview = false

    func run(in context: CommandContext) async throws {
        var draft = UndoDraft()
        draft.over = over
        try await UndoDialogue(context: context, operation: \.changes.redo)
            .run(draft, isPreview: preview)
    }
}
