package import ArgumentParser
package import LocalAPI

/// What every command understands.
package struct GlobalOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(OptionHelp.json)) package var json = false

    @Option(help: ArgumentHelp(OptionHelp.home, valueName: "dir"), completion: .directory) package
        var home: String?

    @Option(help: ArgumentHelp(OptionHelp.language, valueName: "en|de")) package var language:
        Language?

    @Flag(help: ArgumentHelp(OptionHelp.yes)) package var yes = false

    package init() {}
}

extension Language: ExpressibleByArgument {
    package init?(argument: String) { self.init(tag: argument) }

    package static var allValueStrings: [String] { allCases.map { String($0.rawValue.prefix(2)) } }
}
