import LocalAPI
import Testing
import peersync

@Suite("What a recovery of changes that do not count says")
struct OrphanTextTests {
    private func words(_ settled: Int) -> String {
        OrphanText.recovered(
            RecoverReport(
                recovered: [], refused: 0, settled: settled, missing: LeftFiles([]),
                membershipChanges: 0))
    }

    @Test("changes that count by themselves since they were listed are named in one sentence")
    func settled() {
        #expect(words(0) == "There is nothing to bring back.")
        #expect(
            words(1)
                == "1 change no longer waits: it counts by now, or is not on this device any more.")
        #expect(
            words(2)
                == "2 changes no longer wait: they count by now, or are not on this device any more."
        )
    }
}
