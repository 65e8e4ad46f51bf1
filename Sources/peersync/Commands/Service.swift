internal import Agent
internal import ArgumentParser
import Device
internal import LocalAPI

/// Groups the commands about the agent as a systemd user service.
struct Service: ParsableCommand {
    static let configuration = CommandConfiguration(
        "service", "Keep the agent running in the background, as a systemd user service.",
        examples: ["peersync service install", "peersync service status"],
        subcommands: [
            ServiceInstall.command, ServiceRemove.command, ServiceStatus.command,
            ServiceLogs.command,
        ])
}

struct ServiceInstall: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "install", "Start the agent now and with each of your sessions.",
        examples: ["peersync service install"],
        remarks: """
            It needs no root. The service uses the same data as your commands, also with --home. \
            Without lingering it runs while you are logged in; 'loginctl enable-linger' keeps it \
            running from the start of the computer.

            The device's keys may come from systemd's credential store: move device.key out of the \
            data folder, and add with 'systemctl --user edit peersync':

              [Service]
              LoadCredential=device.key:/path/to/device.key
            """)

    func run(in context: CommandContext) async throws {
        let home = try context.home()
        guard home.isInitialised else { throw APIError.notInitialised }
        let view = try await ServiceControl.open().install(home)
        try context.output.result(view) { view in
            tr(
                """
                The service runs. peersync now starts with your session and syncs in the background.
                  program  \(Printable.line(view.program ?? ""))
                  data     \(Printable.line(view.home))
                """) + "\n"
                + lingering(view.lingering)
        }
    }
}

struct ServiceRemove: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "remove", "Stop the agent and do not start it by itself any more.",
        examples: ["peersync service remove"],
        remarks: "Your data stays. Only files written by 'peersync service install' are deleted.")

    func run(in context: CommandContext) async throws {
        let removal = try await ServiceControl.open().remove(context.home())
        try context.output.result(removal, describe: removed)
    }
}

struct ServiceStatus: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "status", "Show whether the service runs, and why it failed.",
        examples: ["peersync service status", "peersync service status --json"])

    func run(in context: CommandContext) async throws {
        let view = try await ServiceControl.open().status(context.home())
        try context.output.result(view) { ServiceText.rendered($0, width: context.output.width) }
    }
}

struct ServiceLogs: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "logs", "Show what the service said.",
        examples: [
            "peersync service logs", "peersync service logs --follow",
            tr("peersync service logs --level warning --since yesterday"),
        ])

    @Flag(help: .tr("Keep showing new lines until Ctrl-C."))
    var follow = false

    @Option(help: .tr("Show at most this many, the latest.", valueName: "number"))
    var lines = 100

    @Option(
        help: .tr("Only this level and above: debug, info, warning or error.", valueName: "level"))
    var level: LogLevel?

    @Option(
        help: .tr("Only from this day or time on.", valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().start(typed) } })
    var since: Moment?

    func validate() throws {
        guard lines >= 0 else {
            throw ValidationError(tr("The number of lines cannot be negative."))
        }
    }

    func run(in context: CommandContext) async throws {
        var query = ServiceJournal.Query(lines: lines)
        (query.follows, query.level, query.since) = (follow, level, since)
        query.json = context.output.json
        do {
            let journal = ServiceJournal()
            try await journal.show(query)
            if !follow, try await journal.isEmpty(query) {
                context.output.remark(tr("The journal has no such lines of the service."))
            }
        } catch is CancellationError where follow {
            // Ctrl-C is the normal end.
        }
    }
}

private func lingering(_ isOn: Bool) -> String {
    isOn
        ? tr(
            """
            Lingering is on: the service also runs while you are logged out, from the start of \
            the computer.
            """)
        : tr(
            """
            Lingering is off: the service ends when you log out and starts when you log in. \
            To keep it running, from the start of the computer: loginctl enable-linger
            """)
}

private func removed(_ removal: ServiceRemoval) -> String {
    let done =
        removal.removed
        ? tr("The service is stopped and removed.") : tr("The service was not installed.")
    let left = removal.unitFileLeft.map { tr("The unit file \($0) stays: you wrote it.") }
    let data =
        tr(
            "Your data stays in \(Printable.line(removal.home)). To sync again: peersync run"
        )
    return [done, left, data].compactMap(\.self).joined(separator: "\n")
}
