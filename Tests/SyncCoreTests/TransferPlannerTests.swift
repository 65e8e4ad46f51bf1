import SyncCore
import Testing

@Suite struct TransferPlannerTests {
    private let anna = TestDevice(1, person: 1)
    private let ben = TestDevice(2, person: 2)
    private var porter = Porter()

    /// A large blob whose list has been fetched from connection 1.
    private mutating func listed(_ blob: TestBlob, present: Set<Int> = []) -> [EngineAction] {
        let asked = porter.want(blob).wants(on: 1)
        guard let want = asked.first else { return [] }
        let prepare = porter.have(1, blob.have(want.request))
        #expect(prepare.prepares == 1)
        return porter.handle(.blobPrepared(blob.id, present: present))
    }

    @Test("Thumbnails first, then what is small, tracks, then media, the largest last")
    mutating func priorities() throws {
        let big = try #require(TestBlob(1, chunks: 9))
        let medium = try #require(TestBlob(2, chunks: 3))
        let track = try #require(TestBlob(3, chunks: 20, kind: .track))
        let small = try #require(TestBlob(4, bytes: 5000, kind: .original))
        let thumbnail = try #require(TestBlob(5, bytes: 90_000))
        #expect(porter.want(big, small, track, thumbnail, medium).isEmpty)
        let wants = porter.open(1, anna).wants()
        #expect(wants.map(\.blob) == [thumbnail.id, small.id, track.id, medium.id, big.id])
        // Small ones come with their content, large ones with their list first.
        #expect(wants.allSatisfy { $0.list })
        #expect(wants.map(\.chunkCount) == [1, 1, 0, 0, 0])
        #expect(Set(wants.map(\.request)).count == 5)
    }

    @Test("A blob that two spaces name is asked for under the one that the peer shares")
    mutating func twoSpaces() throws {
        let other = SpaceID(sha256([2]))
        let blob = try #require(TestBlob(1, chunks: 1))
        let again = try #require(TestBlob(1, chunks: 1, space: other))
        porter.sharedSpaces = [other]
        _ = porter.open(1, anna)
        #expect(porter.want(blob).wants().isEmpty)
        #expect(porter.want(again).wants().map(\.space) == [other])
        #expect(porter.planner.wanted.spaces(naming: blob.id) == [TestBlob.space, other])
    }

    @Test("What came in one space is asked for again in another one, and counts in neither before")
    mutating func eachSpace() throws {
        // given a blob that two spaces name
        let other = SpaceID(sha256([2]))
        let blob = try #require(TestBlob(1, bytes: 5000))
        _ = porter.open(1, anna)
        let first = try #require(porter.want(blob).wants().first)
        let again = BlobNeed(blob: blob.id, space: other, size: 5000, kind: .thumbnail)
        #expect(porter.handle(.blobsNeeded([again])).wants().isEmpty)
        _ = porter.have(1, blob.have(first.request))
        let stored = porter.chunk(1, first.request, 0, blob.bytes)
        #expect(stored.storedIn == [TestBlob.space])
        // when it is here for one
        let second = try #require(porter.finish(blob).wants().first)
        // then it comes for the other, too
        #expect(second.space == other)
        _ = porter.have(1, blob.have(second.request))
        #expect(porter.chunk(1, second.request, 0, blob.bytes).storedIn == [other])
        #expect(porter.finish(blob, in: [TestBlob.space, other]).isEmpty)
        #expect(porter.planner.wanted.isIdle)
    }

    @Test("A large blob starts again in another space when no peer continues it in the first")
    mutating func beginsAnew() throws {
        // given a blob of which a part came in the first space
        let other = SpaceID(sha256([2]))
        let blob = try #require(TestBlob(1, chunks: 3))
        let again = try #require(TestBlob(1, chunks: 3, space: other))
        porter.sharedSpaces = [TestBlob.space]
        _ = porter.open(1, anna)
        let asked = try #require(listed(blob).wants().first)
        _ = porter.want(again)
        _ = porter.chunk(1, asked.request, 0)
        _ = porter.written(blob, 0, from: 1)
        // when only members of the other one are connected
        porter.sharedSpaces = [other]
        _ = porter.handle(.bulkClosed(BulkID(1)))
        let list = try #require(porter.open(2, ben).wants().first)
        // then its list is asked for there, and it counts there
        #expect(list.space == other && list.list)
        let prepare = porter.have(2, blob.have(list.request))
        #expect(prepare.preparedIn == [other])
        let chunks = porter.handle(.blobPrepared(blob.id, present: []))
        #expect(chunks.wants().map(\.space) == [other])
    }

