internal import ArgumentParser
internal import LocalAPI

/// Shows one record whole, or saves a file of it.
struct RecordGet: PeersyncCommand {
    static let configuration = CommandConfiguration("get", .recordGet)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.record, valueName: "record")) var record: String

    @Option(help: ArgumentHelp(OptionHelp.saveField, valueName: "field")) var save: String?

    @Option(help: ArgumentHelp(OptionHelp.to, valueName: "path")) var to: String = "."

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        guard let save else {
            let (shown, collection) = try await context.withService { service in
                let shown = try await service.call(\.records.show, id: record, target.scope)
                let schema = try await service.call(\.spaces.schema, id: target.space)
                return (shown, schema.collection(target.collection))
            }
            return try context.output.result(shown) {
                RecordDetails.rendered($0, of: collection, width: context.output.width)
            }
        }
        let export = RecordExport(
            space: target.space, collection: target.collection, field: save,
            path: InputPath.absolute(to))
        let saved = try await context.call(\.records.export, id: record, export)
        try context.output.result(saved, describe: Sentence.Memory.exported)
    }
}
