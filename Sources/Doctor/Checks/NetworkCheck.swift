import LocalAPI
import Records
import Status

/// The checks of `peersync doctor network`, while an agent runs.
struct NetworkCheck: HealthCheck {
    let check = HealthReport.Check.network

    func run(_ examination: Examination) async throws -> [Problem] {
        guard let status = examination.open?.agent?.status, status.isLongRunning else {
            return [
                Problem(
                    check, .note,
                    Words(
                        "No agent runs here, so the network was not checked.",
                        "peersync doctor network"))
            ]
        }
        let off = try await status.problems(isMasked: examination.isMasked) { $0 == .syncOff }
        guard off.isEmpty else { return off.map { Problem(check, $0) } }
        // StatusCheck reports the devices that refuse.
        let report = await status.doctorNetwork(
            isMasked: examination.isMasked, naming: false)
        return report.findings.compactMap { finding in
            let severity: HealthReport.Severity
            switch finding.level {
            case .ok: severity = .ok
            case .note: severity = .note
            case .problem: severity = .warning
            case .skipped: return nil
            }
            return Problem(
                check, severity, Words(verbatim: finding.sentence, finding.remedy))
        }
    }
}
