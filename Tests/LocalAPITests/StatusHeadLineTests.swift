import LocalAPI
import Testing

@Suite("The head line of status")
struct StatusHeadLineTests {
    @Test("the head line says how many decisions wait, and why nothing is exchanged")
    func headLine() {
        #expect(Sentence.Status.verdict(.synced) == "everything is synced")
        #expect(
            Sentence.Status.verdict(.synced, onlyHere: 1)
                == "everything shared is synced; 1 trip is only on this device")
        #expect(
            Sentence.Status.verdict(.pending, decisions: 1) == "1 entry waits for your decision")
        #expect(
            Sentence.Status.verdict(.offline, decisions: 2, because: "sync is switched off here")
                == "sync is switched off here; 2 entries wait for your decision")
    }
}
