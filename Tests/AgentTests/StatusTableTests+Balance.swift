import LocalAPI
import Records
import SyncCore
import TestDevices
import Testing

extension StatusTableTests {
    static let silent = [
        Side(
            "a change has had no answer for three seconds", ann, with: [ben],
            [.offline, .pending, .offline], [.silent], why: [[], [.silent]]
        ) {
            $0.devices[0].link = .connected(silence: 3_000)
            $0.spaces[0].sync = sync([ben], read: [ben: 4]) { $0.taking = [ben] }
                .without(silent: [ben])
        },
        Side(
            "the answer to a change takes a moment", ann, with: [ben],
            [.syncing, .syncing, .syncing], [], why: [[], [.moving]]
        ) {
            $0.devices[0].link = .connected(silence: 2_900)
            $0.spaces[0].sync = sync([ben], read: [ben: 4]) { $0.taking = [ben] }
        },
    ]

    @Test("only what this device can send counts as to send; the rest is told apart")
    func owed() {
        var facts = SpaceFacts(
            Self.trip, Self.sync([Self.ben, Self.cleo], lacking: [Self.ben]),
            watermark: Self.watermark(5))
        #expect(SpaceBalance(facts).owed(to: Self.ben).toSend.files == 1)
        #expect(SpaceBalance(facts).owed(to: Self.ben).toSend.bytes == 70)
        facts.files.missing = Self.missing
        #expect(SpaceBalance(facts).owed(to: Self.ben).toSend == .nothing)
        #expect(SpaceBalance(facts).owed(to: Self.ben).fromOthers.files == 1)
        #expect(SpaceBalance(facts).owed(to: Self.cleo).toSend == .nothing)
        facts.sync = Self.sync([Self.ben, Self.cleo], lacking: [Self.ben, Self.cleo])
        #expect(SpaceBalance(facts).owed(to: Self.ben).fromOthers == .nothing)
    }
}
