import Foundation
import Store
import SyncCore
import Testing

/// What earlier programs wrote stays readable.
@Suite struct GoldenStoreTests {
    /// The format that this program writes.
    private static func today() throws -> Int {
        let home = TestPeer.newHome()
        try GoldenStore.open(StoreLock(home: home)).close()
        return try format(inHeadOf: home + "/store.sqlite")
    }

    @Test("a store of every format there was is kept, and one of today's")
    func kept() throws {
        let today = try GoldenStoreTests.today()
        if GoldenStore.isWriting, try !GoldenStore.formats().contains(today) {
            try GoldenStore.keep(today)
        }
        #expect(
            try GoldenStore.formats() == Array(1...today),
            "PEERSYNC_WRITE_VECTORS=1 swift test --filter GoldenStoreTests keeps today's")
    }

    @Test("a store of each format opens with the history, the records and all else that it held")
    func opened() throws {
        let today = try GoldenStoreTests.today()
        for format in try GoldenStore.formats() {
            let home = try GoldenStore.home(of: format)
            let store = try GoldenStore.open(StoreLock(home: home))
            #expect(store.rebuilt == nil, "format \(format)")
            try expectAll(of: store, format)
            try store.close()
            #expect(try StoreTests.format(inHeadOf: home + "/store.sqlite") == today)
            // And again, as one of today's format.
            let again = try GoldenStore.open(StoreLock(home: home))
            #expect(again.opening.newBecause == nil, "format \(format)")
            try expectAll(of: again, format)
        }
    }

    private func expectAll(of store: SyncStore, _ format: Int) throws {
        let (space, comment) = (GoldenStore.space, Comment("format \(format)"))
        let history = try store.log.history(of: space, limit: .max)
        #expect(history.count == 11, comment)
        #expect(history.prefix(2).map(\.id) == GoldenStore.ends, comment)
        #expect(history.filter { !$0.isEffective }.map(\.id) == [GoldenStore.ends[1]], comment)
        #expect(
            try store.records.digest(of: space, under: GoldenStore.schema) == GoldenStore.digest,
            comment)
        #expect(try store.records.search("wind").map { $0.key } == [GoldenStore.memory], comment)
        #expect(try store.integrityCheck() == [], comment)
        #expect(try store.examination.verifyLogs().faults == 0, comment)
        #expect(try store.examination.compareShown().faults == [], comment)
        try expectAsReceived(store, comment)
        try expectOwn(store, format, comment)
    }

    /// Everything shown is as in a store that received the same commits now.
    private func expectAsReceived(_ store: SyncStore, _ comment: Comment) throws {
        let space = GoldenStore.space
        let fresh = try GoldenStore.received(from: store, below: TestPeer.newHome())
        for collection in GoldenStore.schema.collections.map(\.name) {
            let records = try store.records.list(of: space, in: collection, includeDeleted: true)
            #expect(
                try fresh.records.list(of: space, in: collection, includeDeleted: true) == records,
                comment)
        }
        #expect(
            try fresh.log.history(of: space, limit: .max).map(\.isEffective)
                == store.log.history(of: space, limit: .max).map(\.isEffective), comment)
        #expect(fresh.ledger(of: space)?.watermark == store.ledger(of: space)?.watermark, comment)
    }

    /// What others cannot send again.
    private func expectOwn(_ store: SyncStore, _ format: Int, _ comment: Comment) throws {
        let space = GoldenStore.space
        #expect(try store.settings.all() == ["device_name": "laptop"], comment)
        let devices = try store.devices.all()
        #expect(devices.map(\.deviceName) == ["pad"] && devices.allSatisfy(\.isPaired), comment)
        for device in devices {
            let hosts = try store.devices.addresses(of: device.device).map(\.host)
            #expect(hosts == ["ben.local"], comment)
        }
        let blob = try BlobHash.chunkList(of: GoldenStore.note).blobID
        #expect(try store.files.smallContent(of: blob) == GoldenStore.note, comment)
        // Programs of formats 3 and later had local fields, of 2 and later what was recovered.
        let isSeen = try store.records.localValues(of: space, in: "memory")[
            GoldenStore.memory.record]
        #expect(isSeen == (format < 3 ? nil : ["seen_here": .boolean(true)]), comment)
        // What follows is not in those that ``GoldenStore/keep(_:)`` has made.
        guard format < 17 else { return }
        // That its values were written again follows from the log, also where nothing else says so.
        #expect(try store.orphans.all(in: space).waiting.isEmpty, comment)
        let words = try store.revocationNotices.words(of: space)
        #expect(words == (format < 10 ? nil : [0x0a, 0xff]), comment)
    }
}
