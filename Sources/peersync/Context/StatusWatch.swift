internal import LocalAPI

/// Shows the status until it is stopped, again after each transfer: on a terminal in place,
/// elsewhere as lines, with `--json` as a line of JSON for each change of the transfers.
struct StatusWatch {
    let context: CommandContext

    func run() async throws {
        do {
            try await context.withService { service in
                var revision = -1
                while context.output.isOpen {
                    let activity = try await service.call(
                        \.sync.activity,
                        RevisionPoll(knownRevision: revision, waitSeconds: Self.waitSeconds))
                    let isNew = activity.revision != revision
                    revision = activity.revision
                    try await show(activity, isNew: isNew, service)
                    try await Task.sleep(for: pause)
                }
            }
        } catch is CancellationError {
            // Ctrl-C is the normal end.
        }
    }

    private func show(
        _ activity: ActivityView, isNew: Bool, _ service: any AgentService
    ) async throws {
        let output = context.output
        if output.json {
            if isNew { try output.event(activity) }
        } else if output.terminal.outputIsTerminal {
            let status = try await service.call(\.agent.status)
            let report = StatusReport.rendered(status, width: output.width)
            output.page([report, StatusReport.moving(activity)].joined(separator: "\n\n"))
        } else if isNew {
            output.say(StatusReport.moving(activity))
        }
    }

    private var pause: Duration {
        context.output.terminal.outputIsTerminal ? .milliseconds(500) : .seconds(3)
    }

    /// Even without a transfer, "2 minutes ago" must become 3.
    private static let waitSeconds = 5
}
