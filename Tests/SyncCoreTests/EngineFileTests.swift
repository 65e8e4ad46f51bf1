import SyncCore
import Testing

/// One engine alone: files and the connections they come on.
@Suite struct EngineFileTests {
    private var bench = Bench()

    @Test("A file that failed on dead connections is tried again although nobody connects anew")
    mutating func failedFile() throws {
        // given a file that failed three times
        let blob = try #require(TestBlob(1, chunks: 1))
        let need = BlobNeed(
            blob: blob.id, space: bench.space, size: blob.need.size, kind: .original)
        bench.meet()
        bench.handle(.blobsNeeded([need]))
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(bench.handle(.bulkOpened(BulkID(number), bench.friend.id)).wants().count == 1)
            bench.handle(.bulkClosed(BulkID(number)))
            bench.now += 2 * Limits.blobRetryCapMilliseconds
        }
        #expect(bench.engine.traffic(in: bench.space).failed == [blob.id])
        #expect(bench.handle(.bulkOpened(BulkID(4), bench.friend.id)).wants().isEmpty)
        // when the session goes on
        bench.now += Limits.statementsIntervalMilliseconds
        let later = bench.handle(.tick)
        // then
        #expect(later.wants().map(\.blob) == [blob.id])
    }
}
