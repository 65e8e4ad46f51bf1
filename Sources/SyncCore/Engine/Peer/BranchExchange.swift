/// Branches of forked logs, which both sides tell each other of beside the log.
struct BranchExchange {
    enum State: Equatable {
        case idle
        /// A batch is on its way, or being read. With `again` the peer asked meanwhile:
        /// afterwards, look again for what it lacks.
        case sending(again: Bool)
    }

    struct Listed: Equatable {
        let here: [ForkPoint]
        let byPeer: [ForkPoint]
        let wanted: [BranchPlace]
    }

    private(set) var state = State.idle
    /// Sending ended before all was sent: the peer's next word on its branches begins it again, whether
    /// it asks or answers.
    private(set) var isOwed = false
    /// The peer has told which branches it holds, so that it got what it lacked of them.
    var hasCompared = false
    /// What the peer said last of forked logs: those it listed, and whose headers it wants.
    private(set) var question = ForkQuestion(listed: [])
    /// Forked logs of which the peer sent branch commits: it may have their proofs, reader or not.
    var shown: Set<LogID> = []
    /// The headers that the peer was asked for last.
    var asked: [BranchPlace] = []
    /// What was here, and what the peer listed, when it was asked because it listed more.
    var lastAsked: Listed?

    mutating func hear(_ forks: ForkReport) {
        hasCompared = true
        question = ForkQuestion(
            listed: forks.points, after: forks.branchesAfter, wanted: forks.wanted)
    }

    /// Whether the peer listed one of these logs as forked.
    func listed(any logs: Set<LogID>) -> Bool {
        question.listed.contains { logs.contains($0.log) }
    }

    /// What is to be looked for from the start again.
    var again: ForkQuestion {
        ForkQuestion(listed: question.listed, wanted: question.wanted)
    }

    /// What is to be looked for from a place on: headers were sent already.
    func question(after place: BranchPlace?) -> ForkQuestion {
        ForkQuestion(listed: question.listed, after: place)
    }

    /// Whether what the peer lacks is to be read now: one batch at a time is on its way, and the next
    /// is asked for with the place that the last one reached.
    mutating func begin(goesOn: Bool) -> Bool {
        isOwed = false
        if case .sending = state, !goesOn {
            state = .sending(again: true)
            return false
        }
        if state == .idle { state = .sending(again: false) }
        Invariants.check(state != .idle && !isOwed, "branches are read, and none are on their way")
        return true
    }

    /// The peer holds what is here.
    mutating func becameEqual() {
        state = .idle
        isOwed = false
    }

    /// With a pull: what is on its way may not come, and what was to be looked for is forgotten.
    mutating func beginAnew() {
        if state != .idle { (isOwed, hasCompared) = (true, false) }
        state = .idle
    }

    /// Nothing more was found. Returns whether to look again.
    mutating func finish() -> Bool {
        let again = state == .sending(again: true)
        state = again ? .sending(again: false) : .idle
        return again
    }
}
