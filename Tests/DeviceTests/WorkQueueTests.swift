import Device
import Node
import SyncCore
import Testing

@Suite("The queue of background work", .timeLimit(.minutes(1)))
struct WorkQueueTests {
    private let kinds = Set(BackgroundWork.Kind.allCases)
    private struct Broken: Error {}

    private func blob(_ number: UInt8) -> BlobID { BlobID(sha256([number])) }

    @Test("work is done, also after work of its kind failed, and errors are told once")
    func works() async throws {
        // given
        let queue = WorkQueue(AgentClock())
        let done = Observable<[BackgroundWork]>([])
        let errors = Observable<[BackgroundWork.Kind]>([])
        queue.add(.findFiles([blob(1)]))
        // when
        queue.open(
            kinds, [],
            WorkQueue.Worker(
                { work in
                    done.update { $0.append(work) }
                    if work == .findFiles([blob(1)]) { throw Broken() }
                }, failed: { kind, _ in errors.update { $0.append(kind) } }))
        _ = try await errors.first(within: .seconds(30)) { $0.isEmpty ? nil : true }
        queue.add(.findFiles([blob(2)]))
        _ = try await done.first(within: .seconds(30)) { $0.count < 2 ? nil : true }
        await queue.close()()
        // then
        #expect(done.value == [.findFiles([blob(1)]), .findFiles([blob(2)])])
        #expect(errors.value == [.findFiles])
    }

    @Test("of many who ask at once nobody is forgotten, and no kind runs twice at a time")
    func crowd() async throws {
        // given
        struct Seen {
            var running: Set<BackgroundWork.Kind> = []
            var files: Set<BlobID> = []
            var collisions = 0
        }
        let queue = WorkQueue(AgentClock())
        let seen = Observable(Seen())
        queue.open(
            kinds, [],
            WorkQueue.Worker(
                { work in
                    seen.update { seen in
                        if !seen.running.insert(work.kind).inserted { seen.collisions += 1 }
                        if case .findFiles(let files) = work { seen.files.formUnion(files) }
                    }
                    try await Task.sleep(for: .microseconds(200))
                    seen.update { seen in _ = seen.running.remove(work.kind) }
                }, failed: { kind, error in Issue.record("\(kind): \(error)") }))
        // when
        await withTaskGroup { group in
            for number in UInt8(0)..<200 {
                group.addTask {
                    queue.add(.findFiles([BlobID(sha256([number]))]))
                    queue.add(.freeFiles)
                }
            }
        }
        let all = try await seen.first(within: .seconds(30)) { $0.files.count < 200 ? nil : true }
        await queue.close()()
        // then
        #expect(all == true && seen.value.collisions == 0)
    }

    @Test("a round comes again by itself")
    func rounds() async throws {
        // given
        let clock = AgentClock()
        let queue = WorkQueue(clock)
        let count = Observable(0)
        // when
        queue.open(
            kinds,
            [WorkSchedule.Round(.freeFiles, every: 20, after: 20, at: clock.now.monotonic)],
            WorkQueue.Worker({ _ in count.update { $0 += 1 } }, failed: { _, _ in }))
        // then
        #expect(try await count.first(within: .seconds(30)) { $0 < 3 ? nil : true } == true)
        await queue.close()()
    }

    @Test("the end cancels what runs, waits for what must not be cut off, and forgets the rest")
    func closes() async throws {
        // given
        let queue = WorkQueue(AgentClock())
        let begun = Observable<Set<BackgroundWork.Kind>>([])
        let ended = Observable<Set<BackgroundWork.Kind>>([])
        let errors = Observable(0)
        queue.open(
            kinds, [],
            WorkQueue.Worker(
                { work in
                    begun.update { $0.formUnion([work.kind]) }
                    defer { ended.update { $0.formUnion([work.kind]) } }
                    try await Task.sleep(for: .seconds(600))
                }, failed: { _, _ in errors.update { $0 += 1 } }))
        queue.add(.compareFiles(isPaced: true))
        queue.add(.findFiles([blob(1)]))
        queue.add(.findFiles([blob(2)]))
        _ = try await begun.first(within: .seconds(30)) { $0.count < 2 ? nil : true }
        // when
        await queue.close()()
        queue.add(.missFiles([blob(3)]))
        // then
        #expect(ended.value.contains(.compareFiles))
        let both: Set<BackgroundWork.Kind> = [.compareFiles, .findFiles]
        #expect(try await ended.first(within: .seconds(30)) { $0 == both ? true : nil } == true)
        #expect(errors.value == 0)
        #expect(begun.value == both && queue.contents.waiting == [])
    }

    @Test("the queue lets go of its worker at the end, which may own the queue")
    func noCycle() async {
        // given
        final class Owner: Sendable { let queue = WorkQueue(AgentClock()) }
        weak var left: Owner?
        do {
            let owner = Owner()
            left = owner
            owner.queue.open(
                kinds, [WorkSchedule.Round(.freeFiles, every: 1_000_000, after: 1_000_000, at: 0)],
                WorkQueue.Worker({ _ in _ = owner.queue.contents }, failed: { _, _ in }))
            // when
            await owner.queue.close()()
        }
        // then
        #expect(left == nil)
    }
}
