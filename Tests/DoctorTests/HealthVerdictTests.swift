import Doctor
import LocalAPI
import Testing

@Suite("The last line of the doctor")
struct HealthVerdictTests {
    private func finding(
        _ check: HealthReport.Check, _ severity: HealthReport.Severity, repaired: String? = nil
    ) -> HealthReport.Finding {
        .init(
            check: check, severity: severity, sentence: "A.", remedy: nil, repaired: repaired)
    }

    @Test("it says that nothing is broken only if status shows no urgent problem")
    func untold() {
        // given a file that waits to be fetched, which is urgent in status alone
        let findings = [finding(.files, .note), finding(.sync, .ok)]
        // when
        let well = HealthVerdict(findings, urgent: [])
        let urgent = HealthVerdict(findings, urgent: [.files])
        // then
        #expect(well.sentence == "Nothing is broken.")
        #expect(
            urgent.sentence
                == "Nothing stored here is broken, but status shows 1 urgent problem: peersync status"
        )
        #expect(well.open == 0 && urgent.open == 0)
    }

    @Test("a problem of status that a finding reports is counted once")
    func told() {
        // given
        let findings = [finding(.sync, .warning)]
        // when
        let told = HealthVerdict(findings, urgent: [.sync])
        let more = HealthVerdict(findings, urgent: [.sync, .files, .clock])
        // then
        #expect(told.sentence == "1 thing needs your attention.")
        #expect(
            more.sentence
                == "1 thing needs your attention. Status shows 2 more urgent problems: peersync status"
        )
    }

    @Test("after a repair it does not hide what status still shows")
    func repaired() {
        // given
        let findings = [finding(.files, .error, repaired: "B.")]
        // when
        let whole = HealthVerdict(findings, urgent: [])
        let waiting = HealthVerdict(findings, urgent: [.files])
        // then
        #expect(whole.sentence == "1 thing was put right, and nothing is broken now.")
        #expect(
            waiting.sentence
                == """
                1 thing was put right. Nothing stored here is broken, but status shows 1 urgent problem: \
                peersync status
                """)
    }

    @Test("without an agent it leaves sync to status")
    func alone() {
        #expect(
            HealthVerdict([finding(.files, .ok)], urgent: nil).sentence
                == "Nothing stored here is broken. How sync stands: peersync status")
    }
}
