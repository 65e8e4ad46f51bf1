package import Device
import Foundation
internal import Identity
package import LocalAPI
import Records
import Status
import Store
import SyncCore

/// Collects the data for a bug report, without any private data.
package struct Diagnostics: Sendable {
    private let home: AgentHome
    /// Nil if no agent runs.
    private let agent: RunningAgent?

    package init(of home: AgentHome, _ agent: RunningAgent?) {
        (self.home, self.agent) = (home, agent)
    }

    package func view() async throws -> DiagnosticsView {
        let home = home
        let figures = try await Examination.blocking {
            try Examination(of: home, nil, isMasked: true) { _, _ in }.database.figures()
        }
        let status = try await status()
        return DiagnosticsView(
            made: Moment(AgentClock().wall), program: program(figures),
            counts: figures.counts, records: figures.records, network: status?.network,
            syncEnabled: status?.syncEnabled, devices: try status.map(devices) ?? [], log: lines)
    }

    /// The status, if an agent runs and its device belongs to a person.
    private func status() async throws -> StatusView? {
        guard let agent, agent.node.identity.card != nil else { return nil }
        return try await agent.status.status()
    }

    private func program(_ figures: StoreFigures) -> DiagnosticsView.Program {
        DiagnosticsView.Program(
            version: ProgramVersion.text, apiVersion: ProgramVersion.api,
            protocolVersion: Int(Limits.protocolVersion), system: Diagnostics.system,
            kernel: Diagnostics.kernel, sqlite: figures.sqliteVersion, storeFormat: figures.format,
            uptimeSeconds: agent.map {
                Int((ContinuousClock.now - $0.startedAt).components.seconds)
            })
    }

    private func devices(_ status: StatusView) throws -> [DiagnosticsView.Device] {
        let skews = try agent?.node.knownDevices().map { device in
            (DeviceIDText.text(of: device.card.device), device.clockSkewMilliseconds)
        }
        let known = Dictionary(skews ?? []) { first, _ in first }
        return status.devices.map { device in
            DiagnosticsView.Device(
                id: device.shortID, mine: device.mine, paired: device.paired,
                connected: device.connected, state: device.state, lastSync: device.lastSync,
                waiting: device.waiting, clockSkewMilliseconds: known[device.id] ?? nil)
        }
    }

    /// The latest log lines, with addresses masked; no line contains names.
    private var lines: [String] {
        let mask = ReportMask(home)
        return (agent?.logLines() ?? []).map { mask.text($0) }
    }

    /// The system's own name (os-release(5)).
    private static var system: String {
        let path = "/etc/os-release"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return "" }
        let line = text.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        return line.map { String($0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" }) } ?? ""
    }

    private static var kernel: String {
        let path = "/proc/sys/kernel/osrelease"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return "" }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
