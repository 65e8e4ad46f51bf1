import LocalAPI
import Records

/// What `peersync status` says of devices and trips: the same facts, the same words.
struct StatusCheck: HealthCheck {
    let check = HealthReport.Check.sync

    /// What checks of their own tell: the store, the clocks, the network.
    private static let toldElsewhere: Set<ProblemView.Kind> = [
        .storageFault, .clockHere, .clockThere, .changesAhead, .syncOff, .noAgent, .noNetwork,
        .noDiscovery,
    ]

    func run(_ examination: Examination) async throws -> [Problem] {
        guard let runtime = examination.open?.runtime, runtime.node.identity.card != nil else {
            return []
        }
        let found = try await StatusCheck.problems(of: runtime, examination) {
            !StatusCheck.toldElsewhere.contains($0)
        }
        guard found.isEmpty else { return found.map { Problem(check, $0) } }
        let facts = try await StatusService(runtime: runtime).facts()
        let headLine = StatusWords(runtime.node).headLine(StatusVerdict(facts), of: facts)
        return [Problem(check, .ok, Sentence.Health.syncStands(headLine))]
    }

    static func problems(
        of runtime: AgentRuntime, _ examination: Examination,
        where isMeant: (ProblemView.Kind) -> Bool
    ) async throws -> [ProblemView] {
        let verdict = StatusVerdict(try await StatusService(runtime: runtime).facts())
        let words = StatusWords(runtime.node, isMasked: examination.isMasked)
        return verdict.problems.filter { isMeant($0.kind) }.map { words.view(of: $0) }
    }
}

extension Problem {
    init(_ check: HealthReport.Check, _ problem: ProblemView) {
        let severity: HealthReport.Severity =
            problem.kind == .lostFiles ? .error : problem.urgent ? .warning : .note
        self.init(check, severity, Sentence.Health.Words(problem.sentence, problem.remedy))
    }
}
