import Dispatch
import Store
import SyncCore
import Synchronization
import Testing

@Suite("Reading of one moment")
struct SnapshotTests {
    /// Writes from another thread, as somebody else does meanwhile.
    private func write(_ value: String, to store: SyncStore) throws {
        let error = Mutex<(any Error)?>(nil)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            do {
                try store.settings.set("key", to: value)
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
