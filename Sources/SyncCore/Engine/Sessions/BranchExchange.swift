/// Branches of forked logs, which both sides tell each other of beside the log.
struct BranchExchange {
    enum State: Equatable {
        case idle
        /// A batch is on its way, or being read. With `again` the peer asked meanwhile: what it
        /// lacks is looked for anew afterwards.
        case sending(again: Bool)
    }

    struct Listed: Equatable {
        let here: [ForkPoint]
        let byPeer: [ForkPoint]
    }

    private(set) var state = State.idle
    /// Sending ended before all was sent: the peer's next word on its branches begins it again, whether
    /// it asks or answers.
    private(set) var isOwed = false
    /// The peer has told which branches it holds, so that it got what it lacked of them.
    var hasCompared = false
    /// The forked logs that the peer listed last.
    var listed: [ForkPoint] = []
    /// Forked logs of which the peer sent branch commits: it may have their proofs, reader or not.
    var shown: Set<LogID> = []
    /// What was here, and what the peer listed, when it was asked because it listed more.
    var lastAsked: Listed?

    /// Whether what the peer lacks is to be read now: one batch at a time is on its way, and the next
    /// is asked for with the place that the last one reached.
    mutating func begin(goesOn: Bool) -> Bool {
        isOwed = false
        if case .sending = state, !goesOn {
            state = .sending(again: true)
            return false
        }
        if state == .idle { state = .sending(again: false) }
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

    /// Nothing more was found; whether it is to be looked for anew.
    mutating func finish() -> Bool {
        let again = state == .sending(again: true)
        state = again ? .sending(again: false) : .idle
        return again
    }
}
