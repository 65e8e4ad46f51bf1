import Foundation
import Store
import SyncCore
import TestKit
import Testing
import VirtualDisk

/// What lies beside a database says what it has to hold: an empty or older one is never taken for all
/// there was, and it is said what is missing.
@Suite struct StoreMarkTests {
    private let testLog = TestLog()

    /// Anna with a space that Ben has too and one that only she has, a paired device and a setting; her
    /// store is closed.
    private struct Scene {
        let anna: TestPeer
        let ben: TestPeer
        let shared: SpaceID
        let own: SpaceID
        let state: [[StoredRecord]]

        init(_ testLog: TestLog) throws {
            anna = try TestPeer(testLog, seed: 1)
            ben = try TestPeer(testLog, seed: 2)
            (shared, own) = (try anna.found(), try anna.found())
            try anna.grant(.editor, to: ben, in: shared)
            for number in 1...5 as ClosedRange<UInt64> {
                try anna.write([titled("Arezzo \(number)", number)], to: shared)
            }
            try anna.write([titled("mine", 1)], to: own)
            try ben.pull(shared, from: anna)
            let content = try #require(ben.card.links.last?.content)
            try anna.store.devices.storePairing(
                StoredDevice(
                    card: Card(verified: ben.card, content: content), deviceName: "pad",
                    personName: "Ben", pairedAt: anna.now),
                addresses: [DeviceAddress(host: "ben.local", port: 7, source: .added)])
            try anna.store.settings.set(["card": "0aff", "sync": "off"])
            state = try anna.states(shared)
            try anna.store.close()
        }

        var path: String { anna.home + "/store.sqlite" }
    }

    private func remove(_ paths: String...) throws {
        for path in paths { try FileManager.default.removeItem(atPath: path) }
    }

    @Test("of a database that is gone it is known what it held, and another device heals the rest")
    func gone() throws {
        // given
        let scene = try Scene(testLog)
        try remove(scene.path)
        // when
        let again = try TestPeer(testLog, seed: 1, home: scene.anna.home)
        // then
        let store = again.store
        #expect(store.spaces.emptied == [scene.shared, scene.own])
        #expect(store.spaces.standing(of: scene.shared) == .active)
        #expect(try store.devices.all().map(\.personName) == ["Ben"])
        #expect(try store.devices.addresses(of: scene.ben.device).map(\.host) == ["ben.local"])
        #expect(try store.settings.all() == ["card": "0aff", "sync": "off"])
        let incarnation = try store.incarnation()
        #expect(incarnation != scene.anna.log.incarnation)
        // when
        try again.pull(scene.shared, from: scene.ben)
        // then
        #expect(try again.states(scene.shared) == scene.state)
        #expect(store.spaces.emptied == [scene.own])
        try store.close()
        // It is not forgotten with the next opening, and nothing is begun anew a second time.
        let third = try TestPeer(testLog, seed: 1, home: scene.anna.home)
        #expect(third.store.spaces.emptied == [scene.own])
        #expect(try third.store.incarnation() == incarnation)
        #expect(try third.store.stranded.lostChanges().map(\.space) == [scene.own])
    }

