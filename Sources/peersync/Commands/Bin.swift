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
        let items = try await context.show(\.spaces.bin, options.filter) {
            rendered($0, width: context.output.width)
        }
        if !items.isEmpty { context.output.remark(Sentence.Bin.next) }
    }

    private func rendered(_ items: [BinItemView], width: Int?) -> String {
        guard !items.isEmpty else { return Sentence.Bin.empty }
        var table = Table([
            .text("what"), .text("name", shrinksTo: 12), .text("of", shrinksTo: 8), .text("with"),
            .text("deleted"), .text("by", shrinksTo: 6), .text("id"),
        ])
        for item in items {
            table.add([
                item.kind, item.name.isEmpty ? Sentence.Memory.untitled : item.name,
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
