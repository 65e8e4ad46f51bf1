import Networking
import SyncCore
import Testing

@Suite("Commits that are sent are counted once")
struct SentCommitsTests {
    private static let crete = SpaceID(sha256([1]))
    private static let diary = SpaceID(sha256([2]))

    private static func header(_ sequence: UInt64, by device: UInt8 = 1) -> CommitHeader {
        CommitHeader(
            space: crete, log: LogID(device: DeviceID(sha256([device])), incarnation: .zero),
            sequence: sequence, previous: .zero, clock: HybridTime(raw: sequence), seen: [],
            grant: .none, schema: .zero, schemaVersion: 1, clearHash: .zero, operationsHash: .zero)
    }

    @Test("One that is sent again is not another one")
    func again() {
        var sent = SentCommits()
        #expect(sent.add([Self.header(1), Self.header(2)], of: Self.crete) == 2)
        // They crossed a question, and go again with what came after them.
        #expect(sent.add([Self.header(2), Self.header(3)], of: Self.crete) == 1)
        #expect(sent.add([Self.header(3)], of: Self.crete) == 0)
    }

    @Test("Logs and spaces are counted each for itself")
    func apart() {
        var sent = SentCommits()
        #expect(sent.add([Self.header(5)], of: Self.crete) == 1)
        #expect(sent.add([Self.header(1, by: 2)], of: Self.crete) == 1)
        #expect(sent.add([Self.header(1)], of: Self.diary) == 1)
    }
}