    @Test("of a database that was cut short the spaces and devices are known")
    func cut() throws {
        let scene = try Scene(testLog)
        let file = try FileHandle(forUpdating: URL(filePath: scene.path))
        try file.truncate(atOffset: 4096 * 3)
        try file.close()

        let again = try TestPeer(testLog, seed: 1, home: scene.anna.home)

        #expect(again.store.rebuilt != nil)
        #expect(again.store.spaces.emptied == [scene.shared, scene.own])
        #expect(try again.store.devices.all().map(\.deviceName) == ["pad"])
        #expect(try again.store.settings.value(of: "card") == "0aff")
        #expect(
            try StoreExamination.damagedCopies(in: scene.anna.home) == ["store.damaged.1.sqlite"])
    }

    @Test(
        "answered changes that went with the WAL are counted, and their places are not used again")
    func withoutWAL() throws {
        // given a process that ended in the middle of its work
        let disk = VirtualDisk(seed: 1)
        let anna = try TestPeer(testLog, seed: 1, on: disk)
        let space = try anna.found()
        try anna.store.close()
        let open = try TestPeer(testLog, seed: 1, on: disk)
        open.log = anna.log
        for number in 1...5 as ClosedRange<UInt64> {
            try open.write([titled("new", number)], to: space)
        }
        disk.endProcess()
        // when
        disk.spoil(VirtualDisk.store + "-wal") { $0 = [] }
        // then
        let again = try TestPeer(testLog, seed: 1, on: disk)
        #expect(try again.store.stranded.lostChanges().map(\.count) == [5])
        #expect(try again.store.incarnation() != anna.log.incarnation)
        #expect(again.store.spaces.emptied == [])
    }

    @Test("changes of others that went with the WAL are counted until they are here again")
    func withoutChangesOfOthers() throws {
        // given
        let disk = VirtualDisk(seed: 1)
        let anna = try TestPeer(testLog, seed: 1, on: disk)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        try anna.store.close()
        let open = try TestPeer(testLog, seed: 1, on: disk)
        open.log = anna.log
        for number in 1...3 as ClosedRange<UInt64> {
            try ben.write([titled("theirs", number)], to: space)
        }
        try open.pull(space, from: ben)
        disk.endProcess()
        // when
        disk.spoil(VirtualDisk.store + "-wal") { $0 = [] }
        // then
        let again = try TestPeer(testLog, seed: 1, on: disk)
        let lost = try again.store.stranded.lostChanges()
        #expect(lost.map(\.count) == [3])
        #expect(lost.map(\.log) == [ben.log])
        #expect(try again.store.incarnation() == anna.log.incarnation)
        // when
        try again.pull(space, from: ben)
        // then
        #expect(try again.store.stranded.lostChanges() == [])
    }

    @Test("a space whose first change was damaged is opened by its copy, and its changes come back")
    func genesis() throws {
        // given
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        for number in 1...9 as ClosedRange<UInt64> {
            try anna.write([titled("Arezzo \(number)", number)], to: space)
        }
        let genesis = try #require(try anna.commits(of: space, byteLimit: 1 << 20).first)
        try anna.store.close()
        let store = URL(filePath: anna.home + "/store.sqlite")
        var bytes = [UInt8](try Data(contentsOf: store))
        let header = Data(genesis.encoded.header)
        while let range = Data(bytes).range(of: header) {
            for place in range { bytes[place] ^= 0xFF }
        }
        try Data(bytes).write(to: store)
        // when
        let again = try TestPeer(testLog, seed: 1, home: anna.home)
        again.now = Milliseconds(anna.now.value + 1000)
        again.log = LogID(device: again.device, incarnation: try again.store.incarnation())
        // then
        #expect(again.store.spaces.emptied == [])
        #expect(try again.commits(of: space, byteLimit: 1 << 20).count == 10)
        #expect(try again.store.stranded.lostChanges() == [])
        #expect(try again.shown(9, in: space) != nil)
    }

    @Test("an older database is brought to what was so since: settings, and which spaces were left")
    func older() throws {
        // given
        let scene = try Scene(testLog)
        let older = try Data(contentsOf: URL(filePath: scene.path))
        let anna = try TestPeer(testLog, seed: 1, home: scene.anna.home)
        anna.log = scene.anna.log
        anna.now = Milliseconds(scene.anna.now.value + 1000)
        let next = try anna.found()
        try anna.store.settings.set("card", to: "0bff")
        try anna.store.spaces.setStanding(of: scene.own, to: .left, now: anna.now)
        try anna.store.close()
        // when
        try older.write(to: URL(filePath: scene.path))
        // then
        let again = try TestPeer(testLog, seed: 1, home: scene.anna.home)
        #expect(again.store.spaces.emptied == [next])
        #expect(again.store.spaces.standing(of: scene.own) == .left)
        #expect(again.store.spaces.standing(of: scene.shared) == .active)
        #expect(try again.store.settings.all() == ["card": "0bff", "sync": "off"])
        #expect(try again.states(scene.shared) == scene.state)
    }

    @Test(
        "an older database knows what was taken back or forgotten since: a trip that was declined, a device, a setting"
    )
    func olderThanForgotten() throws {
        // given a device that is paired, and a space that was offered
        let scene = try Scene(testLog)
        let offered = SpaceID(sha256([5]))
        let offering = try TestPeer(testLog, seed: 1, home: scene.anna.home)
        let offer = Offer(title: "Crete", from: "Ben", flags: .editor, bytes: 7)
        #expect(try offering.store.spaces.saveOffer(offer, of: offered, by: scene.ben.device))
        try offering.store.close()
        let older = try Data(contentsOf: URL(filePath: scene.path))
        let anna = try TestPeer(testLog, seed: 1, home: scene.anna.home)
        try anna.store.spaces.setStanding(of: offered, to: .left, now: anna.now)
        try anna.store.devices.forget(scene.ben.device, now: anna.now)
        try anna.store.settings.set("sync", to: nil)
        try anna.store.close()
        // when
        try older.write(to: URL(filePath: scene.path))
        // then
        let again = try TestPeer(testLog, seed: 1, home: scene.anna.home)
        #expect(again.store.spaces.standing(of: offered) == .left)
        #expect(try again.store.devices.device(scene.ben.device)?.isPaired == false)
        #expect(try again.store.settings.all() == ["card": "0aff"])
    }

    @Test("an older database that knows a device from a trip knows that it was paired with since")
    func olderThanPairing() throws {
        // given
        let scene = try Scene(testLog)
        let anna = try TestPeer(testLog, seed: 1, home: scene.anna.home)
        var ben = try #require(try anna.store.devices.device(scene.ben.device))
        let pairedAt = ben.pairedAt
        ben.pairedAt = nil
        try anna.store.devices.save(ben)
        try anna.store.close()
        let older = try Data(contentsOf: URL(filePath: scene.path))
        let pairing = try TestPeer(testLog, seed: 1, home: scene.anna.home)
        ben.pairedAt = pairedAt
        try pairing.store.devices.storePairing(ben, addresses: [])
        try pairing.store.close()
        // when
        try older.write(to: URL(filePath: scene.path))
        // then
        let again = try TestPeer(testLog, seed: 1, home: scene.anna.home)
        #expect(try again.store.devices.device(scene.ben.device)?.isPaired == true)
    }

    @Test("a mark that could not be written does not take back what the database says since")
    func olderMark() throws {
        // given a mark of before
        let scene = try Scene(testLog)
        let mark = URL(filePath: scene.anna.home + "/store.mark")
        let older = try Data(contentsOf: mark)
        let anna = try TestPeer(testLog, seed: 1, home: scene.anna.home)
        try anna.store.devices.forget(scene.ben.device, now: anna.now)
        try anna.store.spaces.setStanding(of: scene.own, to: .offered, now: anna.now)
        try anna.store.close()
        // when
        try older.write(to: mark)
        // then
        for _ in 1...2 {
            let again = try TestPeer(testLog, seed: 1, home: scene.anna.home)
            #expect(try again.store.devices.device(scene.ben.device)?.isPaired == false)
            #expect(again.store.spaces.standing(of: scene.own) == .offered)
            try again.store.close()
        }
    }

    @Test("an older database does not ask again for a trip that was accepted and is still empty")
    func accepted() throws {
        // given a space that was offered, and accepted later
        let ben = try TestPeer(testLog, seed: 2)
        let space = SpaceID(sha256([5]))
        let offer = Offer(title: "Crete", from: "Anna", flags: .editor, bytes: 7)
        #expect(try ben.store.spaces.saveOffer(offer, of: space, by: ben.device))
        try ben.store.close()
        let path = URL(filePath: ben.home + "/store.sqlite")
        let older = try Data(contentsOf: path)
        let accepting = try TestPeer(testLog, seed: 2, home: ben.home)
        try accepting.store.spaces.setStanding(of: space, to: .active, now: ben.now)
        try accepting.store.close()
        // when
        try older.write(to: path)
        // then
        let again = try TestPeer(testLog, seed: 2, home: ben.home)
        #expect(again.store.spaces.standing(of: space) == .active)
    }

    @Test("whenever the power goes, nothing is missed that is there")
    func powerCuts() throws {
        for seed in TestSeeds.some(60) {
            var random = SeededGenerator(seed: seed)
            let disk = VirtualDisk(seed: seed)
            var anna = try TestPeer(testLog, seed: 1, on: disk)
            let log = anna.log
            let space = try anna.found()
            for number in 1...6 as ClosedRange<UInt64> {
                try anna.write([titled("new", number)], to: space)
                if Bool.random(using: &random) {
                    try anna.store.settings.set("name", to: "\(number)")
                }
                guard Bool.random(using: &random) else { continue }
                disk.powerCut(random: &random)
                anna = try TestPeer(testLog, seed: 1, on: disk)
                anna.log = log
                #expect(try anna.store.incarnation() == log.incarnation, "seed \(seed)")
                #expect(try anna.store.stranded.lostChanges() == [], "seed \(seed)")
                #expect(anna.store.spaces.emptied == [], "seed \(seed)")
            }
        }
    }

    @Test("what lies beside a database that is whole may be anything")
    func spoiledMark() throws {
        let scene = try Scene(testLog)
        for name in ["store.mark", "store.heads"] {
            let file = URL(filePath: scene.anna.home + "/" + name)
            var bytes = [UInt8](try Data(contentsOf: file))
            bytes[bytes.count / 2] ^= 1
            try Data(bytes).write(to: file)
        }
        for _ in 1...2 {
            let again = try TestPeer(testLog, seed: 1, home: scene.anna.home)
            #expect(again.store.spaces.emptied == [])
            #expect(try again.store.stranded.lostChanges() == [])
            #expect(try again.store.incarnation() == scene.anna.log.incarnation)
            #expect(try again.states(scene.shared) == scene.state)
            try again.store.close()
        }
    }

    @Test("without room for the mark a pairing is refused, and none that was answered is lost")
    func noRoomForMark() throws {
        let ben = try TestPeer(testLog, seed: 2)
        let content = try #require(ben.card.links.last?.content)
        var refused = 0
        for room in stride(from: 0, through: 40 << 10, by: 512) as StrideThrough<UInt64> {
            // given
            let disk = VirtualDisk(seed: 1)
            let anna = try TestPeer(testLog, seed: 1, on: disk)
            let space = try anna.found()
            let pad = StoredDevice(
                card: Card(verified: ben.card, content: content), deviceName: "pad",
                personName: "Ben", pairedAt: anna.now)
            let offered = SpaceID(sha256([5]))
            let offer = Offer(title: "Crete", from: "Ben", flags: .editor, bytes: 7)
            #expect(try anna.store.spaces.saveOffer(offer, of: offered, by: ben.device))
            disk.setCapacity(bytes: disk.usedBytes + room)
            // when
            var (isPaired, isAccepted) = (true, true)
            do {
                try anna.store.devices.storePairing(pad, addresses: [])
            } catch {
                #expect(error as? StoreError == .diskFull, "\(room)")
                isPaired = false
            }
            do {
                try anna.store.spaces.setStanding(of: offered, to: .active, now: anna.now)
            } catch {
                #expect(error as? StoreError == .diskFull, "\(room)")
                isAccepted = false
            }
            refused += isPaired ? 0 : 1
            // then
            #expect(try anna.store.devices.all().map(\.isPaired) == (isPaired ? [true] : []))
            disk.endProcess()
            disk.setCapacity(bytes: nil)
            for suffix in ["", "-wal"] { disk.spoil(VirtualDisk.store + suffix) { $0 = [] } }
            let again = try TestPeer(testLog, seed: 1, on: disk)
            let names = try again.store.devices.all().map(\.personName)
            #expect(names == (isPaired ? ["Ben"] : []), "\(room)")
            #expect(
                again.store.spaces.standing(of: offered) == (isAccepted ? .active : .offered),
                "\(room)")
            #expect(again.store.spaces.standing(of: space) == .active, "\(room)")
        }
        #expect(refused > 0 && refused < 81)
    }

    @Test("a pairing that found no room for the mark can be made once there is room")
    func roomForMark() throws {
        // given
        let disk = VirtualDisk(seed: 1)
        let anna = try TestPeer(testLog, seed: 1, on: disk)
        let ben = try TestPeer(testLog, seed: 2)
        let content = try #require(ben.card.links.last?.content)
        let pad = StoredDevice(
            card: Card(verified: ben.card, content: content), deviceName: "pad",
            personName: "Ben", pairedAt: anna.now)
        disk.setCapacity(bytes: disk.usedBytes)
        #expect(throws: StoreError.diskFull) {
            try anna.store.devices.storePairing(pad, addresses: [])
        }
        disk.setCapacity(bytes: nil)
        // when
        try anna.store.devices.storePairing(pad, addresses: [])
        // then
        #expect(try anna.store.devices.all().map(\.isPaired) == [true])
        disk.endProcess()
        // Of a process that ended in the middle.
        let next = disk.place().beside("store.mark.next")
        try next.replace(with: [1])
        for suffix in ["", "-wal"] { disk.spoil(VirtualDisk.store + suffix) { $0 = [] } }
        let again = try TestPeer(testLog, seed: 1, on: disk)
        #expect(try again.store.devices.all().map(\.personName) == ["Ben"])
        #expect(try next.read("", at: 0, 1).isEmpty)
    }

    @Test("a mark keeps the first change of an emptied space, whichever read fails")
    func unreadMark() throws {
        var refused = 0
        for reads in 0..<40 {
            // given
            let disk = VirtualDisk(seed: 1)
            let anna = try TestPeer(testLog, seed: 1, on: disk)
            let space = try anna.found()
            let genesis = try #require(try anna.commits(of: space, byteLimit: 1 << 20).first)
            disk.endProcess()
            for suffix in ["", "-wal"] { disk.spoil(VirtualDisk.store + suffix) { $0 = [] } }
            let again = try TestPeer(testLog, seed: 1, on: disk)
            #expect(again.store.spaces.emptied == [space])
            // when
            disk.fail(after: reads, of: .read)
            do {
                try again.store.settings.set("name", to: "laptop")
            } catch is StoreError {
                refused += 1
            }
            // then
            disk.mend()
            let mark = try disk.place().beside("store.mark").read("", at: 0, 1 << 20)
            #expect(
                Data(mark).range(of: Data(genesis.encoded.header)) != nil, "after \(reads) reads")
        }
        #expect(refused < 40)
    }

    @Test("what was taken back or forgotten does not come back by the mark")
    func takenBack() throws {
        let scene = try Scene(testLog)
        let anna = try TestPeer(testLog, seed: 1, home: scene.anna.home)
        try anna.store.settings.set("sync", to: nil)
        try anna.store.devices.forget(scene.ben.device, now: anna.now)
        try anna.store.spaces.setStanding(of: scene.own, to: .left, now: anna.now)
        try anna.store.close()
        try remove(scene.path)

        let again = try TestPeer(testLog, seed: 1, home: scene.anna.home)

        #expect(try again.store.settings.all() == ["card": "0aff"])
        #expect(try again.store.devices.all().map(\.isPaired) == [false])
        #expect(again.store.spaces.standing(of: scene.own) == .left)
        #expect(again.store.spaces.emptied == [scene.shared])
    }

    @Test("the bytes beside a database are what they were")
    func golden() throws {
        let anna = try TestPeer(testLog, seed: 1)
        try anna.store.settings.set("a", to: "b")
        let mark = [UInt8](try Data(contentsOf: URL(filePath: anna.home + "/store.mark")))
        let content = Array(mark.dropLast(32))
        #expect(hexadecimal(content) == StoreMarkTests.mark)
        #expect(Array(mark.suffix(32)) == sha256(content).bytes)

        let space = try anna.found()
        let heads = [UInt8](try Data(contentsOf: URL(filePath: anna.home + "/store.heads")))
        let head =
            space.bytes + anna.device.bytes + anna.log.incarnation.bytes + bigEndian(1)
            // The id of a space is that of its first commit.
            + space.bytes.prefix(8)
        #expect(heads == head + sha256(head).bytes)
    }

    /// Of a store with one setting: the tables that are kept, all of them empty but the first.
    private static let mark = """
        7065657273796e63206d61726b20310a070873657474696e677302036b65790576616c75650202056d61726b73030800\
        000000000000020206757365722e61030162067370616365730a0269640873706163655f6964087374616e64696e670b61636365707465645f61740b6f66666572\
        5f7469746c650a6f666665725f66726f6d0b6f666665725f666c6167730b6f666665725f62797465730a6f6666657265\
        645f62790c6f666665725f736368656d6100076465766963657308066465766963650b7369676e696e675f6b65790670\
        6572736f6e04636172640b6465766963655f6e616d650b706572736f6e5f6e616d65097061697265645f61740c666f72\
        676f7474656e5f6174000f6c6f73735f73746174656d656e74730402696406706572736f6e0868656172645f61740763\
        6f6e74656e7400046c6f737404057370616365066465766963650b696e6361726e6174696f6e0873657175656e636500\
        09616464726573736573040664657669636504686f737404706f727406736f75726365000767656e6573697304066865\
        61646572097369676e617475726505636c6561720a6f7065726174696f6e730000
        """
}
