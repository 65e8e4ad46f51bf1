package import ArgumentParser
internal import LocalAPI

/// Adds a memory to a trip.
package struct MemoryAdd: PeersyncCommand {
    package static let configuration = CommandConfiguration("add", .memoryAdd)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @OptionGroup package internal(set) var fields: MemoryOptions

    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp(OptionHelp.tags, valueName: "tag"))
    package internal(set) var tag: [String] = []

    @Option(parsing: .upToNextOption, help: ArgumentHelp(OptionHelp.photos, valueName: "file"))
    package internal(set) var photo: [String] = []

    @Flag(help: ArgumentHelp(OptionHelp.again)) package internal(set) var again = false

    @OptionGroup(title: OptionHelp.globalTitle) package internal(set) var global: GlobalOptions

    package init() {}

    func run(in context: CommandContext) async throws {
        var draft = MemoryDraft(trip: trip)
        draft.title = fields.title ?? ""
        draft.text = try await fields.completeText() ?? ""
        draft.at = fields.at
        draft.position = fields.completePosition()
        draft.locationName = fields.place ?? ""
        draft.weather = fields.weather ?? ""
        draft.bucketItem = fields.bucket
        draft.tags = tag
        draft.photoPaths = try photo.map(InputPath.existingFile)
        draft.trackPath = try fields.track.map(InputPath.existingFile)
        guard
            !draft.title.isEmpty || !draft.text.isEmpty || !draft.photoPaths.isEmpty
                || draft.trackPath != nil
        else { throw APIError.emptyMemory }
        draft.again = again
        let memory = try await add(draft, in: context)
        if Task.isCancelled { context.output.remark(Sentence.Memory.writtenAlready(memory)) }
        try context.output.result(memory, describe: Sentence.Memory.added)
        for notice in memory.notices { context.output.remark(notice) }
    }

    /// Asks, where somebody can answer, before files are added that the trip has already.
    private func add(_ draft: MemoryDraft, in context: CommandContext) async throws -> MemoryView {
        do {
            return try await context.call(\.memories.add, draft)
        } catch is CancellationError {
            throw Sentence.Memory.stopped
        } catch let error as APIError where error.code == .confirmationNeeded {
            guard context.prompt.answersYes || context.prompt.terminal.canAsk else { throw error }
            try await context.prompt.insist(error.sentence + "\n" + Sentence.Memory.askAgain)
            var draft = draft
            draft.again = true
            return try await context.call(\.memories.add, draft)
        }
    }
}
