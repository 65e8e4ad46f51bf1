import Foundation
import Store
import SyncCore
import TestKit
import Testing

/// Bytes of a store that are not what was written: nothing wrong is shown, nothing that is whole is
/// lost, and what another device has comes again.
@Suite struct RotTests {
    /// Two devices with the same two spaces, closed, and what they show.
    private struct Household {
        let testLog = TestLog()
        let anna: String
        let ben: TestPeer
        let spaces: [SpaceID]
        let states: [[[StoredRecord]]]
        let commits: [[CommitID: EncodedCommit]]
        let log: LogID

        init(records: UInt64 = 60) throws {
            let anna = try TestPeer(testLog, seed: 1)
            ben = try TestPeer(testLog, seed: 2)
            spaces = try [anna.found(), ben.found()]
            try anna.grant(.editor, to: ben, in: spaces[0])
            try ben.grant(.editor, to: anna, in: spaces[1])
            for number in 0..<records {
                try anna.write(
                    [titled("Arezzo \(number)", number), tagged("tag \(number % 7)", number)],
                    to: spaces[0])
                if number % 20 == 3 { try Household.exchange(anna, ben, spaces) }
                if number % 10 == 5 {
                    try ben.write([written("Warm water \(number)", number)], to: spaces[0])
                    try ben.write([titled("Siena \(number)", number)], to: spaces[1])
                }
            }
            try Household.exchange(anna, ben, spaces)
            try anna.store.settings.set("device_name", to: "laptop")
            let small = [UInt8](repeating: 5, count: 900)
            try anna.store.files.storeSmall(
                [(try BlobHash.chunkList(of: small).blobID, small)], in: spaces[0], now: anna.now)
            states = try spaces.map { try anna.states($0) }
            commits = try spaces.map { try Household.commits(of: $0, anna) }
            log = anna.log
            self.anna = anna.home
            try anna.store.close()
        }

        static func exchange(
            _ anna: TestPeer, _ ben: TestPeer, _ spaces: [SpaceID]
        ) throws {
            for space in spaces {
                for (to, from) in [(ben, anna), (anna, ben)]
                where from.store.ledger(of: space) != nil {
                    try to.pull(space, from: from)
                }
            }
        }

