package import ArgumentParser
package import LocalAPI

/// The options of every command.
package struct GlobalOptions: ParsableArguments {
    @Flag(help: .tr("Print JSON, for other programs."))
    package var json = false

    @Option(
        help: .tr("Folder with all of peersync's data (or PEERSYNC_HOME).", valueName: "dir"),
        completion: .directory)
    package
        var home: String?

    @Option(help: .tr("Language of what is said (or LC_ALL, LANG).", valueName: "en|de"))
    package var language: Language?

    @Flag(help: .tr("Answer yes to every question."))
    package var yes = false

    package init() {}
}

extension Language: ExpressibleByArgument {
    package init?(argument: String) { self.init(tag: argument) }

    package static var allValueStrings: [String] { allCases.map { String($0.rawValue.prefix(2)) } }
}
