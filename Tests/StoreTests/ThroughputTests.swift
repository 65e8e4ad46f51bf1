import Foundation
import Store
import SyncCore
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct ThroughputTests {
    private let testLog = TestLog()

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
            _ = try await store.offloaded { try $0.log.apply(commits, to: space, now: now) }
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

    @Test(
        "a small edit costs the same beside ten thousand files",
        .enabled(
            if: ProcessInfo.processInfo.environment["PEERSYNC_BENCHMARK"] != nil,
            "PEERSYNC_BENCHMARK is not set"))
    func editBesideFiles() throws {
        for count in [100, 10_000, 100_000] as [UInt64] {
            let home = TestPeer.newHome()
            let space = try fill(home, count)
            let anna = try TestPeer(testLog, seed: 1, home: home)
            print("\(count) files:")
            print("  counted at first: \(try median(1) { try anna.store.files.counts(of: space) })")
            print("  counted again: \(try median { try anna.store.files.counts(of: space) })")
            print("  the missing one: \(try median { try anna.store.files.missing(of: space) })")
            let edit = try median { try anna.write([titled("neu", 5)], to: space) }
            print("  an edit: \(edit)")
        }
    }

    /// A store with a space of so many files, all but one of them here.
    private func fill(_ home: String, _ count: UInt64) throws -> SpaceID {
        let anna = try TestPeer(testLog, seed: 1, home: home)
        let space = try anna.found()
        for first in stride(from: 0, to: count, by: 100) {
            let blobs = (first..<first + 100).map { number in
                NamedBlob(blob: BlobID(sha256(bigEndian(number))), size: 9, kind: .original)
            }
            try anna.write(
                (first..<first + 100).map { titled("Zeile \($0)", $0) },
                clear: ClearPart(blobs: blobs), to: space)
            let here = blobs.dropLast(first == 0 ? 1 : 0).map {
                ($0.blob, [UInt8](repeating: 1, count: 9))
            }
            try anna.store.files.storeSmall(here, in: space, now: anna.now)
        }
        try anna.store.close()
        return space
    }

    private func median<Answer>(
        _ times: Int = 31, _ body: () throws -> Answer
    ) throws -> Duration {
        var taken: [Duration] = []
        for _ in 0..<times {
            let start = ContinuousClock.now
            _ = try body()
            taken.append(start.duration(to: .now))
        }
        return taken.sorted()[times / 2]
    }
}
