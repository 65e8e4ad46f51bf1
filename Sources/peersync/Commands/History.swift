internal import ArgumentParser
internal import LocalAPI

/// Shows everything that was ever written to a record.
struct History: PeersyncCommand {
    static let configuration = CommandConfiguration("history", .history)

    @Argument(
        help: ArgumentHelp(OptionHelp.recordOrFile, valueName: "record"),
        completion: .names(of: .memory))
    var record: String

    @Option(
        help: ArgumentHelp(OptionHelp.inSpace, valueName: "space"), completion: .names(of: .space))
    var space: String?

    func run(in context: CommandContext) async throws {
        try await context.show(\.records.history, id: record, WhyScope(space: space)) {
            HistoryText.rendered($0, width: context.output.width)
        }
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
        transform: { typed in try TypedInput.argument { try TimeInput().start(typed) } })
    var since: Moment?

    @Option(
        help: ArgumentHelp(OptionHelp.undoSpace, valueName: "space"),
        completion: .names(of: .space))
    var space: String?

    @Flag(help: ArgumentHelp(OptionHelp.undoOver)) var over = false

    @Flag(help: ArgumentHelp(OptionHelp.undoPreview)) var preview = false

    func run(in context: CommandContext) async throws {
        var draft = UndoDraft()
        (draft.commit, draft.device, draft.since, draft.space) = (change, device, since, space)
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
