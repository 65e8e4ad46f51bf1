internal import Agent
internal import ArgumentParser
internal import Glibc
internal import LocalAPI

/// The command `peersync`: without a subcommand, the status or the first step to take.
@main
package struct Peersync: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "peersync", .peersync,
        groups: [
            CommandGroup(
                name: "Setting up",
                subcommands: [Initialise.self, Run.self, Pair.self, Join.self, Device.self]),
            CommandGroup(
                name: "Trips and memories",
                subcommands: [Trip.self, Memory.self, Media.self, Tag.self, Bucket.self]),
            CommandGroup(
                name: "Spaces of any schema",
                subcommands: [Space.self, Record.self, SchemaFamily.self]),
            CommandGroup(
                name: "Sync",
                subcommands: [
                    Status.self, Log.self, Sync.self, Why.self, Conflicts.self, Digest.self,
                    Doctor.self,
                ]),
        ])

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        try await StatusReport.show(in: context)
    }

    static func main() async {
        // A umask that takes bits from the owner would lock the program out of its own files.
        _ = umask(umask(0) & 0o077)
        if let code = AgentProgram.runAsChild(CommandLine.arguments) { Glibc.exit(code) }
        let arguments = Array(CommandLine.arguments.dropFirst())
        Glibc.exit(await CommandRunner(arguments: arguments).run())
    }
}
