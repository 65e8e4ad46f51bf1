import Device
import LocalAPI
import Records
import Status

/// The problems of devices and trips that `peersync status` shows: same facts, same texts. Those of the
/// store, the clocks, the network and missing files have checks of their own.
struct StatusCheck: HealthCheck {
    let check = HealthReport.Check.sync

    func run(_ examination: Examination) async throws -> [Problem] {
        guard let agent = examination.open?.agent, agent.node.identity.card != nil else {
            return []
        }
        let facts = try await agent.status.facts()
        let verdict = StatusVerdict(facts)
        let words = StatusWords(agent.node, isMasked: examination.isMasked)
        let found = verdict.problems.filter { $0.check == check }
        guard found.isEmpty else { return found.map { Problem(check, words.view(of: $0)) } }
        return [Problem(check, .ok, Words("Status says: \(words.headLine(verdict, of: facts))."))]
    }
}

extension Problem {
    init(_ check: HealthReport.Check, _ problem: ProblemView) {
        let severity: HealthReport.Severity =
            problem.kind == .lostFiles ? .error : problem.urgent ? .warning : .note
        self.init(
            check, severity, Words(verbatim: problem.sentence, problem.remedy))
    }
}
