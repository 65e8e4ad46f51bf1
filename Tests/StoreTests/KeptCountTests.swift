import Store
import SyncCore
import TestKit
import Testing

/// What is counted once and kept up from then on is, whatever happens, what the tables say.
@Suite struct KeptCountTests {
    @Test(
        "counts of files and records follow random work on a space",
        arguments: TestSeeds.some(8))
    func random(seed: UInt64) throws {
        var world = try World(seed: seed)
        for step in 0..<120 {
            let done = try world.work()
            for peer in world.peers {
                try check(peer.store, world.space, "seed \(seed) step \(step): \(done)")
            }
        }
    }

    @Test("collections whose names are other bytes of the same characters are counted apart")
    func collectionNames() throws {
        // given a name with a whole letter, and with a letter and its accent
        let peer = try TestPeer(TestLog(), seed: 1)
        let space = try peer.found()
        let names = ["caf\u{E9}", "cafe\u{301}"]
        func write(_ name: String, _ number: UInt64) throws {
            let write = Write(field: "title", value: .text("x"))
            try peer.write(
                [RecordOperation(collection: name, record: record(number), writes: [write])],
                to: space)
        }
        for (number, name) in [names[0], names[0], names[1]].enumerated() {
            try write(name, UInt64(number))
        }
        func counts(on peer: TestPeer) throws -> [Int] {
            try names.map { try peer.store.records.count(of: space, in: $0) }
        }
        // then
        #expect(try counts(on: peer) == [2, 1])
        try peer.store.close()
        let again = try TestPeer(peer.testLog, seed: 1, home: peer.home)
        #expect(try counts(on: again) == [2, 1])
    }

