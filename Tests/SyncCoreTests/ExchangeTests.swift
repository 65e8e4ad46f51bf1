import SyncCore
import TestKit
import Testing

@Suite("What this device and others lack of each other")
struct ExchangeTests {
    private var bench = Bench()
    private let photo = BlobID(sha256([7]))
    private let film = BlobID(sha256([8]))

    private func holdings(
        by device: TestDevice, held: UInt64, missing: [BlobID] = [], bytes: UInt64 = 0,
        counter: UInt64 = 5, unwanted: Set<BlobID> = []
    ) -> UnverifiedHoldings {
        UnverifiedHoldings(
            Holdings(
                space: bench.space, device: device.id, counter: counter, held: held,
                missing: missing, missingCount: UInt64(missing.count), missingBytes: bytes,
                unwanted: unwanted),
            bytes: [], signature: [])
    }

    private func need(_ blob: BlobID, _ size: UInt64) -> BlobNeed {
        BlobNeed(blob: blob, space: bench.space, size: size, kind: .original)
    }

    @Test("Files that the other device lacks are to be sent until it says that it has them")
    mutating func toSend() {
        // given two files here, none there
        bench.meet()
        bench.handle(.holdingsSigned(holdings(by: bench.own, held: 2)))
        let lacking = holdings(by: bench.friend, held: 0, missing: [photo, film], bytes: 300)
        bench.handle(.holdingsStored(lacking, from: SessionID(1)))
        // when a sync is asked for, and the changes are compared
        let request = SyncRequestID(1)
        bench.handle(.syncRequested(request))
        let compared = bench.receive(.spaces([bench.summary(of: bench.friendStore)], answer: true))
        // then
        #expect(compared.finishedSyncs == [request])
        let peer = bench.engine.exchange.peers[bench.friend.id]
        #expect(peer?.toSend == Exchange.Files(count: 2, bytes: 300))
        #expect(peer?.isEqual == false)
        // when they have arrived
        let full = holdings(by: bench.friend, held: 2, counter: 6)
        bench.handle(.holdingsStored(full, from: SessionID(1)))
        // then
        #expect(bench.engine.exchange.peers[bench.friend.id]?.isEqual == true)
    }

    @Test("A file that the other device freed is not to be sent")
    mutating func freed() {
        // given
        bench.meet()
        bench.handle(.holdingsSigned(holdings(by: bench.own, held: 2)))
        // when
        let lacking = holdings(
            by: bench.friend, held: 0, missing: [photo, film], bytes: 200, unwanted: [photo])
        bench.handle(.holdingsStored(lacking, from: SessionID(1)))
        // then
        let peer = bench.engine.exchange.peers[bench.friend.id]
        #expect(peer?.toSend == Exchange.Files(count: 1, bytes: 200))
        #expect(peer?.lacking[bench.space]?.listed == [film])
    }

