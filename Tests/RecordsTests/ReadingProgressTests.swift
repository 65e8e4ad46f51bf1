import LocalAPI
import Synchronization
import TestDevices
import Testing

@Suite("What reads much says so, and ends when nobody waits")
struct ReadingProgressTests {
    private static let readers: [(String, @Sendable (OfflineDevice) async throws -> Void)] = [
        ("memory list", { _ = try await $0.service.call(\.memories.list, MemoryFilter()) }),
        (
            "record list",
            {
                let filter = RecordFilter(space: "Arezzo", collection: "memory")
                _ = try await $0.service.call(\.records.list, filter)
            }
        ),
        (
            "log",
            {
                let filter = ChangeFilter(since: Moment(milliseconds: 0))
                _ = try await $0.service.call(\.changes.list, filter)
            }
        ),
        ("digest", { _ = try await $0.service.call(\.trips.digest, id: "Arezzo") }),
    ]

    @Test("it reports that it reads, and stops when it is cancelled", arguments: readers.indices)
    func cancelled(reader: Int) async throws {
        try await OfflineDevice.with { agent in
            // Given a trip with a memory
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            _ = try await agent.service.call(\.memories.add, draft)

            // When the caller leaves as soon as it hears that something is read
            let task = Mutex<Task<Void, any Error>?>(nil)
            let sink = ProgressSink { view in
                guard view.stage == .reading else { return }
                task.withLock { $0?.cancel() }
            }
            let (gate, opening) = AsyncStream.makeStream(of: Void.self)
            let call = Task {
                for await _ in gate {}
                try await ProgressSink.$current.withValue(sink) {
                    try await Self.readers[reader].1(agent)
                }
            }
            task.withLock { $0 = call }
            opening.finish()

            // Then it ends
            await #expect(throws: CancellationError.self, "\(Self.readers[reader].0)") {
                try await call.value
            }
        }
    }
}
