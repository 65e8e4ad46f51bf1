internal import Agent
internal import ArgumentParser
import Device
internal import LocalAPI

/// Groups the commands about the agent as a systemd user service.
struct Service: ParsableCommand {
    static let configuration = CommandConfiguration(
        "service", .service,
        subcommands: [
            ServiceInstall.command, ServiceRemove.command, ServiceStatus.command,
            ServiceLogs.command,
        ])
}

struct ServiceInstall: PeersyncCommand {
    static let configuration = CommandConfiguration("install", .serviceInstall)

    func run(in context: CommandContext) async throws {
        let home = try context.home()
        guard home.isInitialised else { throw APIError.notInitialised }
        let view = try await ServiceControl.open().install(home)
        try context.output.result(view) { view in
            Sentence.Service.installed(view) + "\n"
                + Sentence.Service.lingering(view.lingering)
        }
    }
}

struct ServiceRemove: PeersyncCommand {
    static let configuration = CommandConfiguration("remove", .serviceRemove)

    func run(in context: CommandContext) async throws {
        let removal = try await ServiceControl.open().remove(context.home())
        try context.output.result(removal, describe: Sentence.Service.removed)
    }
}

struct ServiceStatus: PeersyncCommand {
    static let configuration = CommandConfiguration("status", .serviceStatus)

    func run(in context: CommandContext) async throws {
        let view = try await ServiceControl.open().status(context.home())
        try context.output.result(view) { ServiceText.rendered($0, width: context.output.width) }
    }
}

struct ServiceLogs: PeersyncCommand {
    static let configuration = CommandConfiguration("logs", .serviceLogs)

    @Flag(help: ArgumentHelp(OptionHelp.followLogs)) var follow = false

    @Option(help: ArgumentHelp(OptionHelp.logLines, valueName: "number")) var lines = 100

    @Option(help: ArgumentHelp(OptionHelp.logsLevel, valueName: "level")) var level: LogLevel?

    @Option(
        help: ArgumentHelp(OptionHelp.logsSince, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().start(typed) } })
    var since: Moment?

    func validate() throws {
        guard lines >= 0 else { throw ValidationError(OptionHelp.badLines) }
    }

    func run(in context: CommandContext) async throws {
        var query = ServiceJournal.Query(lines: lines)
        (query.follows, query.level, query.since) = (follow, level, since)
        query.json = context.output.json
        do {
            let journal = ServiceJournal()
            try await journal.show(query)
            if !follow, try await journal.isEmpty(query) {
                context.output.remark(Sentence.Service.noLines)
            }
        } catch is CancellationError where follow {
            // Ctrl-C is how it ends.
        }
    }
}