    @Test("A small blob comes in one request and is handed on whole")
    mutating func small() throws {
        let blob = try #require(TestBlob(1, bytes: 5000))
        _ = porter.open(1, anna)
        let want = try #require(porter.want(blob).wants().first)
        #expect(porter.have(1, blob.have(want.request)).isEmpty)
        #expect(porter.chunk(1, want.request, 0, blob.bytes).stored == [blob.bytes])
        #expect(porter.finish(blob).isEmpty)
        #expect(porter.planner.wanted.isIdle)
        #expect(porter.planner.wanted.paused.isEmpty && porter.planner.wanted.large.isEmpty)
        #expect(porter.planner.nextDeadline == nil)
    }

    @Test("An empty blob needs no chunk")
    mutating func empty() throws {
        let blob = try #require(TestBlob(1, bytes: 0))
        _ = porter.open(1, anna)
        let want = try #require(porter.want(blob).wants().first)
        #expect(porter.have(1, blob.have(want.request)).stored == [[]])
    }

    @Test("A blob of one chunk that is not small is written as a file")
    mutating func oneChunkFile() throws {
        let blob = try #require(TestBlob(1, bytes: Limits.smallBlobBytes))
        _ = porter.open(1, anna)
        let want = try #require(porter.want(blob).wants().first)
        _ = porter.have(1, blob.have(want.request))
        let arrived = porter.chunk(1, want.request, 0, blob.bytes)
        #expect(arrived.prepares == 1)
        #expect(arrived.writes == 1)
        #expect(porter.handle(.blobPrepared(blob.id, present: [])).isEmpty)
        #expect(porter.written(blob, 0, from: 1).finishes == 1)
    }

    @Test("A large blob is asked for in runs, within the room, each chunk once, and finished once")
    mutating func large() throws {
        let blob = try #require(TestBlob(1, chunks: 50))
        _ = porter.open(1, anna)
        var open = listed(blob).wants()
        var asked: [Int] = []
        var finishes = 0
        var written = 0
        while !open.isEmpty {
            #expect(open.count <= Limits.blobRequestsPerConnection)
            let bytes = open.reduce(0) { $0 + Int($1.chunkCount) * Limits.chunkBytes }
            let run = Limits.chunksPerRequest * Limits.chunkBytes
            #expect(bytes < Int(Limits.blobBytesInFlight) + run)
            let want = open.removeFirst()
            for index in Int(want.firstChunk)..<Int(want.firstChunk + want.chunkCount) {
                asked.append(index)
                let arrived = porter.chunk(1, want.request, index)
                #expect(arrived.writes == 1)
                let done = porter.written(blob, index, from: 1)
                written += 1
                finishes += done.finishes
                #expect(done.finishes == (written == 50 ? 1 : 0))
                open += arrived.wants() + done.wants()
            }
        }
        #expect(asked == Array(0..<50))
        #expect(finishes == 1)
    }

