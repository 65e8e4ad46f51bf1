import Device
import Synchronization
import Testing

@Suite("The tasks of a service", .timeLimit(.minutes(1)))
struct ServiceTasksTests {
    @Test("tasks are known by name until they end, and are cancelled together")
    func tasks() async throws {
        // given
        let tasks = ServiceTasks<String>()
        let (input, go) = AsyncStream.makeStream(of: Void.self)
        let cancelled = Mutex(false)
        tasks.run("short") { for await _ in input {} }
        tasks.run("long") {
            do {
                try await Task.sleep(for: .seconds(600))
            } catch {
                cancelled.withLock { $0 = true }
            }
        }
        #expect(tasks.running == ["short", "long"])
        // when
        go.finish()
        await tasks.ended("short")
        // then
        #expect(tasks.running == ["long"])
        // when
        await tasks.cancelAll()()
        // then
        #expect(cancelled.withLock { $0 } && tasks.running.isEmpty)
    }

    @Test("what is to be done later is not done once it is cancelled")
    func delay() async {
        // given
        let done = Mutex<[Int]>([])
        let first = Task.after(.milliseconds(10)) { done.withLock { $0.append(1) } }
        let second = Task.after(.seconds(600)) { done.withLock { $0.append(2) } }
        // when
        second.cancel()
        await first.value
        await second.value
        // then
        #expect(done.withLock { $0 } == [1])
    }
}
