internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about photos and files.
struct Media: ParsableCommand {
    static let configuration = CommandConfiguration(
        "media", "List photos and files, and save copies of them.",
        examples: ["peersync media list"],
        subcommands: [MediaList.command, MediaGet.command, MediaEdit.command])
}

struct MediaList: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "List photos, tracks and other files.",
        examples: ["peersync media list --memory Duomo", "peersync media list --trip Arezzo"])

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
    static let configuration = CommandConfiguration(
        "get", "Save a copy of a photo or file.",
        examples: [
            tr("peersync media get tower.jpg"), tr("peersync media get tower.jpg --to ~/Pictures"),
        ],
        remarks: "It never overwrites a file. MEDIA is a file name or the first letters of an id.")

    @Argument(help: ArgumentHelp(OptionHelp.media, valueName: "media")) var media: String

    @Option(help: ArgumentHelp(OptionHelp.to, valueName: "path"), completion: .file()) var to = "."

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.media.export, id: media, ExportTarget(path: try InputPath.target(to)),
            as: { $0.told })
    }
}

struct MediaEdit: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "edit", "Give a photo a caption, or another place among the others.",
        examples: [
            tr("peersync media edit tower.jpg --caption \"The tower at noon\""),
            tr("peersync media edit tower.jpg --first"),
        ],
        remarks: """
            The first photo stands for its memory. MEDIA is a file name or the first letters of an \
            id.
            """)

    @Argument(help: ArgumentHelp(OptionHelp.media, valueName: "media")) var media: String

    @Option(
        parsing: .unconditional,
        help: .tr("What the photo shows; \"\" for nothing.", valueName: "text"))
    var caption: String?

    @Flag(help: .tr("Put it before the other photos of its memory."))
    var first = false

    @Option(help: .tr("Put it right before this photo of its memory.", valueName: "media"))
    var before: String?

    @Option(help: .tr("Put it right after this photo of its memory.", valueName: "media"))
    var after: String?

    func run(in context: CommandContext) async throws {
        let place = RecordPlace(before: before, after: after, first: first ? true : nil)
        let changes = MediaChanges(
            caption: caption, place: place == RecordPlace() ? nil : place)
        try await context.show(
            \.media.edit, id: media, changes, as: changed)
    }

    private func changed(_ media: MediaView) -> String {
        let caption = media.caption.isEmpty ? "" : ": \(Sentence.name(media.caption))"
        return tr("Changed \(Sentence.plain(media.fileName))\(caption).")
    }
}

extension ExportedFile {
    /// The sentence about the saved file.
    var told: String { tr("Saved \(path) (\(Sentence.size(bytes))).") }
}
