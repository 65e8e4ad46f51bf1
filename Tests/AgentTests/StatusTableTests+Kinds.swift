import LocalAPI
import Records
import SyncCore
import TestDevices
import Testing

/// What is here and cannot be read or is not whole, and whether the table has every situation.
extension StatusTableTests {
    static let unread = [
        Side("a key has not come", ann, with: [ben], [.synced, .synced, .pending], [.closed]) {
            $0.spaces[0].unreadable.closed = 2
        },
        Side(
            "entries of the last sync are not complete", ann, with: [ben],
            [.synced, .synced, .pending], [.incomplete]
        ) { $0.spaces[0].incomplete = 2 },
    ]

    /// Changes of all other devices are in the future here.
    static let behind = [
        Side(
            "changes of both others are ahead, and no clock was met", ben, with: [ann, cleo],
            [.error, .synced, .synced], [.clockHere]
        ) {
            for index in $0.devices.indices { $0.devices[index].clockSkewMilliseconds = nil }
            $0.spaces[0].ahead = aheads
        },
        Side(
            "changes of both others are ahead, and one clock agreed", ben, with: [ann, cleo],
            [.error, .synced, .error], [.changesAhead, .changesAhead]
        ) {
            $0.devices[0].clockSkewMilliseconds = 0
            $0.spaces[0].ahead = aheads
        },
    ]

    private static let aheads = [
        AheadFacts(ann, count: 2, seconds: 259_200, isRedatable: true),
        AheadFacts(cleo, count: 1, seconds: 259_300, isRedatable: true),
    ]

    @Test("every kind of problem that status can report has a situation in the table")
    func kinds() {
        let found = Self.sides.flatMap { side in
            let verdict = StatusVerdict(side.facts)
            return (verdict.problems + verdict.spaces.values.flatMap(\.problems)).map(\.kind)
        }
        // The list of devices alone reports a device that was called lost.
        let reported = Set(ProblemView.Kind.allCases).subtracting([.deviceLost])
        #expect(reported == Set(found))
    }
}
