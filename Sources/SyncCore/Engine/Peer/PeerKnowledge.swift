/// What is known of what a peer holds of a space.
struct PeerKnowledge {
    /// By its own word; nil until it has said so.
    var watermark: Watermark?
    /// What it sent in this session: known to it, whatever it may read.
    private(set) var received = Watermark()
    /// Logs that it asked for again: its acks do not say that it has them.
    private(set) var askedAgain = AskedAgain()

    /// Logs of which it takes nothing more now.
    private(set) var later: Set<LogID> = []

    /// Whether it last asked for something again.
    var asksAgain: Bool { !askedAgain.isEmpty }

    /// What it said that it holds, as `claimed` and as far as it can be compared.
    mutating func receive(
        _ watermark: Watermark, claimed: Watermark, again: [LogAgain], later: [LogID]
    ) {
        var asked = watermark
        for log in again { asked.rewind(log.log, to: log.after) }
        self.watermark = asked
        askedAgain = AskedAgain(again, holding: claimed)
        self.later = Set(later)
    }

    /// A peer that sends commits has them. Of a log that it asked for again it lacks what comes before, though.
    mutating func noteSender(of commits: [UnverifiedCommit], knowing forks: [LogID: ForkedLog]) {
        var known = watermark ?? Watermark()
        for commit in commits {
            let (log, sequence) = (commit.header.log, commit.header.sequence)
            let head = LogHead(sequence: sequence, commit: commit.id)
            if !askedAgain.contains(log) || known.covers(log, sequence - 1) {
                known.advance(log, to: head)
            }
            received.advance(log, to: head)
        }
        watermark = known.limited(by: forks)
        received = received.limited(by: forks)
        Invariants.check(
            commits.map(\.header).allSatisfy {
                received.covers($0.log, $0.sequence) || forks.cuts($0.log, $0.sequence)
            }, "a peer does not count as having what it sent")
    }

    /// Takes an ack's word, of logs that are here only: one of invented logs must not fill the
    /// memory.
    mutating func acknowledge(
        _ acknowledged: Watermark, ofLogsIn known: Watermark, knowing forks: [LogID: ForkedLog]
    ) {
        var result = watermark ?? Watermark()
        for (log, head) in acknowledged.heads
        where known.heads[log] != nil && !askedAgain.contains(log) {
            result.advance(log, to: head)
        }
        let limited = result.limited(by: forks)
        Invariants.check(
            watermark.map { limited.covers($0.limited(by: forks)) } ?? true,
            "an ack makes a peer hold less")
        Invariants.check(
            acknowledged.heads.allSatisfy { log, head in
                known.heads[log] == nil || askedAgain.contains(log)
                    || limited.covers(log, head.sequence) || forks.cuts(log, head.sequence)
            }, "an ack tells nothing")
        watermark = limited
    }

    /// Of logs of which nothing more is taken here now, those that the peer may hear of.
    func told(_ later: Set<LogID>, mayReadAll: Bool) -> Set<LogID> {
        mayReadAll ? later : later.filter { received.heads[$0] != nil }
    }

    mutating func limit(by forks: [LogID: ForkedLog]) {
        watermark = watermark?.limited(by: forks)
        received = received.limited(by: forks)
    }
}

/// Logs that a peer asked for again, though it holds them: they may have forked, or of commits in them
/// a part is missing there.
struct AskedAgain {
    /// How far it holds each; nil of one that it has nothing of.
    private var heads: [LogID: LogHead?] = [:]

    init() {}

    init(_ again: [LogAgain], holding: Watermark) {
        for log in again { heads[log.log] = .some(holding.heads[log.log]) }
    }

    var isEmpty: Bool { heads.isEmpty }

    func contains(_ log: LogID) -> Bool { heads[log] != nil }

    /// The logs of which it can only be after parts, with their heads: where both hold the same, nothing has forked.
    func headsInPart(knowing here: Watermark) -> [LogID: LogHead] {
        here.heads.filter { log, head in heads[log] == .some(head) }
    }
}
