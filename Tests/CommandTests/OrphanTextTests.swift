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

    @Test("where a trip was taken from this device, it does not say that all counts")
    func closed() {
        func trip(_ name: String, _ problems: [ProblemView.Kind]) -> TripView {
            TripView(
                .init(
                    id: name, shortID: name, name: name, active: true, membership: .member,
                    role: nil, grantedBy: nil),
                contents: .init(bytes: 0),
                sync: .init(
                    .error,
                    problems: problems.map {
                        ProblemView(kind: $0, urgent: true, sentence: "", remedy: nil)
                    }))
        }
        let open = trip("Rome", [.orphans])
        #expect(OrphanText.closed([open]) == nil)
        #expect(
            OrphanText.closed([open, trip("Crete", [.taken])])
                == "This device has no role in “Crete” any more: what it wrote there and had not "
                + "sent by then does not count, and is not listed.")
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
