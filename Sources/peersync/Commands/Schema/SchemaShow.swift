internal import ArgumentParser
internal import LocalAPI

/// Shows a schema, or lists those that are known.
struct SchemaShow: PeersyncCommand {
    static let configuration = CommandConfiguration("show", .schemaShow)

    @Argument(help: ArgumentHelp(OptionHelp.schemaName, valueName: "name")) var name: String?

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        guard let name else {
            let known = try await context.call(\.schemas.list)
            return try context.output.result(known) {
                SchemaTable.rendered($0, width: context.output.width)
            }
        }
        let shown = try await context.call(\.schemas.show, id: name)
        try context.output.result(shown) { Printable.paragraph($0.document) }
    }
}
