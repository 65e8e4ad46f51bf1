import Agent
import Device
import Files
import Foundation
import Identity
import LocalAPI
import Logging
import Media
import Networking
import Node
import Records
import Status
import Store
import SyncCore
import TestDevices
import Testing

@Suite("The saved state of an agent")
struct KeepingTests {
    @Test("A saved identity is loaded again")
    func identity() async throws {
        try await TestAgent.with { agent in
            let saved = agent.node.identity
            try IdentityStore.save(saved, in: agent.node.store, agent.node.home)
            let loaded = try IdentityStore.load(saved.keys, from: agent.node.store)
            #expect(loaded.card == saved.card)
            #expect(loaded.homeSpace == saved.homeSpace)
            #expect(loaded.personName == saved.personName)
            #expect(agent.node.home.isInitialised)
        }
    }

    @Test("A home that lost its mark is set up, as its store knows the person")
    func lostMark() async throws {
        try await TestAgent.with { agent in
            // given
            let home = agent.node.home
            try IdentityStore.save(agent.node.identity, in: agent.node.store, home)
            let card = try Data(contentsOf: URL(fileURLWithPath: home.cardFile))
            try FileManager.default.removeItem(atPath: home.cardFile)
            #expect(!home.isInitialised)
            // when
            IdentityStore.restoreMark(of: home)
            // then
            #expect(try Data(contentsOf: URL(fileURLWithPath: home.cardFile)) == card)
        }
    }

    @Test("A home with keys and a store, but no person, is not set up")
    func unfinishedJoin() async throws {
        try await TestAgent.withFolder { folder in
            try await TestAgent.live(in: folder, as: nil, key: .generate()) { agent in
                // given
                let home = agent.node.home
                #expect(FileManager.default.fileExists(atPath: home.keyFile))
                // when
                IdentityStore.restoreMark(of: home)
                // then
                #expect(!home.isInitialised)
            }
        }
    }

