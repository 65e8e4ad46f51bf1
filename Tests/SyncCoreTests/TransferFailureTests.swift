import SyncCore
import Testing

@Suite struct TransferFailureTests {
    private let anna = TestDevice(1, person: 1)
    private let ben = TestDevice(2, person: 2)
    private var porter = Porter()

    @Test("A wrong chunk closes the connection at once, and another device brings it")
    mutating func wrongChunk() throws {
        let blob = try #require(TestBlob(1, chunks: 3))
        _ = porter.open(1, anna)
        let list = try #require(porter.want(blob).wants().first)
        _ = porter.have(1, blob.have(list.request))
        let wants = porter.handle(.blobPrepared(blob.id, present: [])).wants()
        let want = try #require(wants.first)
        #expect(porter.chunk(1, want.request, 1).writes == 1)
        let wrong = porter.written(blob, 1, valid: false, from: 1)
        #expect(wrong.closedBulks == [BulkID(1)])
        // Nothing more is asked of a connection that is closing, nor taken from it.
        #expect(wrong.wants().isEmpty)
        #expect(porter.chunk(1, want.request, 2).isEmpty)
        #expect(porter.handle(.bulkClosed(BulkID(1))).wants().isEmpty)
        // It comes back at once and is not asked for this blob for a while.
        #expect(porter.open(2, anna).wants().isEmpty)
        let rest = porter.open(3, ben).wants(on: 3)
        #expect(rest.flatMap { $0.firstChunk..<($0.firstChunk + $0.chunkCount) } == [0, 1, 2])
    }

    @Test("A small blob with wrong bytes costs the connection and is asked of another device")
    mutating func wrongSmall() throws {
        let blob = try #require(TestBlob(1, bytes: 10))
        _ = porter.open(1, anna)
        let want = try #require(porter.want(blob).wants().first)
        _ = porter.have(1, blob.have(want.request))
        let wrong = porter.chunk(1, want.request, 0, [9])
        #expect(wrong.closedBulks == [BulkID(1)])
        #expect(wrong.stored.isEmpty)
        _ = porter.handle(.bulkClosed(BulkID(1)))
        _ = porter.open(2, anna)
        _ = porter.open(3, ben)
        porter.now += Limits.blobRetryMilliseconds * 2 - 1
        #expect(porter.next().wants().map(\.blob) == [blob.id])
        #expect(porter.planner.bulks[BulkID(3)]?.requests.count == 1)
        #expect(porter.planner.bulks[BulkID(2)]?.requests.isEmpty == true)
    }

    @Test("What a space needs no more is not asked for, unless another space names it")
    mutating func unneeded() throws {
        let (gone, kept) = (
            try #require(TestBlob(1, bytes: 10)), try #require(TestBlob(2, bytes: 10))
        )
        let other = SpaceID(Label.commit.hash([7]))
        var elsewhere = kept.need
        elsewhere.space = other
        _ = porter.want(gone, kept)
        _ = porter.handle(.blobsNeeded([elsewhere]))
        _ = porter.handle(.blobsUnneeded(gone.need.space))
        #expect(porter.planner.wanted.needs == [elsewhere])
        #expect(porter.open(1, anna).wants().map(\.blob) == [kept.id])
        // What is on its way already still comes.
        _ = porter.handle(.blobsUnneeded(other))
        #expect(porter.planner.wanted.needs == [elsewhere])
    }

    @Test("A list of another blob closes the connection")
    mutating func wrongList() throws {
        let blob = try #require(TestBlob(1, chunks: 3))
        let other = try #require(TestBlob(2, chunks: 3))
        _ = porter.open(1, anna)
        let want = try #require(porter.want(blob).wants().first)
        let actions = porter.have(1, other.have(want.request))
        #expect(actions.closedBulks == [BulkID(1)])
        #expect(actions.prepares == 0)
        let short = Have(request: 1, held: true, length: .max, chunkHashes: [])
        _ = porter.handle(.bulkClosed(BulkID(1)))
        porter.now += 60_000
        let again = try #require(porter.open(2, anna).wants().first)
        var lie = short
        lie.request = again.request
        #expect(porter.have(2, lie).closedBulks == [BulkID(2)])
    }

