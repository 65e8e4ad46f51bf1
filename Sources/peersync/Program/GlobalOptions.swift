internal import ArgumentParser
internal import LocalAPI

/// What every command understands.
struct GlobalOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(OptionHelp.json)) var json = false

    @Option(help: ArgumentHelp(OptionHelp.home, valueName: "dir")) var home: String?

    @Flag(help: ArgumentHelp(OptionHelp.yes)) var yes = false
}
