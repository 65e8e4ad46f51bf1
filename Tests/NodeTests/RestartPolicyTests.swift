import Node
import SyncCore
import Testing

@Suite("Starting again on a disk that was damaged or full")
struct RestartPolicyTests {
    private static let start = Duration.seconds(1_000)
    private static func after(_ seconds: Int64) -> Duration { start + .seconds(seconds) }

    @Test("the first start is at once, for either reason")
    func first() {
        let policy = RestartPolicy()
        #expect(policy.delay(for: .damaged, at: Self.start) == .zero)
        #expect(policy.delay(for: .roomReturned, at: Self.start) == .zero)
    }

    @Test("a damaged store is not made again before ten minutes have passed")
    func damaged() {
        // given
        var policy = RestartPolicy()
        // when
        policy.began(for: .damaged, at: Self.start)
        // then
        let most = Limits.damageRestartSeconds
        #expect(policy.delay(for: .damaged, at: Self.after(most)) == nil)
        #expect(policy.delay(for: .damaged, at: Self.after(most + 1)) == .zero)
        #expect(policy.delay(for: .roomReturned, at: Self.after(1)) == .zero)
    }

    @Test("an agent that found room once does so again after a minute at the earliest")
    func room() {
        // given
        var policy = RestartPolicy()
        // when
        policy.began(for: .roomReturned, at: Self.start)
        // then
        let pause = Limits.roomRestartSeconds
        #expect(policy.delay(for: .roomReturned, at: Self.after(20)) == .seconds(pause - 20))
        #expect(policy.delay(for: .roomReturned, at: Self.after(pause)) == .zero)
        #expect(policy.delay(for: .damaged, at: Self.after(1)) == .zero)
    }

    @Test("room that comes and goes starts an agent ever less often, until there was calm")
    func roomThatGoes() {
        // given
        var policy = RestartPolicy()
        var now = Self.start
        // when room is found again at once each time
        let pauses = (0..<70).map { _ in
            policy.began(for: .roomReturned, at: now)
            let pause = policy.delay(for: .roomReturned, at: now) ?? .zero
            now += pause
            return pause
        }
        // then
        #expect(pauses.prefix(3) == [.seconds(60), .seconds(120), .seconds(240)])
        #expect(pauses.dropFirst(3).allSatisfy { $0 == .seconds(Limits.roomRestartCapSeconds) })
        // when nothing is asked for a while
        now += .seconds(Limits.roomCalmSeconds)
        #expect(policy.delay(for: .roomReturned, at: now) == .zero)
        policy.began(for: .roomReturned, at: now)
        // then
        #expect(
            policy.delay(for: .roomReturned, at: now) == .seconds(Limits.roomRestartSeconds))
    }

    @Test("opening is tried again where there is more room, or nobody can tell")
    func waiting() {
        let wait = RoomWait(freeBytes: 5, at: Self.start)
        let more = 5 + Limits.moreRoomBytes
        let pause = Limits.roomRestartSeconds
        #expect(!wait.isOver(freeBytes: more, at: Self.after(pause - 1)))
        #expect(wait.isOver(freeBytes: more, at: Self.after(pause)))
        #expect(!wait.isOver(freeBytes: more - 1, at: Self.after(pause)))
        #expect(wait.isOver(freeBytes: nil, at: Self.after(pause)))
        #expect(wait.isOver(freeBytes: 5, at: Self.after(Limits.unchangedRoomSeconds)))
        let unknown = RoomWait(freeBytes: nil, at: Self.start)
        #expect(unknown.isOver(freeBytes: 5, at: Self.after(pause)))
    }
}
