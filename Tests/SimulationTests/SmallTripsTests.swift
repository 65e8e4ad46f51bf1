import SyncSimulator
import Testing

/// More devices than the limit for connecting all, and trips of few of them.
@Suite("Simulated small trips", .serialized)
struct SmallTripsTests {
    /// The number of devices, which people are paired, and how many of a hundred pairs have a trip
    /// of two.
    struct Case: Sendable, CustomTestStringConvertible {
        let size: Int
        let pairing: SmallTripsRun.Pairing
        let share: UInt64

        var testDescription: String { "\(size) devices, paired with \(pairing), \(share) %" }
    }

    private static let known = [
        Case(size: 16, pairing: .all, share: 100), Case(size: 16, pairing: .hub, share: 100),
        Case(size: 24, pairing: .hub, share: 15), Case(size: 24, pairing: .all, share: 15),
        Case(size: 24, pairing: .all, share: 100),
    ]
    /// Each case takes minutes: a run of the suite tests one, chosen by its seed, and a soak all.
    private static let cases =
        Wanted.number("PEERSYNC_ALL_SMALL_TRIPS") == 1
        ? known : [known[Int(Wanted.firstSeed % UInt64(known.count))]]

    @Test(
        "in small trips among many devices an offer, an edit and a file arrive soon",
        arguments: cases)
    func pairs(one: Case) throws {
        // given
        let seed = Wanted.firstSeed
        var run = try SmallTripsRun(
            size: one.size, pairing: one.pairing, share: one.share, seed: seed)
        // when
        let figures = run.run()
        // then
        print("         \(one.testDescription), seed \(seed): \(figures.summary)")
        #expect(figures.violations.isEmpty, "\(figures.violations.prefix(3))")
        #expect(figures.far > 0)
        #expect(figures.missing.isEmpty, "\(figures.missing.count): \(figures.missing.prefix(5))")
        #expect(figures.torn.isEmpty, "\(figures.torn.count): \(figures.torn.prefix(5))")
        #expect(figures.offers.max() ?? .max <= 2_000)
        #expect(figures.edits.max() ?? .max <= 2_000)
        #expect(figures.files.max() ?? .max <= 5_000)
        #expect(figures.returns.max() ?? .max <= 10_000)
        // The cost: at most one session per trip of a device, and no endless traffic.
        #expect(figures.sessions <= figures.sessionsBefore + figures.tripsOfOne)
        #expect(figures.restBytes <= 60)
    }
}

extension SmallTripsRun.Figures {
    /// For the table in Architecture.md.
    var summary: String {
        func seconds(_ times: [UInt64]) -> String {
            let sorted = times.sorted().map { Double($0) / 1000 }
            guard let last = sorted.last else { return "never" }
            return "\(sorted[sorted.count / 2]) s (at most \(last), \(sorted.count) of them)"
        }
        return """
            \(trips) trips; offers after \(seconds(offers)), \(far) of them to devices without a session; edits \
            \(seconds(edits)); files \(seconds(files)); with who was off \(seconds(returns)); \
            \(missing.count) missing, \(torn.count) trips torn; \(sessions) sessions \
            (\(mostSessions)), before \(sessionsBefore); \(calls) connections made by a device; \
            \(restBytes) bytes a second at rest
            """
    }
}
