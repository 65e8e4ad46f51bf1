/// Whether a connection still stands, as far as something comes over it.
package struct SilenceWatch: Sendable {
    private let hasDialed: Bool
    /// When something came from the peer last.
    private(set) var lastHeard: UInt64
    private var lastAsked: UInt64
    /// Commits were sent, and nothing has come since: from then on.
    private var awaitedSince: UInt64?
    /// Until when something must come from the peer, once it was asked: else the connection is
    /// dead, whatever TCP still hopes for.
    private var answerDue: UInt64?

    package init(now: Instant, hasDialed: Bool) {
        (lastHeard, lastAsked, self.hasDialed) = (now.monotonic, now.monotonic, hasDialed)
    }

    package mutating func heard(at now: Instant) {
        (answerDue, awaitedSince) = (nil, nil)
        lastHeard = now.monotonic
    }

    /// Commits went out: an answer shows that the connection still stands.
    package mutating func sent(at now: Instant) { awaitedSince = awaitedSince ?? now.monotonic }

    /// The peer was asked, and has to answer.
    package mutating func asked(at now: Instant) {
        answerDue = answerDue ?? now.monotonic + Limits.answerMilliseconds
        lastAsked = now.monotonic
    }

    package func isOver(at now: Instant) -> Bool { answerDue.map { now.monotonic >= $0 } ?? false }

    /// Whether the peer is to be asked now, be it at `other`, another time to ask it: by the side that
    /// dialled, and much later by the other.
    package func isToAsk(at now: Instant, or other: UInt64) -> Bool {
        guard answerDue == nil else { return false }
        return askDue(or: other) <= now.monotonic
    }

    /// Whether somebody who wants to know who is there has to ask.
    package func isQuiet(at now: Instant) -> Bool {
        answerDue == nil && awaitedSince == nil
            && now.monotonic >= lastHeard + Limits.quietMilliseconds
    }

    package func nextDeadline(or other: UInt64) -> UInt64 { answerDue ?? askDue(or: other) }

    private func askDue(or other: UInt64) -> UInt64 {
        // Asking also compares: the side that dialled does it whatever else comes, as something may be lost of which
        // nothing that comes tells.
        let pause = Limits.keepAliveMilliseconds
        let keepAlive = hasDialed ? lastAsked + pause : lastHeard + 2 * pause
        return min(keepAlive, other, awaitedSince.map { $0 + Limits.answerMilliseconds } ?? .max)
    }

    /// For how many milliseconds something that the peer was sent has no answer; 0 when nothing waits.
    package func waiting(at now: Instant) -> UInt64 {
        let asked = answerDue.map { $0 - min($0, Limits.answerMilliseconds) }
        let since = [awaitedSince, asked].compactMap(\.self).min() ?? now.monotonic
        return now.monotonic - min(since, now.monotonic)
    }
}
