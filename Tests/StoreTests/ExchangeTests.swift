import Store
import SyncCore
import Testing

@Suite struct ExchangeTests {
    private let testLog = TestLog()

    @Test("what one device writes, another shows identically after pulling it")
    func exchange() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        try anna.grant(.editor, to: ben, in: space)
        try anna.write([titled("Grüße 👋", 1), tagged("Meer", 1)], to: space)

        let outcome = try ben.pull(space, from: anna)
        try ben.write([titled("Zweites", 2)], to: space)
        try anna.pull(space, from: ben)

        #expect(outcome.refusal == nil)
        #expect(outcome.stored.count == 3 && outcome.effective == 3)
        #expect(outcome.touched == [RecordKey(collection: "memory", record: record(1))])
        #expect(try anna.digest(space) == ben.digest(space))
        #expect(try anna.states(space) == ben.states(space))
        #expect(anna.store.ledger(of: space)?.watermark == ben.store.ledger(of: space)?.watermark)
        #expect(try anna.store.records.counts(of: space) == ["memory": 2])
    }

    @Test("a store that is opened again has the same ledger and goes on writing")
    func reopening() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let space: SpaceID
        let before: (Watermark?, Bytes32, [GrantSummary], [LogPosition]?, Incarnation)
        let home = TestPeer.newHome()
        do {
            let ben = try TestPeer(testLog, seed: 2, home: home)
            space = try anna.found()
            try anna.grant(.editor, to: ben, in: space)
            try anna.write([titled("eins", 1)], to: space)
            try ben.pull(space, from: anna)
            try ben.write([titled("zwei", 1)], to: space)
            before = try summary(of: ben, space)
            try ben.store.close()
        }

        let ben = try TestPeer(testLog, seed: 2, home: home)

        let after = try summary(of: ben, space)
        #expect(before.0 == after.0 && before.1 == after.1 && before.2 == after.2)
        #expect(before.3 == after.3 && before.4 == after.4)
        #expect(ben.store.opening.newBecause == nil)
        #expect(ben.store.keys[anna.device] != nil)
        try ben.write([titled("drei", 1)], to: space)
        #expect(try anna.pull(space, from: ben).refusal == nil)
        #expect(try anna.digest(space) == ben.digest(space))
    }

    private struct GrantSummary: Equatable {
        let grant: FactReference
        let device: DeviceID
        let flags: Permissions
    }

    private func summary(
        of peer: TestPeer, _ space: SpaceID
    ) throws -> (Watermark?, Bytes32, [GrantSummary], [LogPosition]?, Incarnation) {
        let ledger = peer.store.ledger(of: space)
        let members = ledger?.membership.members ?? []
        return (
            ledger?.watermark, try peer.digest(space),
            members.map {
                GrantSummary(
                    grant: $0.grant, device: $0.standing.card.device, flags: $0.standing.current)
            }, ledger?.unseen(by: peer.log), peer.log.incarnation
        )
    }

    @Test("rebuilt records are the same, byte for byte")
    func rebuilding() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        for number in 0..<60 as Range<UInt64> {
            try anna.write(
                [titled("t\(number)", number % 7), tagged("x\(number % 3)", number % 5)], to: space)
        }
        try anna.write([deleted(3)], to: space)
        let states = try anna.states(space)
        let digest = try anna.digest(space)
        let found = try anna.store.records.search("t58").count

        try anna.store.records.rebuild(space)

        #expect(try anna.states(space) == states)
        #expect(try anna.digest(space) == digest)
        #expect(try anna.store.records.search("t58").count == found && found == 1)
        #expect(try anna.store.integrityCheck() == [])
    }
}
