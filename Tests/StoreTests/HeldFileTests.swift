import Store
import SyncCore
import Testing

/// A file counts in a space once it was imported or received there: naming the hash of what another
/// space holds gives nothing and tells nothing.
@Suite struct HeldFileTests {
    private let testLog = TestLog()
    private let photo = NamedBlob(blob: BlobID(sha256([7])), size: 60, kind: .original)

    private func twoSpaces(_ peer: TestPeer) throws -> (diary: SpaceID, crete: SpaceID) {
        let diary = try peer.found()
        peer.now = Milliseconds(peer.now.value + 5)
        return (diary, try peer.found())
    }

    private var naming: ClearPart { ClearPart(blobs: [photo]) }

    @Test("A commit that names a file of another space finds it missing, and has none of it served")
    func named() throws {
        // given a photo in one space
        let anna = try TestPeer(testLog, seed: 1)
        let (diary, crete) = try twoSpaces(anna)
        try anna.hold(photo.blob, bytes: 60, in: diary)
        try anna.write([], clear: naming, to: diary)
        // when a commit of the other one names it
        let outcome = try anna.write([], clear: naming, to: crete)
        // then
        #expect(outcome.needs == [BlobNeed(photo, in: outcome.space)])
        #expect(try anna.store.files.missing(of: crete) == [photo])
        #expect(try anna.store.files.counts(of: crete).verified == 0)
        #expect(try anna.store.files.servedKind(of: photo.blob, in: crete) == nil)
        #expect(try anna.store.files.servedKind(of: photo.blob, in: diary) != nil)
        #expect(try anna.store.files.missing(of: diary).isEmpty)
        // and when it was received there, too
        #expect(try anna.store.files.hold([photo.blob], in: crete).isEmpty)
        #expect(try anna.store.files.servedKind(of: photo.blob, in: crete) != nil)
        #expect(try anna.store.files.missing(of: crete).isEmpty)
        #expect(try anna.store.files.counts(of: crete).verifiedBytes == 60)
        #expect(try anna.store.files.spaces(holding: photo.blob) == [diary, crete])
    }

    @Test("A file that follows another space counts once it came there, and only there")
    func followed() throws {
        // given a file that one space lacks, and that a third one holds
        let anna = try TestPeer(testLog, seed: 1)
        let (diary, crete) = try twoSpaces(anna)
        peerLater(anna)
        let sydney = try anna.found()
        try anna.hold(photo.blob, bytes: 60, in: diary)
        for space in [crete, sydney] { try anna.write([], clear: naming, to: space) }
        // when
        try anna.store.files.follow([photo.blob], of: crete, in: sydney)
        // then
        #expect(try anna.store.files.spaces(holding: photo.blob) == [diary])
        try anna.hold(photo.blob, bytes: 60, in: diary)
        #expect(try anna.store.files.spaces(holding: photo.blob) == [diary])
        // and when it came
        #expect(try anna.store.files.hold([photo.blob], in: crete).isEmpty)
        #expect(try anna.store.files.spaces(holding: photo.blob) == [diary, crete, sydney])
        #expect(try anna.store.files.counts(of: sydney).verified == 1)
        #expect(try anna.store.files.servedKind(of: photo.blob, in: sydney) != nil)
        // and what is there already follows at once
        peerLater(anna)
        let rome = try anna.found()
        try anna.store.files.follow([photo.blob], of: sydney, in: rome)
        #expect(try anna.store.files.spaces(holding: photo.blob).contains(rome))
    }

    /// Spaces of one device need different times.
    private func peerLater(_ peer: TestPeer) {
        peer.now = Milliseconds(peer.now.value + 5)
    }

