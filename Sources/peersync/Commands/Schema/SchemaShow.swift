internal import ArgumentParser
internal import LocalAPI

/// Shows a schema, or lists those that are known.
struct SchemaShow: PeersyncCommand {
    static let configuration = CommandConfiguration("show", .schemaShow)

    @Argument(help: ArgumentHelp(OptionHelp.schemaName, valueName: "name")) var name: String?

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        guard let name else {
            let known = try await context.withService { try await $0.schemas() }
            return try context.output.result(known) {
                SchemaTable.rendered($0, width: context.output.width)
            }
        }
        let shown = try await context.withService { service in
            let known = try await service.schemas().last { $0.name == name }
            if let known { return known }
            return try await service.schema(ofSpace: name)
        }
        try context.output.result(shown) { Printable.paragraph($0.document) }
    }
}
