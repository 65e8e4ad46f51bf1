package import ArgumentParser
internal import LocalAPI

/// What every command understands.
package struct GlobalOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(OptionHelp.json)) package var json = false

    @Option(help: ArgumentHelp(OptionHelp.home, valueName: "dir"), completion: .directory) package
        var home: String?

    @Flag(help: ArgumentHelp(OptionHelp.yes)) package var yes = false

    package init() {}
}
