/// Reduces a failing schedule to steps that still fail in the same way.
package struct Shrinker: Sendable {
    private let simulation: Simulation
    /// How many runs it may take.
    private let limit: Int

    package init(_ simulation: Simulation, limit: Int = 300) {
        self.simulation = simulation
        self.limit = limit
    }

    /// The smallest schedule found that fails the same check.
    package func shrink(_ schedule: Schedule, failing check: String) -> Schedule {
        var best = schedule
        var runs = 0
        var length = max(1, best.steps.count / 2)
        while length >= 1, runs < limit {
            var start = 0
            var isSmaller = false
            while start < best.steps.count, runs < limit {
                var candidate = best
                let end = min(start + length, best.steps.count)
                candidate.steps.removeSubrange(start..<end)
                runs += 1
                if fails(candidate, check) {
                    best = candidate
                    isSmaller = true
                } else {
                    start += length
                }
            }
            if !isSmaller || length > 1 { length /= 2 }
        }
        return best
    }

    private func fails(_ schedule: Schedule, _ check: String) -> Bool {
        guard check != "determinism" else {
            return simulation.runTwice(schedule).check == check
        }
        return simulation.run(schedule).check == check
    }
}
