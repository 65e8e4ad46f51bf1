/// New commits on their way to those who lack them, each brought by one neighbour.
extension Engine {
    /// Own commits are pushed at once to everybody who holds what they build on. What others wrote
    /// goes on to peers that its author does not reach, by the neighbour whose turn it is; the
    /// next one looks a moment later whether it came.
    mutating func spread(
        _ report: ApplyReport, except source: SessionID?, at now: Instant
    ) -> [EngineAction] {
        sessions.keys.sorted().filter { $0 != source }.flatMap {
            spread(report, on: $0, at: now)
        }
    }

    private mutating func spread(
        _ report: ApplyReport, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        let space = report.space
        guard let state = sessions[session], mayHold(state.peer.device, space) else { return [] }
        guard var shared = state.spaces[space], shared.remote != nil else {
            return announce(space, on: session, at: now)
        }
        shared.recallAck(of: state.peer.device, about: report)
        let isReader = mayRead(state.peer.device, space)
        var pushed: [UnverifiedCommit] = []
        var expected = shared.expected
        var pauses: [DeviceID: UInt64] = [:]
        for commit in report.stored {
            let (log, sequence) = (commit.header.log, commit.header.sequence)
            guard !expected.covers(log, sequence) else { continue }
            let pause = pauses[log.device] ?? pause(before: log.device, to: session, in: space)
            pauses[log.device] = pause
            if pause == 0, !shared.sending.takesPush {
                // It comes behind what is being read from the log, or has still to be acknowledged.
                shared.sending.goOn()
            } else if pause == 0, expected.hasAll(before: commit.header),
                !commit.isWithheld || !isReader
            {
                pushed.append(commit)
                expected.advance(log, to: LogHead(sequence: sequence, commit: commit.id))
            } else {
                shared.late.add(
                    log, through: sequence,
                    due: now.monotonic + (pause > 0 ? pause : Limits.relayStepMilliseconds))
            }
        }
        if !pushed.isEmpty { shared.sending.send(pushed) }
        sessions[session]?.spaces[space] = shared
        let reading = loadNext(space, on: session)
        guard !pushed.isEmpty else { return reading }
        noteSent(on: session, at: now)
        let commits = outgoing(pushed, of: space, to: state.peer.device)
        return [.send(session, .commits(space, commits, live: true))] + reading
    }

    /// How long others get to bring a peer what a device wrote.
    private func pause(
        before author: DeviceID, to session: SessionID, in space: SpaceID
    ) -> UInt64 {
        guard author != device else { return 0 }
        let path = path(from: author, to: session, in: space)
        let isEarly = path.rank < Limits.earlyRelayers
        let steps =
            UInt64(path.rank) * Limits.relayStepMilliseconds
            + (isEarly ? 0 : Limits.laterRelayMilliseconds)
        if path.isDirect { return Limits.lateCheckMilliseconds + steps }
        return path.isNear ? steps : Limits.farMilliseconds + steps
    }

    /// Sends what a peer still lacks of the commits that others should have brought by now.
    mutating func checkLate(on session: SessionID, at now: Instant) -> [EngineAction] {
        var actions: [EngineAction] = []
        for space in sessions[session]?.spaces.keys.sorted() ?? [] {
            guard var shared = sessions[session]?.spaces[space] else { continue }
            let due = shared.late.take(at: now.monotonic)
            sessions[session]?.spaces[space] = shared
            guard !due.isEmpty, let view = spaces[space], isHeld(space, on: session) else {
                continue
            }
            let expected = shared.expected
            var lacks = false
            for (log, sequence) in due {
                let known = view.watermark.sequence(of: log)
                if !expected.covers(log, log.device == device ? known : min(sequence, known)) {
                    lacks = true
                } else if !expected.covers(log, known) {
                    // It went on meanwhile: that is looked after in its own time.
                    shared.late.add(
                        log, through: known, due: now.monotonic + Limits.lateCheckMilliseconds)
                }
            }
            if lacks { shared.sending.lookAgain() }
            sessions[session]?.spaces[space] = shared
            if lacks { actions += loadNext(space, on: session) }
        }
        return actions
    }

    /// Commits went out: an answer shows that the connection still stands.
    mutating func noteSent(on session: SessionID, at now: Instant) {
        guard sessions[session]?.awaitedSince == nil else { return }
        sessions[session]?.awaitedSince = now.monotonic
    }
}

extension SharedSpace {
    /// Of commits read from the log those to send. What a push delivered meanwhile is not sent again; nor
    /// is, as long as that is waited for, what somebody else brings and what builds on it.
    mutating func chosen(from loaded: [UnverifiedCommit], at now: UInt64) -> [UnverifiedCommit] {
        let expected = expected
        return loaded.filter { commit in
            let (log, sequence) = (commit.header.log, commit.header.sequence)
            guard !expected.covers(log, sequence) else { return false }
            guard !late.isEmpty else { return true }
            let missing = commit.header.seen.filter {
                !expected.covers($0.log, $0.head.sequence)
            }
            let dues = ([log] + missing.map(\.log)).compactMap { late.due(of: $0, after: now) }
            guard let due = dues.max() else { return true }
            late.add(log, through: sequence, due: due)
            return false
        }
    }

    /// An ack that came before a log was known here told nothing of it; now it does.
    fileprivate mutating func recallAck(of device: DeviceID, about report: ApplyReport) {
        guard let said = statements.acks[device]?.watermark else { return }
        let isNews = report.stored.contains { commit in
            let (log, sequence) = (commit.header.log, commit.header.sequence)
            return said.covers(log, sequence) && remote?.covers(log, sequence) != true
        }
        guard isNews else { return }
        peer.acknowledge(said, ofLogsIn: report.after, knowing: report.forks)
    }
}

extension Watermark {
    /// Whether all that a commit's author had seen, and the log up to it, is known here, as far as
    /// its header tells.
    func hasAll(before header: CommitHeader) -> Bool {
        covers(header.log, header.sequence - 1)
            && header.seen.allSatisfy { covers($0.log, $0.head.sequence) }
    }
}

extension Limits {
    // MARK: Spreading

    /// When a neighbour looks whether a peer has what its author should have pushed to it: far longer
    /// than a push and its ack take on a network that works.
    package static let lateCheckMilliseconds: UInt64 = 2_000
    /// How long a neighbour that does not hear the author itself leaves it to those who do.
    package static let farMilliseconds: UInt64 = 100
    /// Between one neighbour and the next that looks after the same commit: the time that a commit
    /// takes to be stored and acknowledged, acks being collected for a moment.
    package static let relayStepMilliseconds: UInt64 = 400
    /// Neighbours that follow each other in this pace. A commit comes to each of them at another time, so
    /// that two may send it at once: no more than these do.
    package static let earlyRelayers = 3
    /// How much longer all the others wait, who are needed only when the first ones are gone: more than a
    /// commit takes through a thousand devices.
    package static let laterRelayMilliseconds: UInt64 = 4_000
}