    private func check(_ store: SyncStore, _ space: SpaceID, _ when: Comment) throws {
        let counts = try store.files.counts(of: space)
        let named = try store.files.named(of: space)
        let missing = try store.files.missing(of: space)
        for (kind, kept) in [(true, counts.thumbnails), (false, counts.originals)] {
            let all = named.filter { ($0.kind == .thumbnail) == kind }
            let lacking = missing.filter { ($0.kind == .thumbnail) == kind }
            #expect((kept.count, kept.missing) == (all.count, lacking.count), when)
            #expect(kept.bytes == all.reduce(0) { $0 + $1.size }, when)
            #expect(kept.missingBytes == lacking.reduce(0) { $0 + $1.size }, when)
        }
        #expect((counts.named, counts.missing) == (named.count, missing.count), when)
        let (shown, totals) = try (store.files.shown(of: space), store.files.shownTotals(of: space))
        #expect(totals.count == shown.count, when)
        #expect(
            totals.bytes == named.filter { shown.contains($0.blob) }.reduce(0) { $0 + $1.size },
            when)
        // Of one that was received the size is known.
        let gone = Set(missing.map(\.blob))
        let sizes = try named.map { ($0.blob, try #require(try store.files.blob($0.blob)).size) }
        #expect(counts.namedBytes == sizes.reduce(0) { $0 + $1.1 }, when)
        let held = sizes.filter { !gone.contains($0.0) }
        #expect(
            (counts.verified, counts.verifiedBytes) == (held.count, held.reduce(0) { $0 + $1.1 }))
        // Looked up one by one they are the same.
        let found = try store.files.named(Set(named.map(\.blob) + [.zero]), in: space)
        #expect(Set(found.map(\.named)) == Set(named), when)
        #expect(Set(found.filter { !$0.isHeld }.map(\.named.blob)) == gone, when)
        let said = Holdings(
            space: space, device: DeviceID(sha256([77])), counter: 1, held: 0,
            missing: (0..<9).map { BlobID(sha256(bigEndian($0))) }, missingCount: 9,
            missingBytes: 0)
        #expect(
            try store.files.thumbnails(lackedBy: said)
                == Set(named.filter { $0.kind == .thumbnail }.map(\.blob)), when)
        for collection in TestPeer.schema.collections.map(\.name) {
            let shown = try store.records.counts(of: space)[collection] ?? 0
            let deleted = try store.records.deleted(of: space, in: collection).count
            #expect(
                try store.records.count(of: space, in: collection) == shown + deleted, when)
        }
    }

    /// A founder, a member, and the member's twin, whose log forks when both write.
    private struct World {
        let peers: [TestPeer]
        let space: SpaceID
        let other: SpaceID
        private var grant: FactReference
        private var random: SeededGenerator

        init(seed: UInt64) throws {
            let testLog = TestLog()
            random = SeededGenerator(seed: seed)
            let founder = try TestPeer(testLog, seed: 1)
            let member = try TestPeer(testLog, seed: 2)
            let twin = try TestPeer(testLog, seed: 2)
            twin.log = member.log
            space = try founder.found()
            founder.now = Milliseconds(founder.now.value + 5)
            other = try founder.found()
            grant = try founder.grant(.editor, to: member, in: space)
            peers = [founder, member, twin]
            for peer in [member, twin] { try peer.pull(space, from: founder) }
        }

        /// Does something; says what.
        mutating func work() throws -> String {
            let peer = peers[Int.random(in: 0..<3, using: &random)]
            let blob = blob()
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<6:
                let blobs = (0..<Int.random(in: 0...3, using: &random)).map { _ in self.blob() }
                let title = titled("t", .random(in: 0..<20, using: &random))
                try ignoringRefusal {
                    try peer.write([title], clear: ClearPart(blobs: blobs), to: space)
                }
                return "write"
            case 6:
                let number = UInt64.random(in: 0..<20, using: &random)
                try ignoringRefusal { try peer.write([deleted(number)], to: space) }
                return "delete"
            case 7, 8:
                try peer.hold(blob.blob, bytes: .random(in: 1...60, using: &random), in: space)
                return "hold"
            case 9:
                try peer.store.files.storeSmall([(blob.blob, [1, 2, 3])], in: space, now: peer.now)
                return "store"
            case 10:
                try peers[0].hold(blob.blob, bytes: 7, in: other)
                return "hold elsewhere"
            case 11:
                _ = try peer.store.files.hold([blob.blob], in: space)
                return "hold again"
            case 12:
                try peer.store.files.markMissing([blob.blob, self.blob().blob])
                return "lose"
            case 13..<17: return try exchange()
            case 17: return try revoke()
            case 18:
                try peer.store.records.rebuild(space)
                return "rebuild"
            default:
                try peer.store.records.remakeAll()
                return "remake"
            }
        }

        private mutating func exchange() throws -> String {
            let pair = peers.shuffled(using: &random)
            try pair[0].pull(space, from: pair[1])
            return "exchange"
        }

        /// The member's commits beyond what the founder has cease to count, and it may write again.
        private mutating func revoke() throws -> String {
            let (founder, member) = (peers[0], peers[1])
            let cut = founder.store.ledger(of: space)?.watermark ?? Watermark()
            try founder.pull(space, from: member)
            let revocation = Revocation(
                grant: grant, remaining: [], cut: cut, scope: .device, cascade: .none)
            try founder.write([], clear: ClearPart(facts: [.revocation(revocation)]), to: space)
            grant = try founder.grant(.editor, to: member, in: space)
            return "revoke"
        }

        private mutating func blob() -> NamedBlob {
            NamedBlob(
                blob: BlobID(sha256(bigEndian(UInt64.random(in: 0..<8, using: &random)))),
                size: .random(in: 1...99, using: &random),
                kind: [.original, .thumbnail, .track].randomElement(using: &random) ?? .original)
        }

        /// One that was revoked, or whose log forked, may not write.
        private func ignoringRefusal(_ body: () throws -> Void) throws {
            do {
                try body()
            } catch StoreError.permissionRefused {
            } catch StoreError.refused {
            }
        }
    }
}
