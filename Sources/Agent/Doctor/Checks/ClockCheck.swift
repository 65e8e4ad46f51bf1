import LocalAPI
import Records
import Store
import SyncCore

/// This device's clock and the others' agree, and no change is dated in the future.
struct ClockCheck: HealthCheck {
    let check = HealthReport.Check.clock

    func run(_ examination: Examination) async throws -> [Problem] {
        guard let open = examination.open else { return [] }
        var problems = try ahead(open, examination)
        guard let runtime = open.runtime else {
            return problems + [Problem(check, .note, Sentence.Health.clocksUnknown)]
        }
        let wrong = try await StatusCheck.problems(of: runtime, examination) {
            [.clockHere, .clockThere].contains($0)
        }
        problems += wrong.map { Problem(check, $0) }
        if wrong.isEmpty { problems.append(Problem(check, .ok, Sentence.Health.clocksAgree)) }
        return problems
    }

    /// Such changes are applied and harm nothing, so they are a note.
    private func ahead(_ open: OpenStore, _ examination: Examination) throws -> [Problem] {
        let now = open.clock.wall.value
        return try examination.database.latestClocks().sorted { $0.key < $1.key }
            .compactMap { device, clock in
                guard clock.milliseconds > now + Limits.clockSkewMilliseconds else { return nil }
                let words = Sentence.Health.changesAhead(
                    device: examination.name(of: device),
                    seconds: Int(clamping: (clock.milliseconds - now) / 1000))
                return Problem(check, .note, words)
            }
    }
}