    @Test("A vault is not to send files that are counted and not listed")
    mutating func unlistedByVault() throws {
        // given a space of the friend, which this device carries
        let genesis = TestCommit.genesis(bench.friend, nonce: 7)
        var theirs = MemoryStore()
        _ = theirs.apply([genesis])
        let root = FactReference(commit: genesis.id, index: 0)
        let grant = MembershipFact.grant(bench.own.grant(from: root, .vault))
        _ = theirs.append(in: bench.friend.log, clock: 9, TestDraft(facts: [grant]))
        let view = SpaceView(
            space: genesis.space, role: .shared, watermark: theirs.watermark,
            membership: try #require(theirs.ledger?.membership))
        bench.handle(.spaceOpened(view))
        bench.open(1, with: bench.friend)
        let summary = SpaceSummary(
            space: view.space, digest: theirs.watermark.digest(),
            proof: view.proof(by: bench.friend.id, to: bench.own.id))
        bench.receive(.spaces([summary], answer: true))
        // when the friend lacks one file that is here, and two that are not encrypted
        var lacking = holdings(by: bench.friend, held: 0, missing: [photo], bytes: 300).said
        (lacking.space, lacking.missingCount) = (view.space, 3)
        bench.handle(
            .holdingsStored(
                UnverifiedHoldings(lacking, bytes: [], signature: []), from: SessionID(1)))
        // then
        #expect(bench.engine.exchange.peers[bench.friend.id]?.toSend.count == 1)
    }

    @Test("Files that nobody waits for are left out of those that are to be sent")
    mutating func leftOut() {
        // given
        bench.meet()
        bench.handle(.holdingsSigned(holdings(by: bench.own, held: 5)))
        let lacking = holdings(by: bench.friend, held: 1, missing: [photo, film], bytes: 300)
        bench.handle(.holdingsStored(lacking, from: SessionID(1)))
        var exchange = bench.engine.exchange
        #expect(exchange.peers[bench.friend.id]?.toSend == Exchange.Files(count: 4, bytes: 300))
        // when
        var asked: [Exchange.Lacking] = []
        exchange.leaveOut { space, lacking in
            asked.append(lacking)
            return ([NamedBlob(blob: film, size: 200, kind: .original)], 5)
        }
        // then
        #expect(asked.map(\.listed) == [[photo, film]])
        #expect(asked.map(\.unlisted) == [2])
        #expect(exchange.peers[bench.friend.id]?.toSend == Exchange.Files(count: 1, bytes: 100))
    }

    @Test("A peer that asked for a space and then declined it is not waited for")
    mutating func declined() {
        // given
        bench.open(1, with: bench.friend)
        bench.receive(.watermark(bench.space, Watermark(), answer: false))
        #expect(bench.engine.exchange.peers[bench.friend.id]?.changesToSend == 2)
        // when
        bench.receive(.decline(bench.space))
        // then
        #expect(bench.engine.exchange.peers[bench.friend.id]?.isDiffering == false)
        // when it is accepted there after all
        let asked = bench.receive(.watermark(bench.space, Watermark(), answer: false))
        // then
        #expect(asked.loads.count == 1)
    }

    @Test("Nothing is waited for in a space that was taken from this device")
    mutating func taken() {
        // given
        bench.meet()
        bench.handle(.holdingsSigned(holdings(by: bench.own, held: 2)))
        bench.handle(.applied(bench.write().report, from: nil))
        #expect(bench.engine.exchange.peers[bench.friend.id]?.isDiffering == true)
        // when
        bench.handle(.spaceTaken(bench.space, isTaken: true))
        // then
        #expect(bench.engine.exchange.peers[bench.friend.id]?.isDiffering == false)
        // when it is given back
        bench.handle(.spaceTaken(bench.space, isTaken: false))
        // then
        #expect(bench.engine.exchange.peers[bench.friend.id]?.isDiffering == true)
    }

    @Test("A device that may not have the space any more has nothing to come")
    mutating func revoked() {
        bench.meet()
        bench.handle(.applied(bench.write().report, from: nil))
        #expect(bench.engine.exchange.peers[bench.friend.id]?.isCompared == false)
        bench.handle(.applied(bench.revoke(bench.friendGrant).report, from: nil))
        #expect(bench.engine.exchange.peers[bench.friend.id]?.isEqual == true)
    }

    @Test("Nobody acknowledges anything to a device that may not have the space itself")
    mutating func left() {
        bench.meet()
        bench.handle(.applied(bench.revoke(bench.root).report, from: nil))
        #expect(bench.shared()?.sending.inFlight.isEmpty == false)
        #expect(bench.engine.exchange.peers[bench.friend.id]?.isEqual == true)
    }

    @Test("A device that has not heard of a file yet lacks it")
    mutating func notHeardOf() {
        bench.meet()
        bench.handle(.holdingsSigned(holdings(by: bench.own, held: 3)))
        bench.handle(
            .holdingsStored(holdings(by: bench.friend, held: 1), from: SessionID(1)))
        #expect(bench.engine.exchange.peers[bench.friend.id]?.toSend.count == 2)
    }

    @Test("A file that lacks on both sides is waited for by neither")
    mutating func lacksOnBothSides() {
        bench.meet()
        bench.handle(.blobsNeeded([need(film, 200)]))
        // What is missing is reported with the next tick.
        bench.now += Limits.holdingsIntervalMilliseconds
        bench.handle(.tick)
        bench.handle(
            .holdingsSigned(holdings(by: bench.own, held: 0, missing: [film], bytes: 200)))
        bench.handle(
            .holdingsStored(
                holdings(by: bench.friend, held: 0, missing: [film], bytes: 200),
                from: SessionID(1)))
        let exchange = bench.engine.exchange
        #expect(exchange.peers[bench.friend.id]?.isEqual == true)
        #expect(exchange.coming.count == 0)
        #expect(exchange.elsewhere == Exchange.Files(count: 1, bytes: 200))
    }

    @Test("A file that the other device has is still to come")
    mutating func toCome() {
        bench.meet()
        bench.handle(.blobsNeeded([need(film, 200), need(photo, 50)]))
        bench.handle(
            .holdingsStored(
                holdings(by: bench.friend, held: 1, missing: [photo], bytes: 50),
                from: SessionID(1)))
        let exchange = bench.engine.exchange
        #expect(exchange.coming == Exchange.Files(count: 1, bytes: 200))
        #expect(exchange.elsewhere == Exchange.Files(count: 1, bytes: 50))
        #expect(
            exchange.peers[bench.friend.id]?.toReceive == Exchange.Files(count: 1, bytes: 200))
    }

    @Test("Changes that the other device has not acknowledged are still to be sent")
    mutating func changes() {
        bench.meet()
        let report = bench.write().report
        bench.handle(.applied(report, from: nil))
        #expect(bench.engine.exchange.peers[bench.friend.id]?.changesToSend == 1)
        let ack = bench.ack(bench.store.watermark, by: bench.friend)
        bench.handle(.ackStored(ack, from: SessionID(1)))
        #expect(bench.engine.exchange.peers[bench.friend.id]?.changesToSend == 0)
    }
}
