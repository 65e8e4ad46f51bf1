import Store
import SyncCore
import Testing

/// The counts of a space's files are kept beside its ledger: whatever happens, they are what the log
/// and the table of blobs say.
@Suite struct BlobCountTests {
    private let testLog = TestLog()
    private let now = Milliseconds(1000)

    private func blob(_ number: UInt64, _ size: UInt64 = 100) -> NamedBlob {
        NamedBlob(blob: BlobID(sha256(bigEndian(number))), size: size, kind: .original)
    }

    @Test("originals of all spaces are each once, with when they came, and no thumbnail")
    func originals() throws {
        // given
        let anna = try TestPeer(TestLog(), seed: 1)
        let space = try anna.found()
        anna.now = Milliseconds(anna.now.value + 5)
        let other = try anna.found()
        let thumbnail = NamedBlob(blob: BlobID(sha256([9])), size: 70_000, kind: .thumbnail)
        try anna.write([], clear: naming([blob(1), blob(2), blob(3), thumbnail]), to: space)
        let first = anna.now
        try anna.write([], clear: naming([blob(1), blob(4)]), to: other)
        let second = anna.now
        for file in [blob(1).blob, thumbnail.blob] { try anna.hold(file, bytes: 70_000, in: space) }
        try anna.store.files.storeSmall([(blob(2).blob, [1])], in: space, now: anna.now)
        try anna.hold(blob(4).blob, bytes: 70_000, in: other)
        // when
        let found = Set(try anna.store.files.originals)
        // then
        #expect(
            found == [
                OriginalBlob(blob: blob(1).blob, isSmall: false, cameAt: first),
                OriginalBlob(blob: blob(2).blob, isSmall: true, cameAt: first),
                OriginalBlob(blob: blob(3).blob, isSmall: false, cameAt: first),
                OriginalBlob(blob: blob(4).blob, isSmall: false, cameAt: second),
            ])
    }

    private func naming(_ blobs: [NamedBlob]) -> ClearPart { ClearPart(blobs: blobs) }

    /// Runs a body with the store in this folder, which has counted nothing yet.
    private func opened<Answer>(
        _ home: String, _ body: (TestPeer) throws -> Answer
    ) throws -> Answer {
        let peer = try TestPeer(testLog, seed: 1, home: home)
        let answer = try body(peer)
        try peer.store.close()
        return answer
    }

    @Test("counts follow what is named, comes, changes its size and is lost")
    func follow() throws {
        // given
        let home = TestPeer.newHome()
        let spaces = try opened(home) { anna in
            let first = try anna.found()
            anna.now = Milliseconds(anna.now.value + 5)
            return [first, try anna.found()]
        }
        let (space, other) = (spaces[0], spaces[1])
        let steps: [(TestPeer) throws -> Void] = [
            { try $0.write([], clear: naming([blob(1), blob(2, 50), blob(1)]), to: space) },
            { try $0.write([], clear: naming([blob(2, 70)]), to: space) },
            { try $0.write([], clear: naming([blob(2), blob(3)]), to: other) },
            { try $0.hold(blob(2).blob, bytes: 60, in: space) },
            { try $0.store.files.storeSmall([(blob(3).blob, [1, 2])], in: other, now: now) },
            { try $0.hold(blob(2).blob, bytes: 60, in: space) },
            { try $0.hold(blob(2).blob, bytes: 60, in: other) },
            { try $0.store.files.markMissing([blob(2).blob, blob(9).blob]) },
            { try $0.store.files.storeSmall([(blob(8).blob, [1])], in: other, now: now) },
        ]
        for (place, step) in steps.enumerated() {
            // when
            let kept = try opened(home) { anna in
                _ = try spaces.map { try anna.store.files.counts(of: $0) }
                try step(anna)
                return try spaces.map { try anna.store.files.counts(of: $0) }
            }
            // then
            let counted = try opened(home) { anna in
                try spaces.map { try anna.store.files.counts(of: $0) }
            }
            #expect(kept == counted, "step \(place)")
        }
        let counts = try opened(home) { try $0.store.files.counts(of: space) }
        #expect((counts.named, counts.verified, counts.namedBytes) == (2, 0, 160))
    }

    @Test("counts follow commits that cease to count")
    func revoked() throws {
        // given a member whose commit names a file
        let home = TestPeer.newHome()
        let ben = try TestPeer(testLog, seed: 2)
        let (space, kept) = try opened(home) { anna in
            let space = try anna.found()
            let grant = try anna.grant(.editor, to: ben, in: space)
            try ben.pull(space, from: anna)
            try anna.write([], clear: naming([blob(1)]), to: space)
            try ben.write([], clear: naming([blob(1), blob(2)]), to: space)
            let cut = try #require(anna.store.ledger(of: space)?.watermark)
            try anna.pull(space, from: ben)
            #expect(try anna.store.files.counts(of: space).named == 2)
            // when that commit is cut off
            let revocation = Revocation(
                grant: grant, remaining: [], cut: cut, scope: .device, cascade: .none)
            try anna.write([], clear: ClearPart(facts: [.revocation(revocation)]), to: space)
            return (space, try anna.store.files.counts(of: space))
        }
        // then
        #expect(kept.named == 1)
        #expect(try kept == opened(home) { try $0.store.files.counts(of: space) })
    }
}
