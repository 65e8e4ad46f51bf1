import Doctor
import LocalAPI
import Testing

@Suite("The progress of an examination")
struct ExaminationTrackerTests {
    @Test("one examination runs at a time, and it can be cancelled")
    func oneAtATime() async throws {
        let tracker = ExaminationTracker()
        #expect(throws: APIError.doctorNotStarted) { try tracker.view() }
        _ = try await tracker.start {
            while true {
                try tracker.note(.files, done: 1, total: 2)
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        await #expect(
            throws: APIError(
                code: .busy, sentence: "Everything is being checked already.",
                hint: """
                    Wait until that is done, and try again; if the command that started it was \
                    killed, try again in a few seconds.
                    """)
        ) {
            try await tracker.start { HealthReport(verdict: "", sound: true, findings: []) }
        }
        let ended = try await tracker.cancel()
        #expect(ended.phase == .failed && ended.failure == .stopped)
        _ = try await tracker.start { HealthReport(verdict: "well", sound: true, findings: []) }
        let view = try await tracker.poll(RevisionPoll(knownRevision: -1, waitSeconds: 0))
        #expect(view.revision > ended.revision)
    }

    @Test("an examination ends for the next one once nobody asks for its news any more")
    func abandoned() async throws {
        // given
        let tracker = ExaminationTracker(patience: .zero)
        let first = try await tracker.start {
            while true {
                try tracker.note(.files)
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        // when
        let second = try await tracker.start {
            HealthReport(verdict: "well", sound: true, findings: [])
        }
        // then
        #expect(second.phase == .running && second.revision > first.revision)
        let ended = try await tracker.poll(
            RevisionPoll(knownRevision: second.revision, waitSeconds: 60))
        #expect(ended.report?.verdict == "well")
    }
}
