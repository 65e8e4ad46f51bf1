/// Decides which background work begins, and when; times are milliseconds of the monotonic clock.
///
/// It starts as many kinds of a priority as have places, those first that waited longest. It holds at most two
/// pieces of work of each kind: one that runs, one that waits.
package struct WorkSchedule: Sendable {
    /// Work that is due from time to time.
    package struct Round: Sendable {
        /// The next one, which may differ from all later ones.
        var next: BackgroundWork
        let later: BackgroundWork
        let milliseconds: UInt64
        /// Nil while it waits or runs: the pause begins at its end.
        var due: UInt64?

        /// The first one begins `wait` from `now`.
        package init(
            _ first: BackgroundWork, then later: BackgroundWork? = nil, every interval: UInt64,
            after wait: UInt64 = 0, at now: UInt64
        ) {
            next = first
            self.later = later ?? first
            milliseconds = interval
            due = now + wait
        }
    }

    package enum Action: Hashable, Sendable {
        case start(BackgroundWork)
        case cancel(BackgroundWork.Kind)
    }

    private struct Waiting {
        var work: BackgroundWork
        let ticket: UInt64
        var isRound: Bool
    }

    private enum Phase {
        /// Work waits until it is known which kinds this program does.
        case opening
        case open(Set<BackgroundWork.Kind>)
        case closed
    }

    private var phase = Phase.opening
    private var runningWork: [BackgroundWork.Kind: BackgroundWork] = [:]
    private var waitingWork: [BackgroundWork.Kind: Waiting] = [:]
    private var rounds: [BackgroundWork.Kind: Round] = [:]
    private var lastTicket: UInt64 = 0

    package init() {}

    /// Work that runs.
    package var running: [BackgroundWork] {
        BackgroundWork.Kind.allCases.compactMap { runningWork[$0] }
    }

    /// Work that waits, in the order in which it will begin.
    package var waiting: [BackgroundWork] { waitingInOrder.map(\.work) }

    /// From now on work of these kinds begins, too, and these rounds; work of other kinds is not done by this program.
    package mutating func open(
        _ kinds: Set<BackgroundWork.Kind>, _ rounds: [Round], at now: UInt64
    ) -> [Action] {
        switch phase {
        case .closed: return []
        case .opening:
            phase = .open(kinds)
            waitingWork = waitingWork.filter { kinds.contains($0.key) }
        case .open(let before): phase = .open(before.union(kinds))
        }
        for round in rounds where kinds.contains(round.next.kind) {
            self.rounds[round.next.kind] = round
        }
        return tick(at: now)
    }

    /// Asks for work.
    package mutating func add(_ work: BackgroundWork) -> [Action] {
        add(work, isRound: false)
        return begin()
    }

    /// Work of this kind is over, whether or not it succeeded.
    package mutating func ended(_ kind: BackgroundWork.Kind, at now: UInt64) -> [Action] {
        precondition(runningWork[kind] != nil, "\(kind) ended and did not run")
        runningWork[kind] = nil
        if let round = rounds[kind], round.due == nil, waitingWork[kind]?.isRound != true {
            rounds[kind]?.due = now + round.milliseconds
        }
        return begin()
    }

    /// Begins the rounds that are due.
    package mutating func tick(at now: UInt64) -> [Action] {
        for kind in BackgroundWork.Kind.allCases {
            guard let round = rounds[kind], let due = round.due, due <= now else { continue }
            rounds[kind]?.due = nil
            rounds[kind]?.next = round.later
            add(round.next, isRound: true)
        }
        return begin()
    }

    /// When ``tick(at:)`` is to be called; nil while no round waits for its time.
    package var nextTick: UInt64? { rounds.values.compactMap(\.due).min() }

    /// Begins nothing more, forgets work that waits, and ends work that runs.
    package mutating func close() -> [Action] {
        phase = .closed
        rounds = [:]
        waitingWork = [:]
        return running.map { .cancel($0.kind) }
    }

    private mutating func add(_ work: BackgroundWork, isRound: Bool) {
        let kind = work.kind
        switch phase {
        case .closed: return
        case .open(let kinds) where !kinds.contains(kind): return
        case .opening, .open: break
        }
        if runningWork[kind] != nil, kind.repetition == .covered { return }
        guard let waiting = waitingWork[kind] else {
            lastTicket += 1
            waitingWork[kind] = Waiting(work: work, ticket: lastTicket, isRound: isRound)
            return
        }
        waitingWork[kind]?.work = waiting.work.merged(with: work)
        waitingWork[kind]?.isRound = waiting.isRound || isRound
    }

    private mutating func begin() -> [Action] {
        guard case .open = phase else { return [] }
        var actions: [Action] = []
        for waiting in waitingInOrder {
            let kind = waiting.work.kind
            let places = kind.priority.places
            guard runningWork[kind] == nil,
                runningWork.keys.count(where: { $0.priority == kind.priority }) < places
            else { continue }
            waitingWork[kind] = nil
            runningWork[kind] = waiting.work
            actions.append(.start(waiting.work))
        }
        return actions
    }

    private var waitingInOrder: [Waiting] {
        BackgroundWork.Priority.allCases.flatMap { priority in
            waitingWork.values.filter { $0.work.kind.priority == priority }
                .sorted { $0.ticket < $1.ticket }
        }
    }
}
