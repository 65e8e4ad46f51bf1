import Dispatch
import Store
import SyncCore
import Synchronization
import Testing

@Suite("Reading of one moment")
struct SnapshotTests {
    /// Writes from another thread, as somebody else does meanwhile.
    private func write(_ value: String, to store: SyncStore) throws {
        try onAnotherThread { try store.settings.set("key", to: value) }
    }

    private func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
        let error = Mutex<(any Error)?>(nil)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            do {
                try body()
            } catch let thrown {
                error.withLock { $0 = thrown }
            }
        }
        group.wait()
        if let thrown = error.withLock({ $0 }) { throw thrown }
    }

    @Test("What is written meanwhile does not show, and the version says so")
    func oneMoment() throws {
        let anna = try TestPeer(TestLog(), seed: 1)
        let store = anna.store
        try store.settings.set("key", to: "before")
        let before = store.version
        try store.snapshot { version in
            #expect(version == before)
            #expect(try store.settings.value(of: "key") == "before")
            try write("after", to: store)
            #expect(try store.settings.value(of: "key") == "before")
            #expect(store.version == before + 1)
            try store.snapshot { #expect($0 == before) }
        }
        try store.snapshot { version in
            let value = try store.settings.value(of: "key")
            #expect(version == before + 1 && value == "after")
        }
    }

    @Test("Records are counted as they are listed, whatever is written meanwhile")
    func counts() throws {
        // Given a record that was counted, and another one that is still to come
        let testLog = TestLog()
        let (anna, ben) = (try TestPeer(testLog, seed: 1), try TestPeer(testLog, seed: 2))
        let (store, space) = (anna.store, try anna.found())
        try anna.write([titled("a", 1)], to: space)
        _ = try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        try ben.write([titled("b", 2)], to: space)
        let known = try #require(store.ledger(of: space)?.watermark)
        let (coming, now) = (try ben.commits(of: space, beyond: known), ben.now)
        func counted() throws -> Int { try store.records.count(of: space, in: "memory") }
        #expect(try counted() == 1)

        // When it comes while a snapshot is read
        try store.snapshot { _ in
            #expect(try counted() == 1)
            try onAnotherThread { _ = try store.log.apply(coming, to: space, now: now) }
            // Then
            #expect(try counted() == 1)
            #expect(try store.records.list(of: space, in: "memory").count == 1)
        }
        #expect(try counted() == 2)
    }

    @Test("Files that are not shown are looked for once, whatever is written elsewhere meanwhile")
    func hiddenFiles() throws {
        // Given a file that was added twice, and one of a deleted record
        let testLog = TestLog()
        let file = FieldSchema(
            name: "file", type: .blob(.original), strategy: .lastWrite, isSearched: false)
        let peer = try TestPeer(
            testLog, seed: 1,
            schema: Schema(
                id: TestPeer.schema.id, name: "test", version: 1,
                collections: [CollectionSchema(name: "memory", fields: [file])]))
        let (store, space) = (peer.store, try peer.found())
        func add(_ name: UInt8, to number: UInt64) throws {
            let blob = NamedBlob(blob: BlobID(sha256([name])), size: 60, kind: .original)
            let operation = RecordOperation(
                collection: "memory", record: record(number),
                writes: [Write(field: "file", value: .blob(blob.blob))])
            try peer.write([operation], clear: ClearPart(blobs: [blob]), to: space)
        }
        try add(1, to: 1)
        try add(1, to: 2)
        try add(2, to: 3)
        try peer.write([deleted(3)], to: space)
        func shown() throws -> Int { try store.files.shownTotals(of: space).count }

        // When something is written between the beginning of a look and its end
        let before = testLog.decodedCount
        try store.snapshot { _ in
            try write("meanwhile", to: store)
            #expect(try shown() == 1)
        }
        let after = testLog.decodedCount

        // Then the next one costs nothing
        #expect(before < after)
        #expect(try shown() == 1)
        #expect(testLog.decodedCount == after)

        // And a change of the space is seen
        try peer.write([deleted(3, false)], to: space)
        #expect(try shown() == 2)
    }

    @Test("Orphans are compared once, whatever is written elsewhere meanwhile")
    func rewrittenOrphans() throws {
        // Given changes that do not count
        let testLog = TestLog()
        let (anna, ben) = (try TestPeer(testLog, seed: 1), try TestPeer(testLog, seed: 2))
        let (store, space) = (anna.store, try anna.found())
        _ = try ben.beCutOff(from: space, of: anna) {
            try ben.write([titled("a", 1)], to: space)
            try ben.write([titled("b", 2)], to: space)
        }
        func waiting() throws -> Int {
            try store.orphans.counts(in: space).map(\.waiting).reduce(0, +)
        }

        // When something is written between the beginning of a look and its end
        let before = testLog.decodedCount
        try store.snapshot { _ in
            try write("meanwhile", to: store)
            #expect(try waiting() == 2)
        }
        let after = testLog.decodedCount

        // Then the next one costs nothing
        #expect(before < after)
        #expect(try waiting() == 2)
        #expect(testLog.decodedCount == after)

        // And a change of the space is seen
        try anna.write([titled("a", 1)], to: space)
        #expect(try waiting() == 1)
    }

    @Test("What throws in it leaves a connection that reads on")
    func failure() throws {
        struct Refused: Error {}
        let anna = try TestPeer(TestLog(), seed: 1)
        let store = anna.store
        // More often than there are connections.
        for _ in 0..<10 {
            #expect(throws: Refused.self) {
                try store.snapshot { _ in
                    _ = try store.settings.value(of: "key")
                    throw Refused()
                }
            }
        }
        try store.settings.set("key", to: "there")
        #expect(try store.settings.value(of: "key") == "there")
    }
}
