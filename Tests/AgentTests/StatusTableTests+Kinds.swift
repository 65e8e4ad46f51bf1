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