    @Test(
        "Three tries in vain are told; the tries go on, and a device that connects is asked at once"
    )
    mutating func fails() throws {
        let blob = try #require(TestBlob(1, bytes: 10))
        _ = porter.want(blob)
        var stalled: [BlobID] = []
        for attempt in 1...3 as ClosedRange<UInt64> {
            #expect(porter.open(attempt, anna).wants().count == 1)
            stalled += porter.handle(.bulkClosed(BulkID(attempt))).stalled
            if attempt < 3 { #expect(porter.open(90 + attempt, anna).wants().isEmpty) }
            _ = porter.handle(.bulkClosed(BulkID(90 + attempt)))
            if attempt < 3 { porter.now += Limits.blobRetryCapMilliseconds * 2 }
        }
        #expect(stalled == [blob.id])
        #expect(porter.planner.wanted.failed == [blob.id])
        let all: (DeviceID, SpaceID) -> Bool = { _, _ in true }
        #expect(!porter.planner.isBusy(shares: all, peers: [anna.id]))
        // It comes back within seconds, and is no news then.
        #expect(porter.open(8, anna).wants().isEmpty)
        let deadline = try #require(porter.planner.nextDeadline)
        #expect(deadline <= porter.now + Limits.bulkRetryCapMilliseconds * 5 / 4)
        porter.now = deadline
        #expect(porter.next().wants().map(\.blob) == [blob.id])
        #expect(porter.handle(.bulkClosed(BulkID(8))).stalled.isEmpty)
        // The same need again changes nothing; a device that returns does.
        _ = porter.open(9, anna)
        #expect(porter.want(blob).wants().isEmpty)
        porter.planner.peerReturned(anna.id)
        #expect(porter.next().wants().map(\.blob) == [blob.id])
        #expect(porter.planner.wanted.failed.isEmpty)
    }

    @Test("A peer that reports a blob again is asked after its pause, also when others refuse it")
    mutating func refusedMeanwhile() throws {
        let blob = try #require(TestBlob(1, bytes: 10))
        func refusal(_ want: Want) -> Have {
            Have(request: want.request, held: false, length: 0, chunkHashes: [])
        }
        _ = porter.open(1, anna)
        let first = try #require(porter.want(blob).wants().first)
        _ = porter.have(1, refusal(first))
        porter.planner.heard(anna.id, lacks: [], isWhole: true, of: TestBlob.space)
        let second = try #require(porter.open(2, ben).wants(on: 2).first)
        #expect(porter.have(2, refusal(second)).wants().isEmpty)
        let deadline = try #require(porter.planner.nextDeadline)
        #expect(deadline <= porter.now + Limits.blobRefusalMilliseconds)
        porter.now = deadline
        #expect(porter.next().wants(on: 1).map(\.blob) == [blob.id])
    }

    @Test("A connection that dies delays only what was being answered on it")
    mutating func deadConnection() throws {
        let blobs = try (1...9 as ClosedRange<UInt64>).map {
            try #require(TestBlob($0, bytes: 10 + Int($0)))
        }
        _ = porter.open(1, anna)
        let wants = porter.handle(.blobsNeeded(blobs.map(\.need))).wants()
        _ = porter.handle(.bulkClosed(BulkID(1)))
        let again = porter.open(2, anna).wants()
        #expect(Set(again.map(\.blob)) == Set(wants.dropFirst().map(\.blob)))
    }

    @Test(
        "A disk that refuses a blob three times has some minutes; a device that connects ends them")
    mutating func refusingDisk() throws {
        let blob = try #require(TestBlob(1, chunks: 2))
        _ = porter.open(1, anna)
        var want = try #require(porter.want(blob).wants().first)
        for attempt in 1...3 {
            _ = porter.have(1, blob.have(want.request))
            // The shell says so once for opening the file, and once for each chunk.
            #expect(porter.handle(.blobFailed(blob.id)).stalled.isEmpty == (attempt < 3))
            #expect(porter.handle(.blobFailed(blob.id)).isEmpty)
            guard attempt < 3 else { break }
            porter.now = try #require(porter.planner.nextDeadline)
            want = try #require(porter.next().wants().first)
        }
        #expect(porter.planner.wanted.failed == [blob.id])
        #expect(
            porter.planner.nextDeadline == porter.now + Limits.statementsIntervalMilliseconds)
        porter.planner.peerReturned(ben.id)
        #expect(porter.next().wants().count == 1)
    }

    @Test("What does not fit on the disk waits for room, and so does what is not smaller")
    mutating func fullDisk() throws {
        // given a large blob that is asked for first, and others
        let large = try #require(TestBlob(1, chunks: 9))
        let larger = try #require(TestBlob(2, chunks: 12))
        let small = try #require(TestBlob(3, bytes: 10))
        _ = porter.open(1, anna)
        let list = try #require(porter.want(large).wants().first)
        _ = porter.have(1, large.have(list.request))
        // when it does not fit
        let unfit = porter.handle(.blobDidNotFit(large.id, bytes: large.list.length))
        // then it is given up at once, and a larger one is not even asked for
        #expect(unfit.stalled == [large.id])
        #expect(unfit.wants().isEmpty)
        #expect(porter.want(larger, small).wants().map(\.blob) == [small.id])
        #expect(porter.planner.wanted.unfitBlobs == [large.id, larger.id])
        // and room brings both
        _ = porter.finish(small)
        let asked = porter.handle(.roomReturned).wants()
        #expect(asked.map(\.blob) == [large.id, larger.id])
        #expect(porter.planner.wanted.unfitBlobs.isEmpty)
    }

