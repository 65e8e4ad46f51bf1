import Foundation
import LocalAPI
import Synchronization
import Testing

struct ProgressTests {
    @Test("A rate covers the last seconds; there is none while nothing moves")
    func rate() {
        var window = RateWindow()
        #expect(window.bytesPerSecond(at: 0) == nil)
        for second in 0...20 as ClosedRange<UInt64> {
            window.note(Int64(second) * 1_000_000, at: second * 1000)
        }
        #expect(window.bytesPerSecond(at: 20_000) == 1_000_000)
        // then it is ten times as fast
        for second in 21...30 as ClosedRange<UInt64> {
            window.note(20_000_000 + Int64(second - 20) * 10_000_000, at: second * 1000)
        }
        #expect(window.bytesPerSecond(at: 30_000) == 10_000_000)
        // and then stands still
        for second in 31...40 as ClosedRange<UInt64> { window.note(120_000_000, at: second * 1000) }
        #expect(window.bytesPerSecond(at: 40_000) == nil)
    }

    @Test("A growing total does not reduce the finished part")
    func growingTotal() {
        let said = Mutex<[ProgressView]>([])
        let sink = ProgressSink { view in said.withLock { $0.append(view) } }
        ProgressSink.$current.withValue(sink) {
            let meter = ProgressMeter(.syncing)
            meter.note(filesLeft: 10, bytesLeft: 100)
            meter.note(filesLeft: 4, bytesLeft: 40)
            meter.note(filesLeft: 6, bytesLeft: 60)
            meter.begin(.saving)
        }
        let last = said.withLock { $0.last }
        #expect(last?.stage == .saving)
        #expect(last?.totalFiles == 12)
        #expect(last?.files == 6)
        #expect(last?.totalBytes == 120)
        #expect(last?.bytes == 60)
    }

    // MARK: Over the socket

    /// Says how far it is, and then waits until it may end, or is cancelled.
    private final class SlowService: AgentService {
        /// Its reaction to cancellation, which may come too late.
        let writesAnyway: Bool
        let hasBegun = Mutex(false)
        let wasCancelled = Mutex(false)

        init(writesAnyway: Bool) { self.writesAnyway = writesAnyway }

        func answer<Input, Answer>(
            _ operation: LocalAPI.Operation<Input, Answer>, id: String, _ input: Input
        ) async throws -> Answer {
            hasBegun.withLock { $0 = true }
            let meter = ProgressMeter(.adding, files: 2, bytes: 10)
            meter.add(files: 1, bytes: 5)
            do {
                try await Task.sleep(for: .seconds(3600))
            } catch {
                wasCancelled.withLock { $0 = true }
                if !writesAnyway { throw error }
            }
            return try SampleMaker.make(Answer.self)
        }
    }

    private func ask(_ service: SlowService) async throws -> (
        seen: ProgressView?, end: Result<MemoryView, any Error>
    ) {
        try await withServer(service) { path in
            let (news, input) = AsyncStream.makeStream(of: ProgressView.self)
            let call = Task {
                try await ProgressSink.$current.withValue(ProgressSink { input.yield($0) }) {
                    try await LocalClient(socketPath: path).call(
                        \.memories.add, MemoryDraft(trip: "Arezzo"))
                }
            }
            var seen: ProgressView?
            for await view in news {
                seen = view
                break
            }
            call.cancel()
            return (seen, await call.result)
        }
    }

    @Test("A request over the socket reports progress, and stopping it stops the work")
    func stopped() async throws {
        let service = SlowService(writesAnyway: false)
        let (seen, end) = try await ask(service)
        #expect(seen?.stage == .adding)
        #expect(seen?.totalFiles == 2)
        #expect(throws: CancellationError.self) { try end.get() }
        #expect(service.wasCancelled.withLock { $0 })
    }

    @Test("Work that is too far to be stopped still sends its answer")
    func tooLate() async throws {
        let (_, end) = try await ask(SlowService(writesAnyway: true))
        #expect(try end.get() == SampleMaker.make(MemoryView.self))
    }

    @Test("Stopping what only reads does not wait for the agent", .timeLimit(.minutes(1)))
    func silentRead() async throws {
        // given
        try await withRawServer(answering: nil) { path in
            let client = LocalClient(socketPath: path)
            let call = Task { try await client.call(\.memories.list, MemoryFilter()) }
            while client.silentSince == nil { try await Task.sleep(for: .milliseconds(10)) }
            #expect(client.agentProcess == ProcessInfo.processInfo.processIdentifier)
            // when
            call.cancel()
            // then
            await #expect(throws: CancellationError.self) { try await call.value }
        }
    }

    @Test("A change that is stopped tells why it may still be done", .timeLimit(.minutes(1)))
    func silentChange() async throws {
        // given
        try await withRawServer(answering: nil) { path in
            let client = LocalClient(socketPath: path)
            let call = Task { try await client.call(\.memories.add, MemoryDraft(trip: "Arezzo")) }
            while client.silentSince == nil { try await Task.sleep(for: .milliseconds(10)) }
            // when
            call.cancel()
            client.endCalls(with: .diskFull)
            // then
            await #expect(throws: APIError.diskFull) { try await call.value }
        }
    }

    @Test("A client that disappears stops the work, too", .timeLimit(.minutes(1)))
    func goneAway() async throws {
        let service = SlowService(writesAnyway: false)
        try await withServer(service) { path in
            let call = Task { try await LocalClient(socketPath: path).call(\.trips.list) }
            while !service.hasBegun.withLock({ $0 }) {
                try await Task.sleep(for: .milliseconds(10))
            }
            call.cancel()
            _ = await call.result
            while !service.wasCancelled.withLock({ $0 }) {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }
}
