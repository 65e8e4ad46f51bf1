internal import Identity
import LocalAPI
import Store
import SyncCore

/// Verifies every commit again: its content, signature, position and whether it counts.
struct LogCheck: HealthCheck {
    let check = HealthReport.Check.log

    func run(_ examination: Examination) async throws -> [Problem] {
        let database = examination.database
        let verdict = try await Examination.blocking {
            try database.verifyLogs(progress: examination.progress)
        }
        let notes = try await notes(examination) + doubleLives(examination)
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
                    return Problem(check, .error, words, repair: examination.open?.makingAnew)
                }
                return Problem(check, .error, words) {
                    try await ShownCheck.remake(store)
                    return Sentence.Health.shownRemade
                }
            }
    }

    /// The notes that status shows while an agent runs.
    private func notes(_ examination: Examination) async throws -> [Problem] {
        guard examination.open?.runtime == nil else { return [] }
        let database = examination.database
        let orphans = try await Examination.blocking { try database.orphanCounts() }
        let untold = orphans.filter { $0.reason == .branch }.map(\.untold).reduce(0, +)
        var notes: [Problem] = []
        if untold > 0 {
            let words = Sentence.Problem.orphans(untold, .branch, in: nil, recoverable: true)
            notes.append(
                Problem(check, .note, Words(words.message, words.advice)))
        }
        let lost = try examination.open?.store.stranded.lostChanges() ?? []
        if !lost.isEmpty {
            let words = Sentence.Damage.changes(
                lost.reduce(0) { $0 + $1.count },
                on: Set(lost.flatMap(\.holders)).map { examination.name(of: $0) }.sorted(),
                isComing: false)
            notes.append(
                Problem(check, .warning, Words(words.message, words.advice)))
        }
        return notes
    }

    /// Devices whose data was copied, or restored from a backup.
    private func doubleLives(_ examination: Examination) async throws -> [Problem] {
        let database = examination.database
        let own = try examination.ownDevice()
        let (forked, isTwice) = try await Examination.blocking {
            (
                try database.forkedDevices(),
                try own.map { try database.writesElsewhere($0) } ?? false
            )
        }
        var notes: [Problem] = []
        if isTwice { notes.append(Problem(check, .warning, Sentence.Health.runsTwice)) }
        for (device, changes) in forked.sorted(by: { $0.key < $1.key }) {
            let name = device == own ? nil : examination.name(of: device)
            let words = Sentence.Health.forked(name, orphans: changes)
            notes.append(Problem(check, .note, words))
        }
        return notes
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
