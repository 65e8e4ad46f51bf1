import Doctor
import LocalAPI
import Testing

@Suite("The progress of an examination")
struct ExaminationTrackerTests {
    @Test("one examination runs at a time, and it can be cancelled")
    func oneAtATime() async throws {
        let tracker = ExaminationTracker()
        #expect(throws: APIError.doctorNotStarted) { try tracker.view() }
        _ = try tracker.start {
            while true {
                try tracker.note(.files, done: 1, total: 2)
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        #expect(
            throws: APIError(
                code: .busy, sentence: "Somebody is having everything checked at this moment.",
                hint: "Wait until that is done, and try again.")
        ) {
            try tracker.start { HealthReport(verdict: "", sound: true, findings: []) }
        }
        let ended = try await tracker.cancel()
        #expect(ended.phase == .failed && ended.failure == .stopped)
        _ = try tracker.start { HealthReport(verdict: "well", sound: true, findings: []) }
        let view = try await tracker.poll(RevisionPoll(knownRevision: -1, waitSeconds: 0))
        #expect(view.revision > ended.revision)
    }
}
