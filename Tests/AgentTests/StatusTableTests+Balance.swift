import LocalAPI
import Records
import SyncCore
import Testing

extension StatusTableTests {
    @Test("only what this device can send counts as to send; the rest is told apart")
    func owed() {
        var facts = SpaceFacts(
            Self.trip, Self.sync([Self.ben, Self.cleo], lacking: [Self.ben]),
            watermark: Self.watermark(5))
        #expect(SpaceBalance(facts).owed(to: Self.ben).toSend.files == 1)
        #expect(SpaceBalance(facts).owed(to: Self.ben).toSend.bytes == 70)
        facts.missing = Self.missing
        #expect(SpaceBalance(facts).owed(to: Self.ben).toSend == .nothing)
        #expect(SpaceBalance(facts).owed(to: Self.ben).fromOthers.files == 1)
        #expect(SpaceBalance(facts).owed(to: Self.cleo).toSend == .nothing)
        facts.sync = Self.sync([Self.ben, Self.cleo], lacking: [Self.ben, Self.cleo])
        #expect(SpaceBalance(facts).owed(to: Self.ben).fromOthers == .nothing)
    }
}