    @Test("No more requests are open than a connection has room for")
    mutating func room() throws {
        _ = porter.open(1, anna)
        var open = 0
        for number in 0..<100 as Range<UInt64> {
            open +=
                porter.want(try #require(TestBlob(number, bytes: 100 + Int(number)))).wants().count
        }
        #expect(open == Limits.blobRequestsPerConnection)
        #expect(porter.open(2, ben).wants(on: 2).count == Limits.blobRequestsPerConnection)
    }

    @Test("Several connections share one large blob, and no chunk comes twice")
    mutating func shared() throws {
        let blob = try #require(TestBlob(1, chunks: 40))
        _ = porter.open(1, anna)
        let first = listed(blob).wants(on: 1)
        let second = porter.open(2, ben).wants(on: 2)
        let chunks = (first + second).flatMap { $0.firstChunk..<($0.firstChunk + $0.chunkCount) }
        #expect(!first.isEmpty && !second.isEmpty)
        #expect(Set(chunks).count == chunks.count)
    }

    @Test("What a broken transfer left is not asked for again")
    mutating func resumed() throws {
        let blob = try #require(TestBlob(1, chunks: 6))
        _ = porter.open(1, anna)
        let wants = listed(blob, present: [0, 1, 4]).wants()
        let chunks = wants.flatMap { $0.firstChunk..<($0.firstChunk + $0.chunkCount) }
        #expect(chunks.sorted() == [2, 3, 5])
    }

    @Test("A blob whose chunks are all here is finished without asking anybody")
    mutating func resumedWhole() throws {
        let blob = try #require(TestBlob(1, chunks: 3))
        _ = porter.open(1, anna)
        let actions = listed(blob, present: [0, 1, 2])
        #expect(actions.finishes == 1)
        #expect(actions.wants().isEmpty)
    }

    @Test("A connection lost half-way keeps what is verified; another one brings the rest")
    mutating func lostConnection() throws {
        let blob = try #require(TestBlob(1, chunks: 8))
        _ = porter.open(1, anna)
        let wants = listed(blob).wants()
        let first = try #require(wants.first)
        for index in 0..<2 {
            _ = porter.chunk(1, first.request, index)
            _ = porter.written(blob, index, from: 1)
        }
        #expect(porter.handle(.bulkClosed(BulkID(1))).isEmpty)
        let rest = porter.open(2, ben).wants(on: 2)
        let chunks = rest.flatMap { Int($0.firstChunk)..<Int($0.firstChunk + $0.chunkCount) }
        #expect(chunks == Array(2..<8))
        #expect(rest.allSatisfy { !$0.list })
    }

    @Test("Only peers that hold a space with the blob are asked")
    mutating func strangers() throws {
        let blob = try #require(TestBlob(1, bytes: 10))
        porter.strangers = [anna.id]
        _ = porter.open(1, anna)
        #expect(porter.want(blob).wants().isEmpty)
        #expect(porter.open(2, ben).wants().map(\.blob) == [blob.id])
    }

    @Test(
        "A blob that one device lacks is asked of another at once, of the same one when it has it")
    mutating func lacking() throws {
        let blob = try #require(TestBlob(1, bytes: 10))
        _ = porter.open(1, anna)
        let want = try #require(porter.want(blob).wants().first)
        let missing = Have(request: want.request, held: false, length: 0, chunkHashes: [])
        #expect(porter.have(1, missing).wants().isEmpty)
        let other = try #require(porter.open(2, ben).wants(on: 2).first)
        let again = Have(request: other.request, held: false, length: 0, chunkHashes: [])
        #expect(porter.have(2, again).wants().isEmpty)
        #expect(
            porter.planner.wanted.refusals.lasting(in: TestBlob.space) == [
                anna.id: [blob.id], ben.id: [blob.id],
            ])
        // Nobody is asked in vain while nothing is new.
        porter.now += Limits.blobRetryCapMilliseconds
        #expect(porter.next().wants().isEmpty)
        #expect(porter.planner.nextDeadline == nil)
        // One says that it lacks it, then that it has it.
        porter.planner.heard(anna.id, lacks: [blob.id], isWhole: true, of: TestBlob.space)
        #expect(porter.next().wants().isEmpty)
        porter.planner.heard(anna.id, lacks: [], isWhole: true, of: TestBlob.space)
        #expect(porter.next().wants(on: 1).count == 1)
        #expect(porter.planner.wanted.refusals.lasting(in: TestBlob.space) == [ben.id: [blob.id]])
    }

    @Test("A device that refuses what it says it holds is asked again ever later")
    mutating func liar() throws {
        let blob = try #require(TestBlob(1, bytes: 10))
        _ = porter.open(1, anna)
        var want = try #require(porter.want(blob).wants().first)
        for times in 0..<6 as Range<UInt64> {
            let missing = Have(request: want.request, held: false, length: 0, chunkHashes: [])
            #expect(porter.have(1, missing).wants().isEmpty)
            porter.planner.heard(anna.id, lacks: [], isWhole: true, of: TestBlob.space)
            #expect(porter.next().wants().isEmpty)
            let deadline = try #require(porter.planner.nextDeadline)
            let pause = min(
                Limits.blobRefusalMilliseconds << min(times, 4), Limits.blobRetryCapMilliseconds)
            #expect(deadline == porter.now + pause)
            porter.now = deadline
            want = try #require(porter.next().wants().first)
        }
    }

    @Test("A peer that refused a file is asked again when it may know of the grant")
    mutating func grantedAgain() throws {
        let blob = try #require(TestBlob(1, bytes: 10))
        _ = porter.open(1, anna)
        let want = try #require(porter.want(blob).wants().first)
        let refusal = Have(request: want.request, held: false, length: 0, chunkHashes: [])
        #expect(porter.have(1, refusal).wants().isEmpty)
        porter.now += Limits.blobRefusalMilliseconds
        #expect(porter.next().wants().isEmpty)
        let other = SpaceID(Label.commit.hash([7]))
        porter.planner.wanted.reconsider(anna.id, in: other)
        porter.planner.wanted.permissionsChanged(in: other)
        #expect(porter.next().wants().isEmpty)
        // It acknowledged commits of the space.
        porter.planner.wanted.reconsider(anna.id, in: TestBlob.space)
        let second = try #require(porter.next().wants().first)
        let again = Have(request: second.request, held: false, length: 0, chunkHashes: [])
        // This device learned something of who may read the space: not before the pause is over.
        #expect(porter.have(1, again).wants().isEmpty)
        porter.planner.wanted.permissionsChanged(in: TestBlob.space)
        #expect(porter.next().wants().isEmpty)
        porter.now = try #require(porter.planner.nextDeadline)
        #expect(porter.next().wants().map(\.blob) == [blob.id])
    }