    @Test("Keys are created for a device without a card, and never again")
    func keys() async throws {
        try await TestAgent.with { agent in
            // given a device without a card, and without its key file
            let (store, home) = (agent.node.store, agent.node.home)
            try FileManager.default.removeItem(atPath: home.keyFile)
            let made = try IdentityStore.keys(in: home, of: store)
            #expect(try IdentityStore.keys(in: home, of: store).signingKey == made.signingKey)
            // when it has a card, which belongs to other keys
            try IdentityStore.save(agent.node.identity, in: store, home)
            // then these keys are refused, and without a file none are created
            #expect(throws: AgentError.keysOfAnother) { try IdentityStore.load(made, from: store) }
            try FileManager.default.removeItem(atPath: home.keyFile)
            #expect(throws: KeyFileError.notFound) {
                try IdentityStore.keys(in: home, of: store)
            }
            #expect(!FileManager.default.fileExists(atPath: home.keyFile))
        }
    }

    @Test("A damaged file counts as missing, and so does one that is gone")
    func damaged() async throws {
        try await TestAgent.with { agent in
            // given a trip with a file of its own on the disk
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let text = String(repeating: "a picture, or so. ", count: 8_000)
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            draft.photoPaths = [try agent.file("a.bin", text)]
            _ = try await agent.service.call(\.memories.add, draft)
            #expect(try await agent.service.call(\.trips.digest, id: "Arezzo").filesVerified == 1)
            // when a byte of it changes
            let blobs = URL(fileURLWithPath: agent.node.home.blobDirectory)
            let files = FileManager.default.enumerator(at: blobs, includingPropertiesForKeys: nil)
            let paths = (files?.allObjects ?? []).compactMap { ($0 as? URL)?.path }
            let path = try #require(paths.first { $0.split(separator: "/").last?.count == 64 })
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.write(contentsOf: Data("X".utf8))
            try file.close()
            // then
            #expect(try await agent.service.call(\.trips.digest, id: "Arezzo").filesVerified == 0)
            let trip = try #require(agent.node.store.ledgers.values.first { $0.role == .shared })
            #expect(try agent.node.store.files.missing(of: trip.space).count == 1)
            // and a file that is gone counts the same
            try FileManager.default.removeItem(atPath: path)
            #expect(try await agent.service.call(\.trips.digest, id: "Arezzo").filesVerified == 0)
        }
    }

    @Test(
        "A file that is gone from the disk is missed when it is shown, and in a round through all",
        arguments: [true, false])
    func gone(isShown: Bool) async throws {
        try await TestAgent.with { agent in
            // given
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            let text = String(repeating: "a picture, or so. ", count: 8_000)
            draft.photoPaths = [try agent.file("a.bin", text)]
            let memory = try await agent.service.call(\.memories.add, draft)
            let photo = try #require(memory.media.first)
            let blob = try #require(
                bytes(hexadecimal: photo.blobID[...]).flatMap { BlobID(bytes: $0) })
            let node = agent.node
            let name = photo.blobID
            // when
            try FileManager.default.removeItem(
                atPath: "\(node.home.blobDirectory)/\(name.prefix(2))/\(name)")
            if isShown {
                let why = try await agent.service.call(\.agent.why, id: "Duomo", WhyScope())
                #expect(why.devices.first?.state == .lacksFiles)
            } else {
                let files = try BlobFiles(root: node.home.blobDirectory)
                try await LostBlobs(store: node.store, loop: node.loop, files: files).compare(
                    clock: node.clock, logger: node.logger)
            }
            // then
            for _ in 0..<500 where try node.store.files.blob(blob)?.isPresent == true {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(try node.store.files.blob(blob)?.isPresent == false)
            let trip = try #require(node.store.ledgers.values.first { $0.role == .shared })
            #expect(try node.store.files.gone(of: trip.space).map(\.blob) == [blob])
            #expect(try node.store.files.isGone(blob, in: trip.space))
        }
    }

    @Test("A round through all files that ends midway has told which are gone until there")
    func goneUntilMidway() async throws {
        try await TestAgent.with { agent in
            // given more files than are compared at a time, none of which is on the disk
            let node = agent.node
            let trip = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let space = try #require(bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            let count = Limits.filesComparedAtOnce + 1
            let lists = try (0..<count).map { number in
                let list = try ChunkList(length: 1, hashes: [sha256(bigEndian(UInt64(number)))])
                return (blob: list.blobID, list: list)
            }
            try node.store.files.markPresent(lists, in: space, now: node.clock.wall)
            // when the round ends in its first pause
            let (store, loop, lines) = (node.store, node.loop, KeptLines(.warning))
            let files = try BlobFiles(root: node.home.blobDirectory)
            let clock = node.clock
            let round = Task {
                try await LostBlobs(store: store, loop: loop, files: files).compare(
                    clock: clock, logger: Logger(label: "test") { _ in lines },
                    pausing: .seconds(3_600))
            }
            for _ in 0..<500 where try store.files.present().count == count {
                try await Task.sleep(for: .milliseconds(10))
            }
            round.cancel()
            // then
            await #expect(throws: CancellationError.self) { try await round.value }
            #expect(try store.files.present().count == 1)
            #expect(lines.lines.count == 1)
        }
    }

    @Test("A status that is asked right after a file went from the disk tells it")
    func goneFromStatus() async throws {
        try await TestAgent.with { agent in
            // given
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            agent.runtime.media.fileFinder.watch.begin()
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            let text = String(repeating: "a picture, or so. ", count: 8_000)
            draft.photoPaths = [try agent.file("a.bin", text)]
            let memory = try await agent.service.call(\.memories.add, draft)
            let name = try #require(memory.media.first).blobID
            let blob = try #require(
                bytes(hexadecimal: name[...]).flatMap { BlobID(bytes: $0) })
            _ = try await agent.service.call(\.agent.status)
            #expect(try agent.node.store.files.blob(blob)?.isPresent == true)
            // when
            try FileManager.default.removeItem(
                atPath: "\(agent.node.home.blobDirectory)/\(name.prefix(2))/\(name)")
            let status = try await agent.service.call(\.agent.status)
            // then
            #expect(try agent.node.store.files.blob(blob)?.isPresent == false)
            #expect(status.problems.contains { $0.kind == .lostFiles })
            // and so does the list of what waits
            let waiting = try await agent.service.call(\.agent.waiting, WhyScope())
            #expect(waiting.items.map(\.lacks.files) == [1])
            let reasons = waiting.items.flatMap(\.reasons).map(\.kind)
            #expect(reasons == [.noAgent, .lost])
        }
    }

    @Test("A list that is asked right after a file went from the disk tells it")
    func goneFromList() async throws {
        try await TestAgent.with { agent in
            // given
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            agent.runtime.media.fileFinder.watch.begin()
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            let text = String(repeating: "a picture, or so. ", count: 8_000)
            draft.photoPaths = [try agent.file("a.bin", text)]
            let memory = try await agent.service.call(\.memories.add, draft)
            let name = try #require(memory.media.first).blobID
            let before = try await agent.service.call(\.memories.list, MemoryFilter())
            // when
            try FileManager.default.removeItem(
                atPath: "\(agent.node.home.blobDirectory)/\(name.prefix(2))/\(name)")
            let after = try await agent.service.call(\.memories.list, MemoryFilter())
            // then
            #expect(before.map(\.status) != after.map(\.status))
            let blob = try #require(bytes(hexadecimal: name[...]).flatMap { BlobID(bytes: $0) })
            #expect(try agent.node.store.files.blob(blob)?.isPresent == false)
        }
    }

    /// What looks on the disk for a file that counts as missing.
    enum Look: CaseIterable {
        case status, export, comparison
    }

    @Test(
        "A file that counts as missing and lies whole on the disk counts again once somebody asks",
        arguments: Look.allCases)
    func foundAgain(_ look: Look) async throws {
        try await TestAgent.with { agent in
            // given a file that was here and is missed
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            let text = String(repeating: "a picture, or so. ", count: 8_000)
            draft.photoPaths = [try agent.file("a.bin", text)]
            let memory = try await agent.service.call(\.memories.add, draft)
            let photo = try #require(memory.media.first)
            let blob = try #require(
                bytes(hexadecimal: photo.blobID[...]).flatMap { BlobID(bytes: $0) })
            let files = agent.node.store.files
            try files.markMissing([blob])
            #expect(try files.blob(blob)?.isPresent == false)
            // when
            switch look {
            case .status:
                let status = try await agent.service.call(\.agent.status)
                #expect(!status.problems.contains { $0.kind == .lostFiles })
            case .export:
                let target = ExportTarget(path: try agent.file("b.bin", "") + ".copy")
                _ = try await agent.service.call(\.media.export, id: photo.id, target)
            case .comparison: await agent.node.compareFiles()
            }
            // then
            #expect(try files.blob(blob)?.isPresent == true)
            let trip = try #require(agent.node.store.ledgers.values.first { $0.role == .shared })
            #expect(try files.spaces(holding: blob) == [trip.space])
        }
    }

    @Test("A file that counts as missing and lies damaged on the disk stays missed")
    func damagedAgain() async throws {
        try await TestAgent.with { agent in
            // given
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            let text = String(repeating: "a picture, or so. ", count: 8_000)
            draft.photoPaths = [try agent.file("a.bin", text)]
            let memory = try await agent.service.call(\.memories.add, draft)
            let name = try #require(memory.media.first).blobID
            let blob = try #require(bytes(hexadecimal: name[...]).flatMap { BlobID(bytes: $0) })
            let node = agent.node
            let file = try FileHandle(
                forWritingTo: URL(
                    fileURLWithPath: "\(node.home.blobDirectory)/\(name.prefix(2))/\(name)"))
            try file.write(contentsOf: Data("X".utf8))
            try file.close()
            try node.store.files.markMissing([blob])
            // when
            for _ in 1...2 {
                let status = try await agent.service.call(\.agent.status)
                // then
                #expect(status.problems.contains { $0.kind == .lostFiles })
            }
            #expect(try node.store.files.blob(blob)?.isPresent == false)
        }
    }

    @Test("While the folder of all files is not there no file counts as lost, and status says so")
    func folderAway() async throws {
        try await TestAgent.with { agent in
            // given
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            agent.runtime.media.fileFinder.watch.begin()
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            let text = String(repeating: "a picture, or so. ", count: 8_000)
            draft.photoPaths = [try agent.file("a.bin", text)]
            let memory = try await agent.service.call(\.memories.add, draft)
            let name = try #require(memory.media.first).blobID
            let blob = try #require(
                bytes(hexadecimal: name[...]).flatMap { BlobID(bytes: $0) })
            let (node, folder) = (agent.node, agent.node.home.blobDirectory)
            let loss = LostBlobs(
                store: node.store, loop: node.loop, files: agent.runtime.media.files)
            // when its disk is not mounted
            try FileManager.default.moveItem(atPath: folder, toPath: folder + "-away")
            for isEmpty in [false, true] {
                if isEmpty {
                    try FileManager.default.createDirectory(
                        atPath: folder, withIntermediateDirectories: false)
                }
                let status = try await agent.service.call(\.agent.status)
                try await loss.compare(clock: node.clock, logger: node.logger)
                try loss.report([blob])
                // then
                #expect(status.problems.contains { $0.kind == .storageFault })
                #expect(try node.store.files.blob(blob)?.isPresent == true)
            }
            // when it is back
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.moveItem(atPath: folder + "-away", toPath: folder)
            let status = try await agent.service.call(\.agent.status)
            // then
            #expect(!status.problems.contains { $0.kind == .storageFault })
            #expect(try node.store.files.blob(blob)?.isPresent == true)
        }
    }

    @Test("A trip that was left and is given again waits for an answer, and comes back")
    func leftAndGivenAgain() async throws {
        try await TestAgent.with("Ann") { ann in
            try await TestAgent.with("Ben") { ben in
                // given a trip of two people
                try ann.meet(ben)
                try ben.meet(ann)
                let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
                let space = try #require(
                    bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
                let grant = GrantDraft(person: "Ben", role: .contributor)
                _ = try await ann.service.call(\.trips.sharing.grant, id: "Arezzo", grant)
                try ben.receive(space, from: ann)
                // when one leaves and the other gives it again
                _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
                #expect(try await ben.service.call(\.trips.list).isEmpty)
                try ann.receive(space, from: ben)
                #expect(
                    try await ann.service.call(\.trips.sharing.members, id: "Arezzo").count == 1)
                _ = try await ann.service.call(\.trips.sharing.grant, id: "Arezzo", grant)
                try ben.receive(space, from: ann, standing: .left)
                try ben.node.work.offers.updateStanding(of: space)
                // then
                #expect(try await ben.service.call(\.trips.list).map(\.membership) == [.granted])
                _ = try await ben.service.call(\.trips.sharing.accept, id: "Arezzo")
                #expect(try await ben.service.call(\.trips.list).map(\.membership) == [.member])
            }
        }
    }

    @Test("Closing twice, and waiting afterwards, returns")
    func closing() async throws {
        let folder =
            FileManager.default.temporaryDirectory.path + "/peersync-test-\(UUID().uuidString)"
        defer {
            // The system clears its temporary files if this fails.
            try? FileManager.default.removeItem(atPath: folder)
        }
        let home = try AgentHome.resolve(option: folder, environment: [:])
        let runtime = try await AgentRuntime(
            home, AgentStart(isLongRunning: false), logger: Logger(label: "test"))
        try await runtime.startNetwork(advertises: false)
        await runtime.close()
        await runtime.close()
        #expect(await runtime.network.isOn == false)
        #expect(await runtime.syncs.run(on: runtime.node.loop) == false)
    }
}
