import Device
import Foundation
internal import Identity
import LocalAPI
import Records
import Store
import SyncCore

/// Collects the data for a bug report, without any private data.
struct Diagnostics: Sendable {
    let home: AgentHome
    /// Nil if no agent runs.
    let runtime: AgentRuntime?

    func view() async throws -> DiagnosticsView {
        let home = home
        let figures = try await Examination.blocking {
            try Examination(of: home, nil, isMasked: true) { _, _ in }.database.figures()
        }
        let status = try await runtime.flatmapStatus()
        return DiagnosticsView(
            made: Moment(AgentClock().wall), program: program(figures),
            counts: figures.counts, records: figures.records, network: status?.network,
            syncEnabled: status?.syncEnabled, devices: try status.map(devices) ?? [], log: lines)
    }

    private func program(_ figures: StoreFigures) -> DiagnosticsView.Program {
        DiagnosticsView.Program(
            version: ProgramVersion.text, apiVersion: ProgramVersion.api,
            protocolVersion: Int(Limits.protocolVersion), system: Diagnostics.system,
            kernel: Diagnostics.kernel, sqlite: figures.sqliteVersion, storeFormat: figures.format,
            uptimeSeconds: runtime.map {
                Int((ContinuousClock.now - $0.startedAt).components.seconds)
            })
    }

    private func devices(_ status: StatusView) throws -> [DiagnosticsView.Device] {
        let skews = try runtime?.node.knownDevices().map { device in
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
        return (runtime?.start.log?.recent ?? []).map { mask.text($0.masked.text(in: .gmt)) }
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

extension AgentRuntime? {
    /// The status, if an agent runs and its device belongs to a person.
    fileprivate func flatmapStatus() async throws -> StatusView? {
        guard let self, self.node.identity.card != nil else { return nil }
        return try await StatusService(runtime: self).status()
    }
}

extension LogLine {
    /// The same line without host names and public addresses.
    fileprivate var masked: LogLine {
        LogLine(
            time: time, level: level, phase: phase, action: action, record: record,
            device: device, person: person,
            details: details.map { key, value in
                guard key == "address" else { return (key, value) }
                let host = ReportMask.host(ofAddress: value)
                return (key, host)
            })
    }
}
