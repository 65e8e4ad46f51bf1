import LocalAPI
import Records
import SyncCore
import Testing

@Suite("The head line of status")
struct StatusHeadLineTests {
    @Test("the head line says how many decisions wait, and why nothing is exchanged")
    func headLine() {
        #expect(StatusVerdict.headLine(.synced) == "everything is synced")
        #expect(
            StatusVerdict.headLine(.synced, onlyHere: SpaceCount(trips: 1))
                == "everything shared is synced; 1 trip is only on this device")
        #expect(
            StatusVerdict.headLine(.synced, onlyHere: SpaceCount(trips: 1, others: 2))
                == """
                everything shared is synced; 1 trip is only on this device; 2 spaces are only on \
                this device
                """)
        let off = "sync is switched off here"
        #expect(
            StatusVerdict.headLine(.offline, person: waits(2), because: off)
                == "sync is switched off here; 2 entries wait for your decision")
    }

    @Test("a decision of this person is not reported as waiting for a device")
    func person() {
        #expect(
            StatusVerdict.headLine(.pending, person: waits(1))
                == "1 entry waits for your decision")
        #expect(
            StatusVerdict.headLine(.pending, person: waits(0, invitations: 1))
                == "1 invitation waits for your answer")
        var asked = waits(0)
        asked.requests = 1
        #expect(
            StatusVerdict.headLine(.pending, person: asked) == "1 request waits for your answer")
        #expect(
            StatusVerdict.headLine(.pending, person: waits(0, uncounted: 2, taken: 1))
                == "2 trips have changes that do not count; 1 trip was taken from you")
        #expect(
            StatusVerdict.headLine(.pending, person: waits(1), isWaiting: true)
                == "something waits for another device; 1 entry waits for your decision")
        #expect(
            StatusVerdict.headLine(.pending, isWaiting: true)
                == "something waits for another device")
    }

    @Test("a trip that this person left on another device is not called taken")
    func left() {
        // given
        func line(isMine: Bool) -> String {
            let sync = SpaceSyncState(others: [], acks: [:], holdings: [:], fileCount: 0)
            var space = SpaceFacts(.zero, sync, watermark: Watermark())
            space.taken = RevocationFacts(
                by: nil, written: nil, changes: 1, files: 0, isWholePerson: true, isMine: isMine)
            var facts = StatusFacts()
            facts.spaces = [space]
            return StatusVerdict.headLine(.pending, person: StatusVerdict(facts).person)
        }
        // when, then
        #expect(line(isMine: true) == "1 trip was left on another device")
        #expect(line(isMine: false) == "1 trip was taken from you")
    }

    private func waits(
        _ entries: Int, invitations: Int = 0, uncounted: Int = 0, taken: Int = 0
    ) -> PersonWaits {
        var waits = PersonWaits()
        (waits.entries, waits.invitations) = (entries, invitations)
        waits.uncounted = SpaceCount(trips: uncounted)
        waits.taken = SpaceCount(trips: taken)
        return waits
    }
}
