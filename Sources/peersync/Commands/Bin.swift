internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about what was deleted.
struct Bin: ParsableCommand {
    static let configuration = CommandConfiguration(
        "bin", .bin, subcommands: [BinList.command, BinRestore.command],
        otherwise: BinList.command)
}

struct BinList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .binList)

    @OptionGroup var options: BinOptions

    func run(in context: CommandContext) async throws {
        let items = try await context.call(\.spaces.bin, options.filter)
        let empty = items.isEmpty ? try await nothing(context) : ""
        try context.output.result(items) {
            $0.isEmpty ? empty : rendered($0, width: context.output.width)
        }
        if !items.isEmpty { context.output.remark(Sentence.Bin.next) }
    }

    private func nothing(_ context: CommandContext) async throws -> String {
        guard !options.all else { return Sentence.Bin.emptyOfAll }
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
    static let configuration = CommandConfiguration("restore", .binRestore)

    @Argument(help: ArgumentHelp(OptionHelp.deletedThing, valueName: "name")) var name: String

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
        help: ArgumentHelp(OptionHelp.binSpace, valueName: "space"), completion: .names(of: .space))
    var space: String?

    @Flag(help: ArgumentHelp(OptionHelp.binAll)) var all = false

    var filter: BinFilter { BinFilter(space: space, all: all) }
}
