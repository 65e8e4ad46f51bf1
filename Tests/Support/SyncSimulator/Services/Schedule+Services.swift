internal import TestKit

extension Schedule {
    /// Trips of two busy people, who then use these services of the program.
    package static func busy(
        _ seed: UInt64, asking kinds: [Step.Kind], trips: Int = 1
    ) -> Schedule {
        var random = SeededGenerator(seed: seed ^ 0x6275_7379)
        func step(_ kind: Step.Kind, _ actor: Int, _ other: Int = 0, _ amount: UInt64 = 0) -> Step {
            Step(kind, actor, other, amount, salt: random.next())
        }
        var steps: [Step] = []
        for _ in 0..<trips { steps.append(step(.found, 0)) }
        // A random one is granted.
        for _ in 0..<(trips > 1 ? 3 * trips : 1) { steps.append(step(.grant, 0, 1)) }
        steps.append(step(.pass, 0, 0, 3_500))
        for _ in 0..<4 {
            for _ in 0..<3 { steps += [step(.write, 0), step(.write, 1)] }
            steps += [step(.pass, 0, 0, 300)]
            for kind in kinds { steps.append(step(kind, random.index(below: 2))) }
        }
        return Schedule(seed: seed, owners: [0, 1], skews: [100, -200], latency: 5, steps: steps)
    }
}