    @Test("A blob that does not fit and is given up waits in no space, until it is needed again")
    mutating func forgone() throws {
        // given two that do not fit, one of them named in two spaces
        let film = try #require(TestBlob(1, chunks: 9))
        let kept = try #require(TestBlob(2, chunks: 12))
        var elsewhere = film.need
        elsewhere.space = SpaceID(Label.commit.hash([7]))
        _ = porter.open(1, anna)
        let list = try #require(porter.want(film).wants().first)
        _ = porter.have(1, film.have(list.request))
        _ = porter.handle(.blobDidNotFit(film.id, bytes: film.list.length))
        _ = porter.want(kept)
        _ = porter.handle(.blobsNeeded([elsewhere]))
        // when
        _ = porter.handle(.blobsForgone([film.id]))
        // then
        #expect(porter.planner.wanted.unfitBlobs == [kept.id])
        _ = porter.handle(.blobsNeeded([elsewhere]))
        #expect(porter.planner.wanted.unfitBlobs == [film.id, kept.id])
        // Room brings both, and what is on its way is not given up.
        #expect(porter.handle(.roomReturned).wants().map(\.blob) == [film.id, kept.id])
        _ = porter.handle(.blobsForgone([film.id]))
        #expect(porter.planner.coming.contains(film.id))
    }

    @Test("A blob whose commit lied about its size does not keep others away from a full disk")
    mutating func fullDiskAndALie() throws {
        let liar = try #require(TestBlob(1, chunks: 9, named: 1))
        let honest = try #require(TestBlob(2, chunks: 3))
        _ = porter.open(1, anna)
        let list = try #require(porter.want(liar).wants().first)
        _ = porter.have(1, liar.have(list.request))
        _ = porter.handle(.blobDidNotFit(liar.id, bytes: liar.list.length))
        #expect(porter.want(honest).wants().map(\.blob) == [honest.id])
    }

    @Test("Pauses between tries double, spread a little, and never pass the cap by more")
    func backoff() throws {
        let blob = try #require(TestBlob(1, bytes: 10))
        var fetch = BlobFetch(need: blob.need)
        var last: UInt64 = 0
        for failures in 1...20 {
            fetch.failures = failures
            let pause = fetch.backoff()
            #expect(pause >= last)
            #expect(pause <= Limits.blobRetryCapMilliseconds * 5 / 4)
            last = pause
        }
        fetch.failures = 1
        #expect((1_000...1_250).contains(fetch.backoff()))
        fetch.failures = 2
        #expect((2_000...2_500).contains(fetch.backoff()))
    }

    @Test("A connection without a byte for some seconds is closed once, and no tick spins on it")
    mutating func stuck() throws {
        let blob = try #require(TestBlob(1, chunks: 8))
        _ = porter.open(1, anna)
        _ = porter.want(blob)
        let stall = try #require(porter.planner.nextDeadline)
        #expect(stall == porter.now + Limits.blobStallMilliseconds)
        let deadline = porter.now + Limits.blobSilenceMilliseconds
        porter.now = stall
        #expect(porter.next().isEmpty)
        #expect(porter.planner.nextDeadline == deadline)
        porter.now = deadline - 1
        #expect(porter.next().closedBulks.isEmpty)
        porter.now = deadline
        #expect(porter.next().closedBulks == [BulkID(1)])
        #expect(porter.next().closedBulks.isEmpty)
        #expect(porter.planner.nextDeadline.map { $0 > porter.now } ?? true)
    }

    @Test("A list that comes late has its blob come in the space that it was asked for in")
    mutating func lateList() throws {
        // given a blob that two spaces name, asked for where Anna shares it
        let other = SpaceID(sha256([2]))
        let blob = try #require(TestBlob(1, chunks: 3))
        let again = try #require(TestBlob(1, chunks: 3, space: other))
        porter.sharedSpaces = [TestBlob.space]
        _ = porter.open(1, anna)
        let asked = try #require(porter.want(blob, again).wants().first)
        #expect(asked.space == TestBlob.space)
        // when she says nothing for long, and Ben is asked where he shares it
        porter.now += Limits.blobStallMilliseconds
        porter.sharedSpaces = [other]
        let elsewhere = try #require(porter.open(2, ben).wants(on: 2).first)
        #expect(elsewhere.space == other)
        // then what she says at last counts where she was asked
        #expect(porter.have(1, blob.have(asked.request)).preparedIn == [TestBlob.space])
        #expect(porter.planner.wanted.spaces(naming: blob.id) == [TestBlob.space, other])
    }

