import LocalAPI
import Networking
import Status
import Testing

@Suite("What a sync on request tells of a device")
struct DeviceOutcomeTests {
    private static let owed = WaitingCount(changes: 7, files: 2, bytes: 900)

    private static func moved(sent: Int, received: Int64) -> OpenConnections.Moved {
        var moved = OpenConnections.Moved()
        (moved.commitsSent, moved.wireReceived) = (sent, received)
        return moved
    }

    @Test(
        "A full device that ended its session was reached, kept nothing and lacks what it is owed")
    func fullWithoutSession() {
        // given a device that answered, and ended its session because its disk is full
        let moved = Self.moved(sent: 5, received: 400)
        // when
        let outcome = DeviceOutcome(
            moved, lacking: nil, isInReach: false, isDiskFull: true, owed: { Self.owed })
        // then
        #expect(outcome.isReached && outcome.isFull)
        #expect(outcome.lacking == Self.owed)
        #expect(outcome.moved.commitsSent == 0)
    }

    @Test("A full device with a session says itself what it lacks, and keeps what was counted")
    func fullWithSession() {
        // given
        let lacking = WaitingCount(changes: 0, files: 1, bytes: 300)
        // when
        let outcome = DeviceOutcome(
            Self.moved(sent: 5, received: 400), lacking: lacking, isInReach: true,
            isDiskFull: true, owed: { Self.owed })
        // then
        #expect(outcome.isReached && outcome.isFull)
        #expect(outcome.lacking == lacking)
        #expect(outcome.moved.commitsSent == 5)
    }

    @Test(
        "A device that said earlier that its disk is full and was not reached now lacks nothing known"
    )
    func notReached() {
        // when nothing came from it
        let outcome = DeviceOutcome(
            Self.moved(sent: 0, received: 0), lacking: nil, isInReach: false, isDiskFull: true,
            owed: { Self.owed })
        // then
        #expect(!outcome.isReached && !outcome.isFull)
        #expect(outcome.lacking == .nothing)
    }

    @Test(
        "A session that has just replaced another one counts too much: what status says is told",
        arguments: [WaitingCount.nothing, owed])
    func notCompared(owed: WaitingCount) {
        // when
        let outcome = DeviceOutcome(
            Self.moved(sent: 2, received: 9),
            lacking: WaitingCount(changes: 11, files: 0, bytes: 0), isCompared: false,
            isInReach: true, isDiskFull: false, owed: { owed })
        // then
        #expect(outcome.lacking == owed)
        #expect(outcome.moved.commitsSent == 2)
    }

    @Test(
        "Thumbnails are no files of their own; without a better count all files are told",
        arguments: [(2, 2), (12, 9), (0, 9)])
    func thumbnails(owed: Int, told: Int) {
        // when a session says nine, and the status another number
        let outcome = DeviceOutcome(
            Self.moved(sent: 1, received: 9),
            lacking: WaitingCount(changes: 1, files: 9, bytes: 50), isInReach: true,
            isDiskFull: false, owed: { WaitingCount(changes: 1, files: owed, bytes: 0) })
        // then
        #expect(outcome.lacking == WaitingCount(changes: 1, files: told, bytes: 50))
    }
}
