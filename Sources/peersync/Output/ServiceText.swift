package import LocalAPI

/// The output of `service status`.
package enum ServiceText {
    /// `width` in columns; nil for no limit.
    package static func rendered(_ view: ServiceView, width: Int?) -> String {
        let since = view.since.map { "\(Formatting.time($0)) (\(Formatting.ago($0)))" }
        let stateText = state(view, since: since)
        var lines = ["\(Style.bold(view.unit))  \(symbol(view)) \(stateText)"]
        if let failure = view.failure { lines += ["  " + failure.sentence, "  " + failure.remedy] }
        var table = Table([.text(""), .wrapping("", shrinksTo: 30)])
        table.add([tr("starts"), starts(view)])
        if let program = view.program { table.add([tr("program"), program]) }
        table.add([tr("data"), view.home])
        if let file = view.unitFile { table.add([tr("unit"), file]) }
        if view.installed { table.add([tr("restarts"), restarts(view.restarts)]) }
        let process = view.processID.map { tr(" (process \($0))") } ?? ""
        table.add([tr("agent"), answers(view) + process])
        if let text = view.statusText { table.add([tr("says"), text]) }
        lines.append(table.rendered(width: width, indent: 2))
        return lines.joined(separator: "\n")
    }

    private static func symbol(_ view: ServiceView) -> String {
        switch view.state {
        case .running: Symbols.of(view.agentAnswers ? SyncState.synced : .error)
        case .starting, .stopping: Symbols.of(SyncState.syncing)
        case .retrying, .failed: Symbols.of(SyncState.error)
        case .stopped: Symbols.of(SyncState.offline)
        }
    }

    private static func state(_ view: ServiceView, since: String?) -> String {
        let since = since.map { tr(" since \($0)") } ?? ""
        switch view.state {
        case .running: return tr("running\(since)")
        case .starting: return tr("starting\(since)")
        case .stopping: return tr("stopping\(since)")
        case .retrying: return tr("failed\(since), starts again in a moment")
        case .failed: return tr("failed\(since), does not start again by itself")
        case .stopped: return view.installed ? tr("stopped") : tr("not installed")
        }
    }

    private static func starts(_ view: ServiceView) -> String {
        guard view.installed else { return tr("never; install it: peersync service install") }
        guard view.enabled else {
            return tr("not by itself; change that: peersync service install")
        }
        return view.lingering
            ? tr("with the computer (lingering is on)")
            : tr("with your session (lingering is off: loginctl enable-linger)")
    }

    private static func restarts(_ number: Int) -> String {
        number == 0
            ? tr("none")
            : tr(
                "\(Sentence.count(number, "restart", "restarts")) after failures: peersync service logs"
            )
    }

    private static func answers(_ view: ServiceView) -> String {
        switch (view.agentAnswers, view.state) {
        case (true, .running): tr("answers")
        case (true, _): tr("answers, but is not this service: another 'peersync run'")
        case (false, .running): tr("does not answer; it is restarted if that lasts two minutes")
        case (false, _): tr("does not run")
        }
    }
}
