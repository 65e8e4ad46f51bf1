package import ArgumentParser
internal import LocalAPI

package struct MemoryAdd: PeersyncCommand {
    package static let configuration = CommandConfiguration(
        "add", "Add a memory to a trip.",
        examples: [
            tr("peersync memory add Arezzo --title Duomo --at \"2008-10-22 16:28\""),
            "peersync memory add Sydney --position -33.9,151.2 --photo *.jpg",
            tr("peersync memory add Arezzo --title \"Walk\" --track walk.gpx --tag hiking"),
        ],
        remarks: """
            Without --at and --position, time and place come from the first photo that has them. A \
            time without zone is the local time of this computer.
            """)

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
        if Task.isCancelled {
            context.output.remark(
                tr("Too late to stop: the memory was already written (\(memory.shortID))."))
        }
        try context.output.result(
            memory,
            describe: {
                tr(
                    """
                    Added \(Sentence.Memory.name($0)) to \(Sentence.name($0.trip.name)) \
                    (\($0.shortID)).
                    """)
            })
        for notice in memory.notices { context.output.remark(notice) }
    }
}