    @Test("A file that is lost lacks in every space, and that comes back counts where it counted")
    func lost() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let (diary, crete) = try twoSpaces(anna)
        for space in [diary, crete] { try anna.write([], clear: naming, to: space) }
        try anna.hold(photo.blob, bytes: 60, in: diary)
        // when
        try anna.store.files.markMissing([photo.blob])
        // then
        #expect(try anna.store.files.spaces(holding: photo.blob).isEmpty)
        #expect(try anna.store.files.servedKind(of: photo.blob, in: diary) == nil)
        #expect(try anna.store.files.hold([photo.blob], in: crete) == [photo.blob])
        #expect(try anna.store.files.missing(of: diary) == [photo])
        // when
        let list = try ChunkList(length: 60, hashes: [sha256([1])])
        try anna.store.files.markFound([(photo.blob, list)], namedBy: anna.device, now: anna.now)
        // then
        #expect(try anna.store.files.spaces(holding: photo.blob) == [diary])
        #expect(try anna.store.files.missing(of: crete) == [photo])
    }

    @Test(
        "A file that is not here, a space that is not here and one that the asker may not read are refused alike"
    )
    func refusedAlike() throws {
        // given a file in one space that another one does not name, or names and does not hold
        let anna = try TestPeer(testLog, seed: 1)
        let (diary, crete) = try twoSpaces(anna)
        try anna.hold(photo.blob, bytes: 60, in: diary)
        try anna.write([], clear: naming, to: diary)
        try anna.write([], clear: naming, to: crete)
        let unknown = BlobID(sha256([8]))
        let questions: [(BlobID, SpaceID)] = [
            (photo.blob, crete), (unknown, crete), (photo.blob, .zero), (unknown, .zero),
        ]
        // when each is asked for many times, in turn
        var times = [[Duration]](repeating: [], count: questions.count)
        for _ in 0..<500 {
            for (place, (blob, space)) in questions.enumerated() {
                var isServed = true
                let time = try ContinuousClock().measure {
                    isServed = try anna.store.files.servedKind(of: blob, in: space) != nil
                }
                // then
                #expect(!isServed)
                times[place].append(time)
            }
        }
        let medians = times.map { $0.sorted()[$0.count / 2] }
        let (fastest, slowest) = (medians.min() ?? .zero, medians.max() ?? .zero)
        #expect(slowest < fastest * 3 + .microseconds(20), "\(medians)")
    }

    /// Whom an update of an older store leaves a file with.
    private enum Naming: CaseIterable {
        /// This device named it in both spaces.
        case own
        /// Ben named it in Crete after this device had named it in the diary.
        case stranger
        /// Ben, who writes to the diary, too, named it in Crete.
        case member
        /// Ben named it in Crete, before Cleo did in the diary, where this device fetched it for Ben.
        case first
    }

    /// The same file is named in the diary, in Crete or in both, by who the kind says.
    private func name(
        _ kind: Naming, _ diary: SpaceID, _ crete: SpaceID, _ anna: TestPeer, _ ben: TestPeer,
        _ cleo: TestPeer
    ) throws {
        func benNames() throws {
            try ben.write([], clear: naming, to: crete)
            try anna.pull(crete, from: ben)
        }
        switch kind {
        case .own: for space in [diary, crete] { try anna.write([], clear: naming, to: space) }
        case .stranger:
            try anna.write([], clear: naming, to: diary)
            try benNames()
        case .member:
            try ben.pull(diary, from: anna)
            try ben.write([], to: diary)
            try anna.pull(diary, from: ben)
            try anna.write([], clear: naming, to: diary)
            try benNames()
        case .first:
            try benNames()
            try cleo.write([], clear: naming, to: diary)
            try anna.pull(diary, from: cleo)
        }
    }

    @Test(
        "A store of format 8 counts files where this device or somebody who had them named them",
        arguments: Naming.allCases)
    private func update(_ kind: Naming) throws {
        // given
        let home = TestPeer.newHome()
        let anna = try TestPeer(testLog, seed: 1, home: home)
        let (ben, cleo) = (try TestPeer(testLog, seed: 2), try TestPeer(testLog, seed: 3))
        let (diary, crete) = try twoSpaces(anna)
        try anna.grant(.contributor, to: ben, in: crete)
        try anna.grant(.contributor, to: cleo, in: diary)
        if kind == .member { try anna.grant(.contributor, to: ben, in: diary) }
        try ben.pull(crete, from: anna)
        try cleo.pull(diary, from: anna)
        try name(kind, diary, crete, anna, ben, cleo)
        try anna.hold(photo.blob, bytes: 60, in: diary)
        try anna.store.close()
        try execute(
            OpeningTests.sinceFormat11 + """
                DROP INDEX commits_without_effect; DROP TABLE blob_spaces;
                PRAGMA user_version = 8
                """, in: home)
        // when
        let again = try TestPeer(testLog, seed: 1, home: home)
        try again.store.files.place(namedBy: again.device)
        // then
        let expected: Set<SpaceID> =
            switch kind {
            case .own, .member: [diary, crete]
            case .stranger: [diary]
            case .first: [crete]
            }
        #expect(try again.store.files.spaces(holding: photo.blob) == expected)
        for space in [diary, crete] {
            #expect(try again.store.files.missing(of: space).isEmpty == expected.contains(space))
        }
    }
}
