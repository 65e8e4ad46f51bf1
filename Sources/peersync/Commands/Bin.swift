internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about what was deleted.
struct Bin: ParsableCommand {
    static let configuration = CommandConfiguration(
        "bin", "See what was deleted lately, and bring it back.", examples: ["peersync bin"],
        subcommands: [BinList.command, BinRestore.command],
        otherwise: BinList.command)
}

struct BinList: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "List what was deleted in the last 30 days.",
        examples: ["peersync bin", "peersync bin list --trip Arezzo --all"],
        remarks: """
            Nothing of it is lost, also after these days. For more days: peersync config set \
            bin-days 60
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
        return Sentence.Bin.empty(days: settings.first { $0.name == .binDays }?.value ?? "")
    }

    private func rendered(_ items: [BinItemView], width: Int?) -> String {
        var table = Table([
            .text(tr("what")), .text(tr("name"), shrinksTo: 12), .text(tr("of"), shrinksTo: 8),
            .text(tr("with")),
            .text(tr("deleted")), .text(tr("by"), shrinksTo: 6), .text(tr("id")),
        ])
        for item in items {
            table.add([
                Sentence.Changes.noun(item.kind),
                item.name.isEmpty ? Sentence.Memory.untitled : item.name,
                item.space?.name ?? "", Sentence.Bin.parts(item.parts),
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
            \.spaces.restoreFromBin, id: name, options.filter, as: Sentence.Bin.restored)
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
