import Device
import LocalAPI
import Records
import Status
import Store
import SyncCore

/// The clocks of this device and the others agree, and no change is dated in the future.
struct ClockCheck: HealthCheck {
    let check = HealthReport.Check.clock

    func run(_ examination: Examination) async throws -> [Problem] {
        guard let open = examination.open else { return [] }
        guard let agent = open.agent else {
            return try ahead(open, examination)
                + [
                    Problem(
                        check, .note,
                        Words(
                            "No agent runs here, so the clocks of other devices are not known.",
                            Sentence.startAgent))
                ]
        }
        let wrong = try await agent.status
            .problems(isMasked: examination.isMasked) { $0.check == check }
        guard wrong.isEmpty else { return wrong.map { Problem(check, $0) } }
        return [Problem(check, .ok, Words("No other device's clock is far from this one's."))]
    }

    /// The problems that an agent's status would report for changes dated in the future.
    private func ahead(_ open: OpenStore, _ examination: Examination) throws -> [Problem] {
        let now = open.clock.wall
        var found: [DeviceID: ChangesAhead] = [:]
        for space in open.store.ledgers.keys {
            found.merge(try open.store.log.changesAhead(in: space, now: now)) { $0 + $1 }
        }
        let others = Set(
            try open.store.devices.all().filter { $0.forgottenAt == nil }.map(\.device))
        let those = found.filter { others.contains($0.key) }
        // Without an agent no other clock is known that could contradict this.
        if AheadFacts.areOfThisClock(Set(those.keys), among: others.count) {
            let latest = those.values.map(\.latest.milliseconds).max() ?? now.value
            let words = Sentence.Problem.clockBehind(
                those.count, Int(clamping: (latest - now.value) / 1000))
            return [Problem(check, .warning, Words(words.message, words.advice))]
        }
        return found.sorted { $0.key < $1.key }.map { device, changes in
            let words = Sentence.Problem.changesAhead(
                changes.count, of: examination.name(of: device),
                Int(clamping: (changes.latest.milliseconds - now.value) / 1000), isRedatable: true)
            return Problem(check, .warning, Words(words.message, words.advice))
        }
    }
}
