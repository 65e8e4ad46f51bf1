internal import ArgumentParser
internal import LocalAPI

/// Names every mistake in a schema file.
struct SchemaCheck: PeersyncCommand {
    static let configuration = CommandConfiguration("check", .schemaCheck)

    @Argument(help: ArgumentHelp(OptionHelp.schemaFile, valueName: "file")) var file: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let mistakes = AgentLink.mistakes(inSchema: try SchemaFile.bytes(of: file))
        try context.output.result(mistakes) { mistakes in
            mistakes.map { mistake in
                let place = mistake.path.isEmpty ? "" : " \(mistake.path):"
                return Printable.line("\(file):\(mistake.line):\(place) \(mistake.reason)")
            }.joined(separator: "\n")
                + (mistakes.isEmpty ? Sentence.Record.noMistake : "")
        }
        guard mistakes.isEmpty else {
            context.output.remark(Sentence.Record.mistakes(mistakes.count))
            throw ExitCode(1)
        }
    }
}