    @Test("On a slow network anything that comes keeps the connection, whatever else was asked")
    mutating func slow() throws {
        let blob = try #require(TestBlob(1, chunks: 8))
        let small = try #require(TestBlob(2, bytes: 10))
        _ = porter.open(1, anna)
        let list = try #require(porter.want(blob).wants().first)
        _ = porter.have(1, blob.have(list.request))
        var wants = porter.handle(.blobPrepared(blob.id, present: [])).wants()
        wants += porter.want(small).wants()
        #expect(wants.count == 3)
        for want in wants.dropLast() {
            for index in want.firstChunk..<(want.firstChunk + want.chunkCount) {
                // Bytes of one chunk may come for long.
                for _ in 0..<3 {
                    porter.now += Limits.blobSilenceMilliseconds - 1
                    #expect(porter.handle(.bulkProgressed(BulkID(1))).isEmpty)
                }
                #expect(porter.chunk(1, want.request, Int(index)).closedBulks.isEmpty)
            }
        }
    }

    @Test("A size that the naming commit got wrong, either way, does not keep a blob from coming")
    mutating func wrongSizes() throws {
        let single = try #require(
            TestBlob(1, bytes: 100, kind: .original, named: UInt64(Limits.chunkBytes) * 9))
        _ = porter.open(1, anna)
        let list = try #require(porter.want(single).wants().first)
        #expect(list.chunkCount == 0)
        let asked = try #require(porter.have(1, single.have(list.request)).wants().first)
        #expect(!asked.list)
        #expect(asked.chunkCount == 1)
        #expect(porter.chunk(1, asked.request, 0, single.bytes).stored == [single.bytes])
        _ = porter.finish(single)

        let several = try #require(TestBlob(2, chunks: 3, named: 10))
        let both = try #require(porter.want(several).wants().first)
        #expect(both.chunkCount == 1)
        #expect(porter.have(1, several.have(both.request)).prepares == 1)
        // The chunk that was asked for along with the list is no reason to close.
        #expect(porter.chunk(1, both.request, 0).closedBulks.isEmpty)
        let rest = porter.handle(.blobPrepared(several.id, present: [])).wants()
        #expect(rest.reduce(0) { $0 + $1.chunkCount } == 3)
    }

    @Test("Answers to nothing that was asked close the connection")
    mutating func unasked() throws {
        let blob = try #require(TestBlob(1, chunks: 8))
        for attempt in 0..<4 {
            let bulk = UInt64(attempt + 1)
            porter.now += 100_000
            let opened = porter.open(bulk, anna) + porter.want(blob)
            let list = try #require(opened.wants().last)
            let actions =
                switch attempt {
                case 0: porter.chunk(bulk, 77, 0)
                case 1: porter.chunk(bulk, list.request, 0)
                case 2: porter.have(bulk, blob.have(78))
                default: porter.handle(.bulkReceived(BulkID(bulk), .spaces([], answer: true)))
                }
            #expect(actions.closedBulks == [BulkID(bulk)])
            _ = porter.handle(.bulkClosed(BulkID(bulk)))
            porter.planner.peerReturned(anna.id)
        }
        // Events of connections that are gone, or never were, are nothing.
        #expect(porter.chunk(99, 1, 0).isEmpty)
        #expect(porter.handle(.bulkClosed(BulkID(99))).isEmpty)
    }

    @Test("A blob that this device cannot keep is tried again later")
    mutating func failedHere() throws {
        let blob = try #require(TestBlob(1, bytes: 10))
        _ = porter.open(1, anna)
        let want = try #require(porter.want(blob).wants().first)
        _ = porter.have(1, blob.have(want.request))
        _ = porter.chunk(1, want.request, 0, blob.bytes)
        #expect(porter.handle(.blobFailed(blob.id)).wants().isEmpty)
        let wait = try #require(porter.planner.nextDeadline)
        #expect(wait > porter.now)
        porter.now = wait
        #expect(porter.next().wants().count == 1)
    }

    @Test("A large blob nobody connected can bring does not keep a sync waiting")
    mutating func idleWithoutPeers() throws {
        let blob = try #require(TestBlob(1, chunks: 8))
        _ = porter.open(1, anna)
        let list = try #require(porter.want(blob).wants().first)
        _ = porter.have(1, blob.have(list.request))
        _ = porter.handle(.blobPrepared(blob.id, present: []))
        let all: (DeviceID, SpaceID) -> Bool = { _, _ in true }
        #expect(porter.planner.isBusy(shares: all, peers: [anna.id]))
        _ = porter.handle(.bulkClosed(BulkID(1)))
        #expect(!porter.planner.isBusy(shares: all, peers: []))
        #expect(!porter.planner.isBusy(shares: { _, _ in false }, peers: [anna.id]))
        #expect(porter.planner.isBusy(shares: all, peers: [anna.id]))
    }
}
