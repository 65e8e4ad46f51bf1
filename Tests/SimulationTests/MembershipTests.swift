import SyncSimulator
import Testing

/// Random membership histories: who may do what does not depend on the order in which facts come, and
/// is what a second, plain evaluation says.
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
        "a rule that is easier to think of is found out", arguments: MembershipTrial.naiveRules)
    func wrongRules(name: String) {
        let report = MembershipTrial(rule: .naive(name)).run(1..<4_000, threads: Wanted.threads)
        #expect(!report.failures.isEmpty)
    }

    @Test("a rule that goes by arrival is found out")
    func naiveRule() {
        let report = MembershipTrial(rule: .arrival).run(1..<200, threads: 1)
        #expect(!report.failures.isEmpty)
    }
}
