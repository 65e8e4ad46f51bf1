import LocalAPI
import Store
import SyncCore

/// This device's clock and the others' agree, and no change is dated in the future.
struct ClockCheck: HealthCheck {
    let check = HealthReport.Check.clock

    func run(_ examination: Examination) async throws -> [Ailment] {
        guard let patient = examination.patient else { return [] }
        var ailments = try ahead(patient, examination)
        guard let core = patient.runtime?.core else {
            return ailments + [Ailment(check, .note, Sentence.Health.clocksUnknown)]
        }
        var isAgreed = true
        for device in try core.knownDevices() {
            guard let skew = device.clockSkewMilliseconds,
                skew.magnitude > Limits.clockSkewMilliseconds
            else { continue }
            isAgreed = false
            let words = Sentence.Health.clockSkewed(
                device: examination.name(of: device.card.device), seconds: Int(skew / 1000))
            ailments.append(Ailment(check, .warning, words))
        }
        if isAgreed { ailments.append(Ailment(check, .ok, Sentence.Health.clocksAgree)) }
        return ailments
    }

    /// Such changes are applied and harm nothing, so they are a note.
    private func ahead(_ patient: Patient, _ examination: Examination) throws -> [Ailment] {
        let now = patient.clock.wall.value
        return try examination.database.latestClocks().sorted { $0.key < $1.key }
            .compactMap { device, clock in
                guard clock.milliseconds > now + Limits.clockSkewMilliseconds else { return nil }
                let words = Sentence.Health.changesAhead(
                    device: examination.name(of: device),
                    seconds: Int(clamping: (clock.milliseconds - now) / 1000))
                return Ailment(check, .note, words)
            }
    }
}
