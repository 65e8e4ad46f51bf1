internal import Identity
import LocalAPI
import Store
import SyncCore

/// Every commit verified again: what it says, who signed it, where it stands and whether it counts.
struct LogCheck: HealthCheck {
    let check = HealthReport.Check.log

    func run(_ examination: Examination) async throws -> [Problem] {
        let database = examination.database
        let verdict = try await Examination.blocking {
            try database.verifyLogs(progress: examination.progress)
        }
        // With an agent, status says it of each trip.
        let quarantined =
            examination.open?.runtime == nil
            ? try await Examination.blocking { try database.quarantined() } : 0
        let words = Sentence.Problem.quarantined(quarantined, in: nil)
        let notes =
            quarantined > 0
            ? [Problem(check, .note, Sentence.Health.Words(words.sentence, words.remedy))] : []
        guard verdict.faults > 0 else {
            let words = Sentence.Health.logSound(commits: verdict.commits, logs: verdict.logs)
            return [Problem(check, .ok, words)] + notes
        }
        let faults = verdict.first.sorted { $0.key.rawValue < $1.key.rawValue }
        return notes
            + faults.map { kind, fault in
                let words = Sentence.Health.logFault(
                    LogCheck.wording(kind), number: verdict.counts[kind] ?? 1,
                    device: examination.name(of: fault.log.device))
                guard kind == .wrongJudgement, let store = examination.open?.store else {
                    return Problem(check, .error, words)
                }
                return Problem(check, .error, words) {
                    try await ShownCheck.remake(store)
                    return Sentence.Health.shownRemade
                }
            }
    }

    private static func wording(_ kind: LogFault.Kind) -> Sentence.Health.LogFault {
        switch kind {
        case .unreadable: .unreadable
        case .otherHeader: .otherHeader
        case .badSignature: .badSignature
        case .brokenChain: .brokenChain
        case .wrongNote: .wrongNote
        case .wrongJudgement: .wrongJudgement
        case .wrongHead: .wrongHead
        }
    }
}
