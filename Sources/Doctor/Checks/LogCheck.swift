import Device
internal import Identity
import LocalAPI
import Node
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
        let damage = try examination.open?.store.stranded.damage()
        let notes =
            try await dismissed(damage) + notes(examination, damage?.reported)
            + doubleLives(examination)
        guard verdict.faults > 0 else {
            let many = Sentence.count(verdict.commits, "change", "changes")
            let logs = Sentence.count(verdict.logs, "log", "logs")
            let words = Words("\(many) in \(logs) verified, each signature too.")
            return [Problem(check, .ok, words)] + notes
        }
        let faults = verdict.first.sorted { $0.key.rawValue < $1.key.rawValue }
        return notes
            + faults.map { kind, fault in
                let words = self.words(
                    kind, number: verdict.counts[kind] ?? 1,
                    device: examination.name(of: fault.log.device))
                guard kind == .wrongJudgement, let store = examination.open?.store else {
                    return Problem(
                        check, .error, words, isRepairedLater: true,
                        repair: examination.open?.rebuilding)
                }
                return Problem(check, .error, words) {
                    try await ShownCheck.remake(store)
                }
            }
    }

    /// The notes that status shows while an agent runs.
    private func notes(
        _ examination: Examination, _ damage: StoredDamage?
    ) async throws -> [Problem] {
        guard examination.open?.agent == nil else { return [] }
        let database = examination.database
        let orphans = try await Examination.blocking { try database.orphanCounts() }
        let untold = orphans.filter { $0.reason == .branch }.map(\.untold).reduce(0, +)
        var notes: [Problem] = []
        if untold > 0 {
            let words = Sentence.Problem.orphans(untold, .branch, in: nil, recoverable: true)
            notes.append(
                Problem(check, .note, Words(words.message, words.advice)))
        }
        if let lost = damage?.changes, !lost.isEmpty {
            let words = Sentence.Damage.changes(
                lost.reduce(0) { $0 + $1.count },
                on: Set(lost.flatMap(\.holders)).map { examination.name(of: $0) }.sorted(),
                isComing: false)
            notes.append(
                Problem(check, .warning, Words(words.message, words.advice)))
        }
        return notes
    }

    /// Losses that this person dismissed.
    private func dismissed(_ damage: StoredDamage?) -> [Problem] {
        guard let damage else { return [] }
        let changes = damage.changes.filter(\.isDismissed).reduce(0) { $0 + $1.count }
        let trips = damage.dismissedSpaces.count
        guard changes > 0 || trips > 0 else { return [] }
        return [
            Problem(check, .note, Sentence.Damage.dismissed(changes: changes, trips: trips))
        ]
    }

    /// Devices whose data was copied, or restored from a backup.
    private func doubleLives(_ examination: Examination) async throws -> [Problem] {
        let database = examination.database
        let own = try examination.ownDevice()
        // Within the same time status tells that two run.
        let now = (examination.open?.clock ?? AgentClock()).wall
        let since = now.value - min(now.value, Limits.displacementsMilliseconds)
        let (forked, isTwice) = try await Examination.blocking {
            (
                try database.forkedDevices(),
                try own.map { try database.writesElsewhere($0, since: Milliseconds(since)) }
                    ?? false
            )
        }
        var notes: [Problem] = []
        if isTwice {
            let words = Words(
                """
                This device writes in two places at a time: its data folder was copied, and both copies are \
                used. For everybody else they are one device, so the two take turns. Nothing is lost.
                """, Remedy.useOne)
            notes.append(Problem(check, .warning, words))
        }
        for (device, changes) in forked.sorted(by: { $0.key < $1.key }) {
            let name = device == own ? nil : examination.name(of: device)
            let words = self.forked(name, orphans: changes)
            notes.append(Problem(check, .note, words))
        }
        return notes
    }

    /// `device` is nil for this one.
    private func forked(_ device: String?, orphans: Int) -> Words {
        let who = device.map { Sentence.plain($0) } ?? tr("This device")
        let rest =
            orphans == 0
            ? tr("All of that was brought back.")
            : tr(
                orphans,
                """
                Which of the two was meant nobody can say, so \(orphans) change of both does not \
                count.
                """,
                """
                Which of the two was meant nobody can say, so \(orphans) changes of both do not \
                count.
                """)
        return Words(
            """
            \(who) wrote twice from one state: its data was put back from an older copy, or copied, \
            without it noticing, after others had heard more. \(rest) It goes on in a new log.
            """,
            orphans == 0 ? nil : "Look: peersync orphans; bring back: peersync orphans recover")
    }

    private func words(_ fault: LogFault.Kind, number: Int, device: String) -> Words {
        let many = Sentence.count(number, "change", "changes")
        let first = tr("first one by \(Sentence.plain(device))")
        switch fault {
        case .unreadable:
            return Words("\(many) cannot be read, \(first).", Remedy.damagedDatabase)
        case .otherHeader:
            return Words("\(many) are not what they were, \(first).", Remedy.damagedDatabase)
        case .badSignature:
            return Words(
                "The signature of \(many) does not hold, \(first).", Remedy.damagedDatabase)
        case .brokenChain:
            return Words(
                "\(many) do not follow the one before, \(first).", Remedy.damagedDatabase)
        case .wrongNote:
            return Words(
                "What is noted beside \(many) is not what they say, \(first).",
                Remedy.damagedDatabase)
        case .wrongHead:
            return Words(
                "The end of \(Sentence.count(number, "log", "logs")) is not noted rightly, \(first).",
                Remedy.damagedDatabase)
        case .wrongJudgement:
            return Words(
                "\(many) are shown or hidden against what membership says, \(first).",
                Remedy.repair)
        }
    }
}
