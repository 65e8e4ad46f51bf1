internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about photos and files.
struct Media: ParsableCommand {
    static let configuration = CommandConfiguration(
        "media", .media,
        subcommands: [MediaList.command, MediaGet.command, MediaEdit.command])
}

struct MediaList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .mediaList)

    @Option(help: ArgumentHelp(OptionHelp.trip, valueName: "trip"), completion: .names(of: .trip))
    var trip: String?

    @Option(
        help: ArgumentHelp(OptionHelp.memory, valueName: "memory"), completion: .names(of: .memory))
    var memory: String?

    func run(in context: CommandContext) async throws {
        try await context.show(\.media.list, MediaFilter(trip: trip, memory: memory)) {
            MediaTable.rendered($0, width: context.output.width, showsMemory: true)
        }
    }
}

struct MediaGet: PeersyncCommand {
    static let configuration = CommandConfiguration("get", .mediaGet)

    @Argument(help: ArgumentHelp(OptionHelp.media, valueName: "media")) var media: String

    @Option(help: ArgumentHelp(OptionHelp.to, valueName: "path"), completion: .file()) var to = "."

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.media.export, id: media, ExportTarget(path: InputPath.absolute(to)),
            as: Sentence.Memory.exported)
    }
}

struct MediaEdit: PeersyncCommand {
    static let configuration = CommandConfiguration("edit", .mediaEdit)

    @Argument(help: ArgumentHelp(OptionHelp.media, valueName: "media")) var media: String

    @Option(parsing: .unconditional, help: ArgumentHelp(OptionHelp.caption, valueName: "text"))
    var caption: String?

    @Flag(help: ArgumentHelp(OptionHelp.firstPhoto)) var first = false

    @Option(help: ArgumentHelp(OptionHelp.beforePhoto, valueName: "media")) var before: String?

    @Option(help: ArgumentHelp(OptionHelp.afterPhoto, valueName: "media")) var after: String?

    func run(in context: CommandContext) async throws {
        let place = RecordPlace(before: before, after: after, first: first ? true : nil)
        let changes = MediaChanges(
            caption: caption, place: place == RecordPlace() ? nil : place)
        try await context.show(
            \.media.edit, id: media, changes, as: Sentence.Memory.photoChanged)
    }
}
