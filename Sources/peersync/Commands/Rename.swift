internal import ArgumentParser
internal import LocalAPI

/// What this device is called.
struct DeviceRename: PeersyncCommand {
    static let configuration = CommandConfiguration("rename", .deviceRename)

    @Argument(help: ArgumentHelp(OptionHelp.newName, valueName: "name")) var name: String

    func run(in context: CommandContext) async throws {
        let view = try await context.show(
            \.devices.rename, NameDraft(name: name), as: Sentence.Naming.renamed)
        context.output.remark(Sentence.Naming.next(view))
    }
}

/// Groups the commands about who one is.
struct Person: ParsableCommand {
    static let configuration = CommandConfiguration(
        "person", .person, subcommands: [PersonRename.command])
}

struct PersonRename: PeersyncCommand {
    static let configuration = CommandConfiguration("rename", .personRename)

    @Argument(help: ArgumentHelp(OptionHelp.newName, valueName: "name")) var name: String

    func run(in context: CommandContext) async throws {
        let view = try await context.show(
            \.devices.renamePerson, NameDraft(name: name), as: Sentence.Naming.renamed)
        context.output.remark(Sentence.Naming.next(view))
    }
}
