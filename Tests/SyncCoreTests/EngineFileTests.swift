import SyncCore
import Testing

/// One engine alone: files, the connections they come on, and what others say of them.
@Suite struct EngineFileTests {
    private var bench = Bench()

    private mutating func lack(_ blob: TestBlob) -> [EngineAction] {
        let need = BlobNeed(
            blob: blob.id, space: bench.space, size: blob.need.size, kind: .original)
        return bench.handle(.blobsNeeded([need]))
    }

    private func holdings(
        of device: TestDevice, _ counter: UInt64, missing: [BlobID]
    ) -> UnverifiedHoldings {
        let said = Holdings(
            space: bench.space, device: device.id, counter: counter, held: 0, missing: missing,
            missingCount: UInt64(missing.count), missingBytes: 0)
        return UnverifiedHoldings(said, bytes: [], signature: [])
    }

    @Test("The engine knows which open requests ask for thumbnails")
    mutating func thumbnails() throws {
        // given
        let photo = try #require(TestBlob(1, bytes: 5000, kind: .original))
        let thumbnail = try #require(TestBlob(2, bytes: 900))
        bench.meet()
        bench.handle(.bulkOpened(BulkID(1), bench.friend.id))
        let needs = [photo, thumbnail].map {
            BlobNeed(
                blob: $0.id, space: bench.space, size: $0.need.size, kind: $0.need.kind)
        }
        // when
        let wants = bench.handle(.blobsNeeded(needs)).wants()
        // then
        #expect(Set(wants.map(\.blob)) == [photo.id, thumbnail.id])
        for want in wants {
            let isThumbnail = bench.engine.isThumbnail(want.request, on: BulkID(1))
            #expect(isThumbnail == (want.blob == thumbnail.id))
            #expect(!bench.engine.isThumbnail(want.request, on: BulkID(2)))
        }
    }

