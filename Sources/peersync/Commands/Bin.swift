internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about deleted records.
struct Bin: ParsableCommand {
    static let configuration = CommandConfiguration(
        "bin", "See what was deleted lately, and bring it back.", examples: ["peersync bin"],
        subcommands: [BinList.command, BinRestore.command, BinEmpty.command],
        otherwise: BinList.command)
}

struct BinList: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "List what was deleted in the last 30 days.",
        examples: ["peersync bin", "peersync bin list --trip Arezzo --all"],
        remarks: """
            Words are never lost, also after these days. For more days: peersync config set \
            bin-days 60. Files stay, too, unless this device is to free them: peersync config set \
            bin-files free
            """)

    @OptionGroup var options: BinOptions

    func run(in context: CommandContext) async throws {
        let items = try await context.call(\.spaces.bin, options.filter)
        let empty = items.isEmpty ? try await nothing(context) : ""
        try context.output.result(items) {
            $0.isEmpty ? empty : rendered($0, width: context.output.width)
        }
        if !items.isEmpty {
            context.output.remark(
                tr("Bring something back for everybody: peersync bin restore NAME"))
        }
    }

    private func nothing(_ context: CommandContext) async throws -> String {
        guard !options.all else { return tr("Nothing that was deleted is left to bring back.") }
        let settings = try await context.call(\.agent.settings)
        let days = settings.first { $0.name == .binDays }?.value ?? ""
        return days == "1"
            ? tr("Nothing was deleted in the last day. All that ever was: peersync bin --all")
            : tr(
                "Nothing was deleted in the last \(days) days. All that ever was: peersync bin --all"
            )
    }

    private func rendered(_ items: [BinItemView], width: Int?) -> String {
        var table = Table([
            .text(tr("what")), .text(tr("name"), shrinksTo: 12), .text(tr("of"), shrinksTo: 8),
            .text(tr("with")), .text(tr("files on this device"), shrinksTo: 8),
            .text(tr("deleted")), .text(tr("by"), shrinksTo: 6), .text(tr("id")),
        ])
        for item in items {
            table.add([
                Sentence.Changes.noun(item.kind),
                item.name.isEmpty ? MemoryTable.untitled : item.name,
                item.space?.name ?? "",
                item.parts == 0 ? "" : Sentence.count(item.parts, "record", "records"),
                item.files.map { BinText.files($0) { Formatting.time($0) } } ?? "",
                Formatting.ago(item.deleted), item.by.name, item.shortID,
            ])
        }
        return table.rendered(width: width)
    }
}

struct BinRestore: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "restore", "Bring back something that was deleted, with all that went with it.",
        examples: ["peersync bin restore Duomo"])

    @Argument(
        help: .tr("Name of what was deleted, or the first letters of its id.", valueName: "name"))
    var name: String

    @OptionGroup var options: BinOptions

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.spaces.restoreFromBin, id: name, options.filter, as: BinText.restored)
    }
}

struct BinEmpty: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "empty", "Free the files of what was deleted, on this device alone.",
        examples: ["peersync bin empty --preview", "peersync bin empty --trip Arezzo --now"],
        remarks: """
            Files go that nothing needs any more and whose deletion all members have acknowledged. \
            What was deleted can still be brought back: its words always, its files if another \
            device has them.
            """)

    @Option(
        name: [.customLong("space"), .customLong("trip")],
        help: .tr("Only files of this trip or space.", valueName: "space"),
        completion: .names(of: .space))
    var space: String?

    @Flag(help: .tr("Also files of what is still in the bin."))
    var now = false

    @Flag(help: .tr("Only say what would go."))
    var preview = false

    func run(in context: CommandContext) async throws {
        var draft = BinEmptying(space: space, now: now, preview: true)
        let view = try await context.call(\.spaces.emptyBin, draft)
        guard !preview, view.files > 0 else {
            try context.output.result(view, describe: BinText.wouldFree)
            return
        }
        try await context.prompt.insist(BinText.question(view))
        draft.preview = false
        try await context.show(\.spaces.emptyBin, draft, as: BinText.freed)
    }
}

/// What of the bin.
struct BinOptions: ParsableArguments {
    @Option(
        name: [.customLong("space"), .customLong("trip")],
        help: .tr("Only what was deleted in this trip or space.", valueName: "space"),
        completion: .names(of: .space))
    var space: String?

    @Flag(help: .tr("Also what was deleted longer ago."))
    var all = false

    var filter: BinFilter { BinFilter(space: space, all: all) }
}
