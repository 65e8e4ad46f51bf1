internal import Agent
package import ArgumentParser
internal import Glibc
internal import LocalAPI

/// The command `peersync`: without a subcommand, the status or the first step to take.
@main
package struct Peersync: AsyncParsableCommand {
    package static let configuration = {
        var configuration = CommandConfiguration(
            "peersync",
            "Keeps trips, photos and notes the same on all your devices, without a server.",
            examples: ["peersync init", "peersync pair", "peersync trip create \"Arezzo 2008\""],
            remarks: """
                Without a command it shows the status, or how to get started. TRIP, MEMORY, DEVICE and \
                PERSON are names or the first letters of an id; quote names with spaces.

                Exit codes: 0 done, 1 failed, 3 some devices unreachable, 64 wrong usage.
                """)
        configuration.groupedSubcommands = [
            CommandGroup(
                name: tr("Setting up"),
                subcommands: [
                    Initialise.command, Run.command, Service.self, Pair.command, Join.command,
                    DeviceFamily.self, Person.self, Recovery.self, Backup.self, Restore.command,
                    Config.self,
                ]),
            CommandGroup(
                name: tr("Trips and memories"),
                subcommands: [
                    Trip.self, Memory.self, Media.self, Tag.self, Bucket.self, Bin.self, Vault.self,
                ]),
            CommandGroup(
                name: tr("Spaces of any schema"),
                subcommands: [
                    Space.self, Record.self, SchemaFamily.self, DataSet.self, Search.command,
                ]),
            CommandGroup(
                name: tr("Sync", context: "group of commands"),
                subcommands: [
                    Status.command, Log.command, History.self, Undo.command, Redo.command,
                    Sync.command, Why.command, Conflicts.command,
                    Orphans.self, Digest.command, Doctor.command,
                ]),
        ]
        return configuration
    }()

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    package init() {}

    package func run() async throws {
        try await Status.show(in: CommandContext(global))
    }

    static func main() async {
        // A umask that removes the owner's rights would lock the program out of its own files.
        _ = umask(umask(0) & 0o077)
        if let code = AgentProgram.runAsChild(CommandLine.arguments) { Glibc.exit(code) }
        // Writing to a closed pipe fails, and does not end the program.
        _ = signal(SIGPIPE, SIG_IGN)
        let arguments = ShellArguments(ShellArguments.ofThisProcess)
        Language.speak(Language(arguments: arguments.text))
        let code = await CommandRunner(arguments.text).run()
        arguments.removeLinks()
        Glibc.exit(code)
    }
}
