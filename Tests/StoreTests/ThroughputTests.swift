import Foundation
import Store
import SyncCore
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct ThroughputTests {
    @Test(
        "a first sync leaves local writes waiting for less than 50 ms (99th percentile)",
        .enabled(
            if: ProcessInfo.processInfo.environment["PEERSYNC_BENCHMARK"] != nil,
            "PEERSYNC_BENCHMARK is not set"))
    func firstSync() async throws {
        let testLog = TestLog()
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        let commitCount = 500
        for commit in 0..<commitCount {
            let first = UInt64(commit * 100)
            let operations = (first..<first + 100).map { number in
                RecordOperation(
                    collection: "memory", record: record(number),
                    writes: [
                        Write(field: "title", value: .text("Erinnerung \(number)")),
                        Write(field: "count", value: .integer(Int64(number))),
                    ])
            }
            try anna.write(operations, to: space)
        }
        let commits = try anna.commits(of: space, byteLimit: 1 << 20)
        let own = try ben.found()
        let start = ContinuousClock.now
        let now = ben.now
        let store = ben.store
        let sync = Task {
            _ = try await store.offloaded { try $0.apply(commits, to: space, now: now) }
            return start.duration(to: .now)
        }
        var waits: [Duration] = []
        while ben.store.ledger(of: space)?.watermark.sequence(of: anna.log) != 501 {
            let before = ContinuousClock.now
            try ben.write([titled("von hier", UInt64(waits.count))], to: own)
            waits.append(before.duration(to: .now))
            try await Task.sleep(for: .milliseconds(5))
        }
        let took = try await sync.value
        waits.sort()
        let slow = waits[waits.count * 99 / 100]
        let rate = Double(commitCount * 100) / (took / .seconds(1))
        print(
            "\(Int(rate)) records/s; \(waits.count) local writes, 99 %: \(slow), most: \(waits[waits.count - 1])"
        )
        #expect(slow < .milliseconds(50))
        #expect(try ben.digest(space) == anna.digest(space))
    }

    @Test(
        "a thousand small local writes, each durable",
        .enabled(
            if: ProcessInfo.processInfo.environment["PEERSYNC_BENCHMARK"] != nil,
            "PEERSYNC_BENCHMARK is not set"))
    func localWrites() throws {
        let anna = try TestPeer(TestLog(), seed: 1)
        let space = try anna.found()
        let start = ContinuousClock.now
        for number in 0..<1000 as Range<UInt64> {
            try anna.write([titled("Zeile \(number)", number % 50)], to: space)
        }
        let took = start.duration(to: .now)
        print("one local write: \(took / 1000)")
        #expect(took < .seconds(20))
    }
}