        static func commits(
            of space: SpaceID, _ peer: TestPeer
        ) throws -> [CommitID: EncodedCommit] {
            guard peer.store.ledger(of: space) != nil else { return [:] }
            let found = try peer.commits(of: space, byteLimit: 1 << 20)
            return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.encoded) })
        }

        /// Anna's store in a folder of its own, spoiled.
        func spoiled(_ spoil: (inout [UInt8]) -> Void) throws -> String {
            let home = TestPeer.newHome()
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
            let from = URL(filePath: anna + "/store.sqlite")
            var bytes = [UInt8](try Data(contentsOf: from))
            spoil(&bytes)
            try Data(bytes).write(to: URL(filePath: home + "/store.sqlite"))
            return home
        }

        /// Opens a spoiled store and expects that all it has is true, and that Ben's commits heal it.
        func expectHealing(_ home: String, _ comment: Comment) throws -> TestPeer {
            let peer = try TestPeer(testLog, seed: 1, home: home)
            #expect(try peer.store.integrityCheck() == [], comment)
            let remade = try peer.store.examination.compareShown()
            #expect(remade.faults == [] && !remade.isIndexBroken, comment)
            for (index, space) in spaces.enumerated() {
                for (id, bytes) in try Household.commits(of: space, peer) {
                    #expect(commits[index][id] == bytes, comment)
                }
                try peer.pull(space, from: ben)
                #expect(try Household.commits(of: space, peer) == commits[index], comment)
                #expect(try peer.states(space) == states[index], comment)
            }
            #expect(try peer.store.stranded.lostChanges() == [], comment)
            return peer
        }
    }

    @Test("however a file is spoiled, what is shown is true, and another device heals the rest")
    func anyDamage() throws {
        let household = try Household()
        let count = ProcessInfo.processInfo.environment["ROT_TRIALS"].flatMap(UInt64.init) ?? 100
        for seed in TestSeeds.some(count) {
            var random = SeededGenerator(seed: seed)
            let kind = Spoiling.allCases.randomElement(using: &random) ?? .bit
            let home = try household.spoiled { kind.spoil(&$0, &random) }
            defer { try? FileManager.default.removeItem(atPath: home) }
            let peer = try household.expectHealing(home, "seed \(seed), \(kind)")
            try peer.write([titled("later", 900)], to: household.spaces[0])
            try peer.store.close()
        }
    }

    @Test("each page can go, and what stands in few of them is there all the same")
    func everyPage() throws {
        let household = try Household(records: 12)
        let pages = try Data(contentsOf: URL(filePath: household.anna + "/store.sqlite")).count
        for page in 0..<pages / PageSeal.pageBytes {
            let home = try household.spoiled { bytes in
                for place in 0..<PageSeal.pageBytes {
                    bytes[page * PageSeal.pageBytes + place] = 0
                }
            }
            defer { try? FileManager.default.removeItem(atPath: home) }
            let peer = try household.expectHealing(home, "page \(page + 1)")
            #expect(
                try peer.store.settings.value(of: "device_name") == "laptop", "page \(page + 1)")
            #expect(peer.store.rebuilt != nil || page == 0, "page \(page + 1)")
            try peer.store.close()
        }
    }

    @Test(
        "what only this device has waits for the damaged change before it, and comes back with it")
    func stranded() throws {
        // given a device with changes that nobody else has, and damage in one that others have
        let household = try Household()
        let anna = try TestPeer(household.testLog, seed: 1, home: household.anna)
        anna.log = household.log
        let space = household.spaces[0]
        try anna.write([titled("only here", 800)], to: space)
        let states = try anna.states(space)
        let target = try #require(
            try anna.commits(of: space, byteLimit: 1 << 20).first {
                $0.header.log == household.log && $0.header.sequence == 20
            })
        try anna.store.close()
        let home = try household.spoiled { bytes in
            damage(target.encoded, in: &bytes)
        }
        // when it is opened, then the rest waits and it is said what is missing
        let opened = try TestPeer(household.testLog, seed: 1, home: home)
        let lost = try opened.store.stranded.lostChanges()
        #expect(lost.map(\.count) == [1] && lost.first?.log == household.log)
        #expect(try opened.store.incarnation() != household.log.incarnation)
        #expect(try opened.shown(800, in: space) == nil)
        #expect(
            try opened.store.orphans.counts(in: space).contains {
                $0.device == opened.device && $0.reason == .gap && $0.untold > 0
            })
        let copy = try #require(opened.store.rebuilt?.copy)
        #expect(FileManager.default.fileExists(atPath: home + "/" + copy))
        // when the other device sends what it has, then all of it is there, signed as it was
        try opened.pull(space, from: household.ben)
        #expect(try opened.states(space) == states)
        #expect(try opened.store.stranded.lostChanges() == [])
        #expect(try opened.store.orphans.counts(in: space) == [])
        let again = try opened.commits(of: space, byteLimit: 1 << 20)
        #expect(again.contains { $0.encoded == target.encoded })
    }

    @Test("one bit that turned in any page takes nothing, although no other device is there")
    func singleBits() throws {
        let household = try Household(records: 12)
        let size = try Data(contentsOf: URL(filePath: household.anna + "/store.sqlite")).count
        var random = SeededGenerator(seed: TestSeeds.some(1).lowerBound)
        for page in 0..<size / PageSeal.pageBytes {
            let place = page * PageSeal.pageBytes + .random(in: 0..<4096, using: &random)
            let bit = UInt8.random(in: 0..<8, using: &random)
            let home = try household.spoiled { $0[place] ^= 1 << bit }
            defer { try? FileManager.default.removeItem(atPath: home) }
            let peer = try TestPeer(household.testLog, seed: 1, home: home)
            for (space, states) in zip(household.spaces, household.states) {
                #expect(try peer.states(space) == states, "byte \(place)")
            }
            #expect(try peer.store.stranded.lostChanges() == [], "byte \(place)")
            #expect(try peer.store.settings.value(of: "device_name") == "laptop", "byte \(place)")
            try peer.store.close()
        }
    }

    @Test("own changes beyond a gap are counted and written again, and the gap may close later")
    func beyondGap() throws {
        // given a device alone with its changes, and two wrong bits in one of them
        let testLog = TestLog()
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        for number in 0..<20 as Range<UInt64> { try anna.write([titled("t", number)], to: space) }
        try anna.write([titled("new words", 15)], to: space)
        let states = try anna.states(space)
        let all = try anna.commits(of: space, byteLimit: 1 << 20)
        let target = try #require(all.first { $0.header.sequence == 8 })
        try close(anna, damaging: target.encoded)
        // when
        let opened = try TestPeer(testLog, seed: 1, home: anna.home)
        opened.now = Milliseconds(anna.now.value + 1000)
        // then
        #expect(try opened.store.stranded.lostChanges().map(\.count) == [1])
        let waiting = all.count - 8
        #expect(
            try opened.store.orphans.counts(in: space) == [
                OrphanCount(
                    device: opened.device, reason: .gap, waiting: waiting, untold: waiting)
            ])
        #expect(try opened.shown(15, in: space) == nil)
        // when
        opened.log = LogID(device: opened.device, incarnation: try opened.store.incarnation())
        #expect(try opened.recoverAll(in: space) == waiting)
        // then all but the damaged one is shown, the later words over the earlier ones
        #expect(try opened.store.orphans.counts(in: space).isEmpty)
        #expect(try opened.titles(space, 15) == [.text("new words")])
        #expect(try opened.shown(19, in: space) != nil)
        #expect(try opened.store.records.conflicts(of: space).isEmpty)
        // when the damaged one comes back
        _ = try opened.store.log.apply(all, to: space, now: opened.now)
        // then it is shown as before, with nothing twice
        #expect(try opened.store.stranded.lostChanges() == [])
        #expect(try opened.titles(space, 15) == [.text("new words")])
        #expect(try opened.states(space).map(\.count) == states.map(\.count))
    }

    @Test(
        "what was listed beyond a gap no longer waits once the gap is closed, and nothing is corrupt"
    )
    func gapClosedMeanwhile() throws {
        // given a list of changes that wait for a damaged one
        let testLog = TestLog()
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        for number in 0..<12 as Range<UInt64> { try anna.write([titled("t", number)], to: space) }
        let all = try anna.commits(of: space, byteLimit: 1 << 20)
        let target = try #require(all.first { $0.header.sequence == 6 })
        try close(anna, damaging: target.encoded)
        let opened = try TestPeer(testLog, seed: 1, home: anna.home)
        opened.log = LogID(device: opened.device, incarnation: try opened.store.incarnation())
        let listed = try opened.store.orphans.all(in: space)
        let first = try #require(listed.waiting.first)
        #expect(first.reason == .gap)
        // when the damaged one comes again before they are recovered
        _ = try opened.store.log.apply(all, to: space, now: opened.now)
        // then
        #expect(throws: StoreError.noLongerWaiting) {
            try opened.recover(first, of: listed, in: space)
        }
        #expect(throws: StoreError.noLongerWaiting) {
            try opened.store.orphans.content(of: first)
        }
        #expect(opened.store.writeFailure == nil)
        try opened.write([titled("after", 20)], to: space)
        #expect(try opened.titles(space, 11) == [.text("t")])
    }

    @Test(
        "damage that comes while the store is open is no answer, and is healed at the next opening")
    func whileOpen() throws {
        let household = try Household()
        let peer = try TestPeer(household.testLog, seed: 1, home: household.anna)
        let file = try FileHandle(forUpdating: URL(filePath: household.anna + "/store.sqlite"))
        let size = try file.seekToEnd()
        for page in 1..<size / UInt64(PageSeal.pageBytes) {
            try file.seek(toOffset: page * UInt64(PageSeal.pageBytes) + 300)
            try file.write(contentsOf: Data([0xA5, 0x5A]))
        }
        try file.close()
        #expect(throws: StoreError.self) {
            for space in household.spaces { _ = try peer.states(space) }
        }
        #expect(peer.store.writeFailure != nil)
        #expect(throws: StoreError.self) { try peer.store.settings.set("a", to: "b") }
        try peer.store.close()
    }

    @Test("transactions in a WAL that rotted are not dropped in silence")
    func wal() throws {
        let testLog = TestLog()
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        for number in 0..<30 as Range<UInt64> { try anna.write([titled("t", number)], to: space) }
        let all = try anna.commits(of: space, byteLimit: 1 << 20).map(\.id)
        let home = TestPeer.newHome()
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        for name in ["store.sqlite", "store.sqlite-wal"] {
            var bytes = [UInt8](
                try Data(contentsOf: URL(filePath: anna.home + "/" + name)))
            if name.hasSuffix("wal") { bytes[bytes.count / 3] ^= 0x40 }
            try Data(bytes).write(to: URL(filePath: home + "/" + name))
        }
        let opened = try TestPeer(testLog, seed: 1, home: home)
        #expect(opened.store.rebuilt != nil)
        #expect(try opened.store.incarnation() != anna.log.incarnation)
        let found = try opened.commits(of: space, byteLimit: 1 << 20).map(\.id)
        #expect(found == Array(all.prefix(found.count)) && found.count + 1 >= all.count)
    }

    /// Changes a byte of a commit's header, wherever it stands.
    private func damage(_ commit: EncodedCommit, in file: inout [UInt8]) {
        for place in places(of: commit.header, in: file) { file[place + 40] ^= 3 }
    }

    private func close(_ peer: TestPeer, damaging commit: EncodedCommit) throws {
        try peer.store.close()
        let store = URL(filePath: peer.home + "/store.sqlite")
        var bytes = [UInt8](try Data(contentsOf: store))
        damage(commit, in: &bytes)
        try Data(bytes).write(to: store)
    }

    private func places(of bytes: [UInt8], in file: [UInt8]) -> [Int] {
        let start = bytes.prefix(200)
        return file.indices.filter { place in
            file[place] == start[0] && file[place...].starts(with: start)
        }
    }
}

/// What disks do to bytes.
private enum Spoiling: CaseIterable {
    case bit, bytes, zeroPage, fullPage, noise, truncation, misplacedPage, wide

    func spoil(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let size = PageSeal.pageBytes
        let pages = bytes.count / size
        let page = Int.random(in: 0..<pages, using: &random) * size
        let range = page..<page + size
        switch self {
        case .bit:
            let place = Int.random(in: bytes.indices, using: &random)
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case .bytes:
            for _ in 0..<20 {
                let place = Int.random(in: range, using: &random)
                bytes[place] = .random(in: 0...255, using: &random)
            }
        case .zeroPage: for place in range { bytes[place] = 0 }
        case .fullPage: for place in range { bytes[place] = 0xFF }
        case .noise: for place in range { bytes[place] = .random(in: 0...255, using: &random) }
        case .truncation:
            bytes.removeLast(bytes.count - Int.random(in: size..<bytes.count, using: &random))
        case .misplacedPage:
            let other = Int.random(in: 0..<pages, using: &random) * size
            for place in 0..<size { bytes[page + place] = bytes[other + place] }
        case .wide:
            for _ in 0..<200 {
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
    }
}
