import SyncSimulator
import Testing

/// Random membership histories: rights do not depend on the order in which facts arrive, and equal
/// the result of a second, plain evaluation.
@Suite("Membership histories", .serialized)
struct MembershipTests {
    @Test("any two orders of a history agree, with each other and with the reference")
    func histories() {
        // given
        let first = Wanted.firstSeed
        // when
        let report = MembershipTrial().run(
            first..<first + Wanted.memberships, threads: Wanted.threads)
        // then
        print("         seeds from \(first):", report.summary)
        for (seed, story) in report.failures { Issue.record("membership \(seed): \(story)") }
    }

    @Test(
        "a simpler, wrong rule is detected", arguments: MembershipTrial.naiveRules)
    func wrongRules(name: String) {
        let report = MembershipTrial(rule: .naive(name)).run(1..<4_000, threads: Wanted.threads)
        #expect(!report.failures.isEmpty)
    }

    @Test("a rule that depends on the order of arrival is detected")
    func naiveRule() {
        let report = MembershipTrial(rule: .arrival).run(1..<200, threads: 1)
        #expect(!report.failures.isEmpty)
    }
}
