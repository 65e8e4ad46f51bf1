import Store
import SyncCore
import Testing

@Suite("Sync runs")
struct SyncRunTests {
    private func run(_ number: UInt64) -> StoredSyncRun {
        StoredSyncRun(
            device: DeviceID(sha256([1])), startedAt: Milliseconds(1_000 * number),
            endedAt: Milliseconds(1_000 * number + 250), commitsSent: 1, commitsReceived: 2,
            filesSent: 3, filesReceived: 4, bytesSent: 5, bytesReceived: 6, conflicts: 7,
            errors: 8, detail: "{\"complete\":true}")
    }

    @Test("A run is kept as it was, the latest first")
    func kept() throws {
        let peer = try TestPeer(TestLog(), seed: 1)
        try peer.store.syncRuns.add([run(1), run(2)])
        var latest = try peer.store.syncRuns.latest(atMost: 1)
        #expect(latest.count == 1)
        latest[0].id = 0
        #expect(latest == [run(2)])
        #expect(
            try peer.store.syncRuns.latest(atMost: 10).map(\.startedAt.value) == [2_000, 1_000])
    }

    @Test("Of very many, the latest are kept")
    func bounded() throws {
        let peer = try TestPeer(TestLog(), seed: 1)
        for number in 1...UInt64(Limits.syncRunsKept) { try peer.store.syncRuns.add([run(number)]) }
        try peer.store.syncRuns.add((1...5).map { run(UInt64(Limits.syncRunsKept + $0)) })
        let kept = try peer.store.syncRuns.latest(atMost: .max)
        #expect(kept.count == Limits.syncRunsKept)
        #expect(kept.last?.startedAt.value == 6_000)
    }
}