    @Test("Nobody is asked for what it said it lacks")
    mutating func saidToLack() throws {
        let blob = try #require(TestBlob(1, bytes: 10))
        porter.planner.heard(anna.id, lacks: [blob.id], isWhole: true, of: TestBlob.space)
        _ = porter.open(1, anna)
        #expect(porter.want(blob).wants().isEmpty)
        #expect(porter.open(2, ben).wants(on: 2).map(\.blob) == [blob.id])
    }

    @Test("What a silent connection does not bring is asked of another one within seconds")
    mutating func silent() throws {
        // given two connections, and a large and a small blob asked of the first
        let large = try #require(TestBlob(1, chunks: 4))
        let small = try #require(TestBlob(2, bytes: 10))
        _ = porter.open(1, anna)
        let asked = listed(large).wants() + porter.want(small).wants()
        #expect(porter.open(2, ben).wants().isEmpty)
        // when nothing comes
        porter.now = try #require(porter.planner.nextDeadline)
        let again = porter.next()
        // then the second is asked for both
        #expect(Set(again.wants(on: 2).map(\.blob)) == [large.id, small.id])
        #expect(again.closedBulks.isEmpty)
        // and what comes of the first all the same is taken, once
        let first = try #require(asked.first)
        #expect(porter.chunk(1, first.request, 0).writes == 1)
        _ = porter.written(large, 0, from: 1)
        let second = try #require(again.wants(on: 2).first { $0.blob == large.id })
        #expect(porter.chunk(2, second.request, 0).writes == 0)
    }

    @Test("A list that comes late of a silent connection that then ends leaves nothing waiting")
    mutating func lateList() throws {
        // given a blob of one chunk asked of two, as the first was silent
        let blob = try #require(TestBlob(1, bytes: 90_000))
        _ = porter.open(1, anna)
        let want = try #require(porter.want(blob).wants().first)
        _ = porter.open(2, ben)
        porter.now += Limits.blobStallMilliseconds
        let other = try #require(porter.next().wants(on: 2).first)
        // when the first sends the list and ends, and the second has nothing
        _ = porter.have(1, blob.have(want.request))
        let missing = Have(request: other.request, held: false, length: 0, chunkHashes: [])
        _ = porter.have(2, missing)
        _ = porter.handle(.bulkClosed(BulkID(1)))
        porter.now += Limits.bulkRetryCapMilliseconds
        // then the next one is asked
        #expect(porter.open(3, anna).wants().map(\.blob) == [blob.id])
    }

    @Test("With nobody else to ask, what a silent connection was asked for stays asked for")
    mutating func silentAlone() throws {
        let blob = try #require(TestBlob(1, bytes: 10))
        _ = porter.open(1, anna)
        let want = try #require(porter.want(blob).wants().first)
        porter.now += Limits.blobStallMilliseconds
        #expect(porter.next().wants().isEmpty)
        #expect(porter.have(1, blob.have(want.request)).wants().isEmpty)
        #expect(porter.chunk(1, want.request, 0, blob.bytes).stored == [blob.bytes])
    }

    @Test("A blob that a device refuses in one space is asked of it in another one that names it")
    mutating func refusedInOneSpace() throws {
        // given a blob that two spaces name, both of them shared
        let other = SpaceID(sha256([2]))
        let blob = try #require(TestBlob(1, chunks: 1))
        let again = try #require(TestBlob(1, chunks: 1, space: other))
        _ = porter.want(blob)
        _ = porter.want(again)
        let want = try #require(porter.open(1, anna).wants().first)
        #expect(want.space == TestBlob.space)
        // when the device gives nothing of the first space any more
        let refused = Have(request: want.request, held: false, length: 0, chunkHashes: [])
        let second = try #require(porter.have(1, refused).wants().first)
        // then
        #expect(second.space == other)
        let lost = Have(request: second.request, held: false, length: 0, chunkHashes: [])
        #expect(porter.have(1, lost).wants().isEmpty)
    }

    @Test("A holder that loses a large blob half-way leaves the rest to others")
    mutating func lostByHolder() throws {
        let blob = try #require(TestBlob(1, chunks: 30))
        _ = porter.open(1, anna)
        let first = listed(blob).wants(on: 1)
        let second = porter.open(2, ben).wants(on: 2)
        let lost = try #require(first.first)
        let missing = Have(request: lost.request, held: false, length: 0, chunkHashes: [])
        #expect(porter.have(1, missing).wants(on: 1).isEmpty)
        // What the other was asked for is still taken.
        let other = try #require(second.first)
        let arrived = porter.chunk(2, other.request, Int(other.firstChunk))
        #expect(arrived.writes == 1)
        #expect(porter.planner.wanted.large == [blob.id])
    }
}
