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
