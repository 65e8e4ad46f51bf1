internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about the past; without one of them it shows it.
struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        "history", .history,
        subcommands: [
            HistoryShow.command, HistoryMark.command, HistoryMarks.command, HistoryUnmark.command,
        ], otherwise: HistoryShow.command)
}

/// Shows everything that was ever written to a record, or all that happened.
struct HistoryShow: PeersyncCommand {
    static let configuration = CommandConfiguration("show", .historyShow)

    @Argument(
        help: ArgumentHelp(OptionHelp.recordOrFile, valueName: "record"),
        completion: .names(of: .memory))
    var record: String?

    @Option(
        help: ArgumentHelp(OptionHelp.inSpace, valueName: "space"), completion: .names(of: .space))
    var space: String?

    @Option(
        help: ArgumentHelp(OptionHelp.historyTrip, valueName: "trip"),
        completion: .names(of: .trip))
    var trip: String?

    @Option(
        help: ArgumentHelp(OptionHelp.historyDevice, valueName: "device"),
        completion: .names(of: .device))
    var device: String?

    @Option(
        help: ArgumentHelp(OptionHelp.historyPerson, valueName: "person"),
        completion: .names(of: .person))
    var person: String?

    @Option(
        help: ArgumentHelp(OptionHelp.historySince, valueName: "time"),
        transform: SinceInput.init(typed:))
    var since: SinceInput?

    @Option(help: ArgumentHelp(OptionHelp.logLimit, valueName: "number")) var limit: Int?

    func run(in context: CommandContext) async throws {
        if let record {
            guard [trip, device, person].allSatisfy({ $0 == nil }), since == nil, limit == nil
            else {
                throw Sentence.History.recordOrFilter
            }
            try await context.show(\.records.history, id: record, WhyScope(space: space)) {
                HistoryText.rendered($0, width: context.output.width)
            }
            return
        }
        guard limit ?? 1 > 0 else { throw Sentence.Usage.badLimit }
        var filter = ChangeFilter(trip: trip ?? space, limit: limit)
        filter.whole = true
        filter.since = try await since?.moment(in: context)
        (filter.device, filter.person) = (device, person)
        let log = try await context.call(\.changes.list, filter)
        try context.output.result(log) { log in
            log.entries.isEmpty
                ? Sentence.Changes.noneThen
                : ChangeTable.rendered(
                    log, ofOne: filter.trip != nil, withIDs: true, width: context.output.width)
        }
        if log.hasEarlier {
            context.output.remark(Sentence.History.earlier(shown: log.entries.count))
        }
    }
}

struct HistoryMark: PeersyncCommand {
    static let configuration = CommandConfiguration("mark", .historyMark)

    @Argument(help: ArgumentHelp(OptionHelp.markName, valueName: "name")) var name: String

    func run(in context: CommandContext) async throws {
        let mark = try await context.show(
            \.changes.mark, NameDraft(name: name), as: Sentence.History.marked)
        context.output.remark(Sentence.History.markNext(mark))
    }
}

struct HistoryMarks: PeersyncCommand {
    static let configuration = CommandConfiguration("marks", .historyMarks)

    func run(in context: CommandContext) async throws {
        try await context.show(\.changes.marks) { marks in
            guard !marks.isEmpty else { return Sentence.History.noMarks }
            var table = Table([.text(tr("moment"), shrinksTo: 12), .text(tr("time"))])
            for mark in marks { table.add([mark.name, Formatting.time(mark.at)]) }
            return table.rendered(width: context.output.width)
        }
    }
}

struct HistoryUnmark: PeersyncCommand {
    static let configuration = CommandConfiguration("unmark", .historyUnmark)

    @Argument(help: ArgumentHelp(OptionHelp.markName, valueName: "name")) var name: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.changes.unmark, id: name, as: Sentence.History.unmarked)
    }
}

/// What `undo` and `redo` ask before they do it.
private struct UndoDialogue {
    let context: CommandContext
    let operation: (API) -> LocalAPI.Operation<UndoDraft, UndoView>

    func run(_ draft: UndoDraft, isPreview: Bool) async throws {
        let done = try await context.withService { service -> UndoView? in
            var preview = draft
            preview.preview = true
            let view = try await service.call(operation, preview)
            if isPreview {
                try context.output.result(view, describe: Sentence.History.preview)
                return nil
            }
            if view.recordCount > 0 {
                try await context.prompt.insist(Sentence.History.question(view))
            }
            return try await service.call(operation, draft)
        }
        guard let done else { return }
        try context.output.result(done, describe: Sentence.History.done)
        if done.kept.contains(where: { $0.reason == .changedSince }) {
            context.output.remark(Sentence.History.over(done))
        }
    }
}

struct Undo: PeersyncCommand {
    static let configuration = CommandConfiguration("undo", .undo)

    @Argument(help: ArgumentHelp(OptionHelp.undoCommit, valueName: "change")) var change: String?

    @Option(
        help: ArgumentHelp(OptionHelp.undoDevice, valueName: "device"),
        completion: .names(of: .device))
    var device: String?

    @Flag(help: ArgumentHelp(OptionHelp.undoDeletions)) var deletions = false

    @Option(
        help: ArgumentHelp(OptionHelp.undoSince, valueName: "time"),
        transform: SinceInput.init(typed:))
    var since: SinceInput?

    @Option(
        help: ArgumentHelp(OptionHelp.undoUntil, valueName: "time"),
        transform: SinceInput.init(typed:))
    var until: SinceInput?

    @Option(
        help: ArgumentHelp(OptionHelp.undoSpace, valueName: "space"),
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
    static let configuration = CommandConfiguration("redo", .redo)

    @Flag(help: ArgumentHelp(OptionHelp.undoOver)) var over = false

    @Flag(help: ArgumentHelp(OptionHelp.undoPreview)) var preview = false

    func run(in context: CommandContext) async throws {
        var draft = UndoDraft()
        draft.over = over
        try await UndoDialogue(context: context, operation: \.changes.redo)
            .run(draft, isPreview: preview)
    }
}
