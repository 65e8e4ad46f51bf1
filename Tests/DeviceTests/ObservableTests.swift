import Device
import Testing

@Suite(.timeLimit(.minutes(1))) struct ObservableTests {
    @Test("a value that is there already is found at once")
    func present() async throws {
        let found = try await Observable(3).first(within: .zero) { $0 == 3 ? "three" : nil }
        #expect(found == "three")
    }

    @Test("every waiting task sees the change that it waits for")
    func change() async throws {
        // given
        let observed = Observable(0)
        let waiting = (1...20).map { wanted in
            Task { try await observed.first(within: .seconds(60)) { $0 >= wanted ? $0 : nil } }
        }

        // when
        for _ in 1...20 {
            observed.update { $0 += 1 }
            await Task.yield()
        }

        // then
        for (index, task) in waiting.enumerated() {
            let found = try #require(try await task.value)
            #expect(found > index)
        }
    }

    @Test("waiting ends after its time limit")
    func timeout() async throws {
        let observed = Observable(0)
        let start = ContinuousClock.now
        let found = try await observed.first(within: .milliseconds(50)) { $0 > 0 ? $0 : nil }
        #expect(found == nil)
        #expect(ContinuousClock.now - start >= .milliseconds(50))
    }

    @Test("a cancelled task stops waiting", arguments: [true, false])
    func cancelled(beforeItWaits: Bool) async throws {
        let observed = Observable(0)
        let task = Task {
            try await observed.first(within: .seconds(600)) { $0 > 0 ? $0 : nil }
        }
        if !beforeItWaits { try await Task.sleep(for: .milliseconds(50)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        observed.update { $0 += 1 }
        #expect(observed.value == 1)
    }

    @Test("a failing update changes nothing and wakes no task")
    func failure() async throws {
        struct Refused: Error {}
        let observed = Observable(0)
        let looks = Observable(0)
        let task = Task {
            try await observed.first(within: .milliseconds(200)) { value in
                looks.update { $0 += 1 }
                return value > 0 ? value : nil
            }
        }
        _ = try await looks.first(within: .seconds(60)) { $0 >= 2 ? true : nil }
        #expect(throws: Refused.self) {
            try observed.update { _ in throw Refused() }
        }
        #expect(try await task.value == nil)
        #expect(looks.value == 2)
    }
}
