import Store
import SyncCore
import TestKit
import Testing

@Suite("Acks that wait to be written down")
struct WaitingAckTests {
    private let testLog = TestLog()
    private let device = DeviceID(sha256([7]))

    private func ack(_ counter: UInt64, in space: SpaceID) -> SignedAck {
        SignedAck(
            verified: UnverifiedAck(
                Ack(space: space, device: device, counter: counter, watermark: Watermark()),
                bytes: [UInt8(truncatingIfNeeded: counter)], signature: [1]))
    }

    @Test("the first ack of a device is written at once, later ones together")
    func together() throws {
        // given
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        let statements = anna.store.statements
        // when, then
        let before = anna.store.version
        #expect(try statements.keepWaiting([ack(1, in: space)]) == [true])
        #expect(anna.store.version == before + 1)
        #expect(statements.waitingCount == 0)
        let later = [2, 5, 4, 5, .max].map { ack($0, in: space) }
        #expect(try statements.keepWaiting(later) == [true, true, false, false, false])
        #expect(anna.store.version == before + 1)
        #expect(statements.waitingCount == 1)
        try statements.writeWaiting()
        #expect(anna.store.version == before + 2)
        #expect(statements.waitingCount == 0)
        try statements.writeWaiting()
        #expect(anna.store.version == before + 2)
        #expect(try statements.keepWaiting([ack(5, in: space)]) == [false])
    }

    @Test("an ack that waits counts like one that is written down")
    func counts() throws {
        // given
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        let statements = anna.store.statements
        #expect(try statements.keepWaiting([ack(1, in: space)]) == [true])
        #expect(try statements.keepWaiting([ack(3, in: space)]) == [true])
        // then
        #expect(try statements.acks(of: space) == [ack(3, in: space)])
        #expect(try !statements.keep(ack(2, in: space)))
        #expect(try !statements.keep(ack(3, in: space)))
        // when a later one is written beside it
        #expect(try statements.keep(ack(4, in: space)))
        // then
        #expect(try statements.acks(of: space) == [ack(4, in: space)])
        try statements.writeWaiting()
        #expect(try statements.acks(of: space) == [ack(4, in: space)])
        #expect(throws: StoreError.spaceUnknown(.zero)) {
            try statements.keepWaiting([ack(9, in: space), ack(1, in: .zero)])
        }
        #expect(statements.waitingCount == 0)
    }

    @Test("what was not written down is gone with the process, and is taken when it is said again")
    func lost() throws {
        // given
        let home = TestPeer.newHome()
        var anna = try TestPeer(testLog, seed: 1, home: home)
        let space = try anna.found()
        #expect(try anna.store.statements.keepWaiting([ack(1, in: space)]) == [true])
        #expect(try anna.store.statements.keepWaiting([ack(2, in: space)]) == [true])
        // when
        try anna.store.close()
        anna = try TestPeer(testLog, seed: 1, home: home)
        // then
        #expect(try anna.store.statements.acks(of: space) == [ack(1, in: space)])
        #expect(try anna.store.statements.keepWaiting([ack(2, in: space)]) == [true])
        try anna.store.statements.writeWaiting()
        try anna.store.close()
        anna = try TestPeer(testLog, seed: 1, home: home)
        #expect(try anna.store.statements.acks(of: space) == [ack(2, in: space)])
    }

    @Test("own acks after the first wait too, and own statements count on from them")
    func own() throws {
        // given
        let home = TestPeer.newHome()
        var anna = try TestPeer(testLog, seed: 1, home: home)
        let space = try anna.found()
        let device = anna.device
        func own(now: UInt64) throws -> SignedAck {
            let now = Milliseconds(now)
            let next = try anna.store.statements.keepOwn(of: device, in: space, beyond: 0, now: now)
            { counter in
                UnverifiedAck(
                    Ack(space: space, device: device, counter: counter, watermark: Watermark()),
                    bytes: [UInt8(truncatingIfNeeded: counter)], signature: [1])
            }
            return SignedAck(verified: next)
        }
        // when
        let acks = try [2, 3, 4].map { try own(now: $0) }
        // then
        #expect(acks.map(\.said.counter) == [2, 3, 4])
        #expect(anna.store.statements.waitingCount == 1)
        #expect(try anna.store.statements.acks(of: space) == [acks[2]])
        let report = try anna.store.statements.keepOwn(
            of: device, in: space, beyond: 0, now: Milliseconds(4)
        ) {
            UnverifiedHoldings(
                Holdings(
                    space: space, device: device, counter: $0, held: 0, missing: [],
                    missingCount: 0, missingBytes: 0), bytes: [4], signature: [5])
        }
        #expect(report.said.counter == 5)
        // when they are lost
        try anna.store.close()
        anna = try TestPeer(testLog, seed: 1, home: home)
        // then
        #expect(try anna.store.statements.acks(of: space) == [acks[0]])
        #expect(try own(now: 4).said.counter == 6)
    }

    @Test("no counter is used twice by a device whose clock is behind and that is killed")
    func clockBehind() throws {
        // given an ack, and a clock that is set back then
        let home = TestPeer.newHome()
        var anna = try TestPeer(testLog, seed: 1, home: home)
        let space = try anna.found()
        let device = anna.device
        func own(now: UInt64) throws -> UInt64 {
            try anna.store.statements.keepOwn(
                of: device, in: space, beyond: 0, now: Milliseconds(now)
            ) { counter in
                UnverifiedAck(
                    Ack(space: space, device: device, counter: counter, watermark: Watermark()),
                    bytes: [UInt8(truncatingIfNeeded: counter)], signature: [1])
            }.said.counter
        }
        #expect(try own(now: 100) == 100)
        #expect(try own(now: 9) == 101)
        #expect(anna.store.statements.waitingCount == 0)
        // when what waited is lost
        try anna.store.close()
        anna = try TestPeer(testLog, seed: 1, home: home)
        // then
        #expect(try own(now: 10) == 102)
    }
}
