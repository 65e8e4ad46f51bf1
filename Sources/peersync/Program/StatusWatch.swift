internal import LocalAPI

/// Shows the status until it is stopped, anew whenever something moves: on a terminal in place, as
/// lines elsewhere, with `--json` a line of JSON for each change of what moves.
struct StatusWatch {
    let context: CommandContext

    func run() async throws {
        do {
            try await context.withService { service in
                var revision = -1
                while true {
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
            // Ctrl-C is how it ends.
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

    /// Also when nothing moves, "2 minutes ago" has to become 3.
    private static let waitSeconds = 5
}
