package import ArgumentParser
internal import LocalAPI

package struct MemoryAdd: PeersyncCommand {
    package static let configuration = CommandConfiguration("add", .memoryAdd)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip"), completion: .names(of: .trip))
    var trip: String

    @OptionGroup package internal(set) var fields: MemoryOptions

    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp(OptionHelp.tags, valueName: "tag"),
        completion: .names(of: .tag))
    package internal(set) var tag: [String] = []

    @Option(
        parsing: .upToNextOption, help: ArgumentHelp(OptionHelp.photos, valueName: "file"),
        completion: .file())
    package internal(set) var photo: [String] = []

    package init() {}

    package func run(in context: CommandContext) async throws {
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
        let wanted = draft
        let memory = try await fields.add(in: context) { again in
            var draft = wanted
            draft.again = again
            return try await context.call(\.memories.add, draft)
        }
        if Task.isCancelled { context.output.remark(Sentence.Memory.writtenAlready(memory)) }
        try context.output.result(memory, describe: Sentence.Memory.added)
        for notice in memory.notices { context.output.remark(notice) }
    }
}