    @Test("A file that failed on dead connections comes within seconds, although no session is new")
    mutating func failedFile() throws {
        // given a file that failed three times
        let blob = try #require(TestBlob(1, chunks: 1))
        bench.meet()
        _ = lack(blob)
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(bench.handle(.bulkOpened(BulkID(number), bench.friend.id)).wants().count == 1)
            bench.handle(.bulkClosed(BulkID(number)))
            if number < 3 { bench.now += 2 * Limits.blobRetryCapMilliseconds }
        }
        let failed = bench.engine.traffic(in: bench.space, at: Instant(bench.now))
        #expect(failed.failed == [blob.id])
        #expect(bench.handle(.bulkOpened(BulkID(4), bench.friend.id)).wants().isEmpty)
        // when the session goes on
        bench.now += try #require(failed.retryMilliseconds)
        let later = bench.handle(.tick)
        // then
        #expect(later.wants().map(\.blob) == [blob.id])
    }

    @Test(
        "Dials a holder when no connected peer has the file", arguments: [true, false])
    mutating func farFile(isNear: Bool) throws {
        // given a third member, who has all files
        let blob = try #require(TestBlob(1, bytes: 10))
        let third = TestDevice(4, person: 4)
        let grant = MembershipFact.grant(third.grant(from: bench.root, .all))
        bench.handle(.applied(bench.write(TestDraft(facts: [grant])).report, from: nil))
        for (device, lacks) in [(third, false), (bench.friend, !isNear)] {
            let said = Holdings(
                space: bench.space, device: device.id, counter: 1, held: 1,
                missing: lacks ? [blob.id] : [], missingCount: lacks ? 1 : 0, missingBytes: 0)
            bench.handle(
                .holdingsLoaded(UnverifiedHoldings(said, bytes: [], signature: [])))
        }
        bench.meet()
        // when a file is needed that the friend has, or has not
        bench.handle(
            .blobsNeeded([
                BlobNeed(blob: blob.id, space: bench.space, size: 1, kind: .original)
            ]))
        bench.now += Limits.seekingMilliseconds
        // then
        let sought = bench.handle(.tick).compactMap { action in
            if case .seek(let devices) = action { devices } else { nil }
        }
        #expect(sought == (isNear ? [] : [[third.id]]))
    }

    @Test("A file is asked for as soon as a connected device says that it holds it")
    mutating func announced() throws {
        // given a friend who lacks a file, too
        let blob = try #require(TestBlob(1, bytes: 10))
        bench.meet()
        bench.handle(.bulkOpened(BulkID(1), bench.friend.id))
        bench.handle(
            .holdingsStored(
                holdings(of: bench.friend, 1, missing: [blob.id]), from: SessionID(1)))
        #expect(lack(blob).wants().isEmpty)
        // when it gets it
        let news = bench.handle(
            .holdingsStored(holdings(of: bench.friend, 2, missing: []), from: SessionID(1)))
        // then
        #expect(news.wants().map(\.blob) == [blob.id])
    }

    @Test(
        "A device that does not have what it said corrects what is believed, until it says it again"
    )
    mutating func corrected() throws {
        // given a friend who said that it holds a file
        let blob = try #require(TestBlob(1, bytes: 10))
        bench.meet()
        bench.handle(.bulkOpened(BulkID(1), bench.friend.id))
        let said = holdings(of: bench.friend, 1, missing: [])
        bench.handle(.holdingsStored(said, from: SessionID(1)))
        let want = try #require(lack(blob).wants().first)
        // when it does not give it
        let missing = Have(request: want.request, held: false, length: 0, chunkHashes: [])
        bench.handle(.bulkReceived(BulkID(1), .have(missing)))
        // then it counts as lacking it and is not asked
        var traffic: Traffic { bench.engine.traffic(in: bench.space, at: Instant(bench.now)) }
        #expect(traffic.refused == [bench.friend.id: [blob.id]])
        bench.now += 60_000
        #expect(bench.handle(.tick).wants().isEmpty)
        // and when it says again that it holds it
        let again = bench.receive(.holdings(said))
        #expect(again.wants().map(\.blob) == [blob.id])
    }

    @Test(
        "Whether a peer may read the space that it names makes no difference on the way to an answer"
    )
    mutating func refusedAlike() throws {
        bench.meet()
        bench.handle(.bulkOpened(BulkID(1), bench.friend.id))
        for space in [bench.space, SpaceID(sha256([99]))] {
            let want = Want(
                request: 1, space: space, blob: BlobID(sha256([1])), list: true, firstChunk: 0,
                chunkCount: 0)
            let actions = bench.handle(.bulkReceived(BulkID(1), .want(want)))
            let served = actions.filter { if case .serve = $0 { true } else { false } }
            #expect(served.count == 1 && actions.count == 1)
        }
    }

    @Test("A file that is found lost here is reported to all, and fetched from a holder")
    mutating func lostHere() throws {
        // given
        let blob = try #require(TestBlob(1, bytes: 10))
        bench.meet()
        bench.handle(.bulkOpened(BulkID(1), bench.friend.id))
        bench.handle(.tick)
        bench.now += Limits.holdingsIntervalMilliseconds
        bench.handle(.tick)
        // when
        let found = lack(blob)
        bench.now += Limits.holdingsIntervalMilliseconds
        let told = bench.handle(.tick)
        // then
        #expect(found.wants().map(\.blob) == [blob.id])
        #expect(
            (found + told).contains { action in
                if case .reportHoldings(bench.space) = action { true } else { false }
            })
    }

    @Test(
        "A peer that says nothing is asked when somebody looks, and given up when it stays silent")
    mutating func silentPeer() {
        bench.meet()
        bench.now += Limits.quietMilliseconds
        let asked = bench.handle(.connectionsLookedAt).comparisons()
        #expect(asked.count == 1)
        bench.receive(.comparison(asked[0]))
        #expect(bench.handle(.connectionsLookedAt).comparisons().isEmpty)
        bench.now += Limits.quietMilliseconds
        #expect(bench.handle(.connectionsLookedAt).comparisons().count == 1)
        #expect(bench.handle(.tick).closed.isEmpty)
        bench.now += Limits.answerMilliseconds
        #expect(bench.handle(.tick).closed == [SessionID(1): .silent])
    }
}
