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
        guard let node = open.runtime?.node else {
            return problems + [Problem(check, .note, Sentence.Health.clocksUnknown)]
        }
        var isAgreed = true
        for device in try node.knownDevices() {
            guard let skew = device.clockSkewMilliseconds,
                skew.magnitude > Limits.clockSkewMilliseconds
            else { continue }
            isAgreed = false
            let words = Sentence.Health.clockSkewed(
                device: examination.name(of: device.card.device), seconds: Int(skew / 1000))
            problems.append(Problem(check, .warning, words))
        }
        if isAgreed { problems.append(Problem(check, .ok, Sentence.Health.clocksAgree)) }
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
