import SyncSimulator
import Testing

/// Many devices in one trip.
@Suite("Simulated crowds", .serialized)
struct CrowdTests {
    @Test("an edit is everywhere soon, seldom arrives twice, and costs each device little")
    func edits() {
        // given
        let size = Int(Wanted.number("PEERSYNC_CROWD") ?? 120)
        let seed = Wanted.firstSeed
        var run = CrowdRun(size: size, seed: seed)
        // when
        let figures = run.run(edits: 8)
        // then
        print("         \(size) devices, seed \(seed): \(figures.summary)")
        #expect(figures.violations.isEmpty, "\(figures.violations.prefix(3))")
        #expect(figures.arrivals.max() ?? .max <= 5_000)
        #expect(figures.mostCopies <= 3)
        #expect(figures.bytes.max() ?? .max <= 20_000)
        #expect(figures.healing <= 30_000)
    }
}

extension CrowdRun.Figures {
    /// For the table in Architecture.md.
    var summary: String {
        let seconds = arrivals.sorted().map { Double($0) / 1000 }
        let unrest = unrestArrivals.sorted().map { Double($0) / 1000 }
        let mean = bytes.reduce(0, +) / max(1, bytes.count)
        let sent = messages.reduce(0, +) / max(1, messages.count)
        return """
            an edit everywhere after \(seconds[seconds.count / 2]) s (at most \(seconds.last ?? 0)), \
            among devices that come and go \(unrest[unrest.count / 2]) s (\(unrest.last ?? 0)); \
            \(copies) copies (\(mostCopies)); \(mean) bytes (\(bytes.max() ?? 0)) and \(sent) \
            messages a device; \(sessions) sessions (\(mostSessions)); parted and whole again \
            \(Double(healing) / 1000) s; acks known \(Int(knownAcks * 100)) %
            """
    }
}
