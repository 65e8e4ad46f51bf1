/// New commits on their way to those who lack them, each brought by one neighbour.
extension Sessions {
    /// Own commits are pushed at once to everybody who holds what they build on. What others wrote
    /// goes on to peers that its author does not reach, by the neighbour whose turn it is; the
    /// next one looks a moment later whether it came.
    mutating func spread(
        _ report: ApplyReport, except source: SessionID?, _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        guard !report.stored.isEmpty else { return [] }
        let reach = reach(of: own.spaces)
        return each(except: source) {
            $0.spread(report, reach, &own, at: now)
        } + own.hurry(report.space, self)
    }
}

extension SessionState {
    mutating func spread(
        _ report: ApplyReport, _ reach: Reach, _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        let space = report.space
        guard own.spaces.mayHold(peer.device, space) else { return [] }
        guard spaces[space]?.remote != nil,
            let outgoing = spaces.change(
                space, { $0.spread(report, reach, own.spaces, at: now) })
        else { return announce(space, &own, at: now) }
        return send(outgoing, of: space, live: true, at: now)
    }
}

extension SharedSpaces {
    /// Sends what the peer still lacks of the commits that others should have brought by now.
    mutating func checkLate(_ own: LocalSpaces, at now: Instant) -> [EngineAction] {
        each { $0.checkLate(own, at: now) }
    }
}

extension SharedSpace {
    fileprivate mutating func spread(
        _ report: ApplyReport, _ reach: Reach, _ own: LocalSpaces, at now: Instant
    ) -> Outgoing {
        recallAck(about: report)
        let isReader = own.mayRead(peer.device, space)
        var pushed: [UnverifiedCommit] = []
        var bytes = 0
        var expected = expected
        var pauses: [DeviceID: UInt64] = [:]
        for commit in report.stored {
            let (log, sequence) = (commit.header.log, commit.header.sequence)
            guard !expected.covers(log, sequence), !knowledge.later.contains(log) else { continue }
            let pause = pauses[log.device] ?? pause(before: log.device, reach, own)
            pauses[log.device] = pause
            bytes += commit.encoded.byteCount
            let isTooMuch = !pushed.isEmpty && bytes > Limits.commitBatchBytes
            if pause == 0, !sending.takesPush || isTooMuch {
                // It comes behind what is being read from the log, or has still to be acknowledged; of a large group
                // only the beginning fits a message.
                sending.goOn()
            } else if pause == 0, expected.hasAll(before: commit.header),
                !commit.isWithheld || !isReader
            {
                pushed.append(commit)
                expected.advance(log, to: LogHead(sequence: sequence, commit: commit.id))
            } else {
                late.add(
                    log, through: sequence,
                    due: now.monotonic + (pause > 0 ? pause : Limits.relayStepMilliseconds))
            }
        }
        Invariants.check(
            pushed.count < 2
                || pushed.reduce(0) { $0 + $1.encoded.byteCount } <= Limits.commitBatchBytes,
            "\(pushed.count) commits are pushed at once that are too much for a message")
        if !pushed.isEmpty { sending.send(pushed) }
        return Outgoing(
            commits: own.outgoing(pushed, of: space, to: peer.device), next: loadNext())
    }

    /// How long others get to bring the peer what a device wrote.
    private func pause(
        before author: DeviceID, _ reach: Reach, _ own: LocalSpaces
    ) -> UInt64 {
        guard author != own.device else { return 0 }
        let path = reach.path(from: author, to: peer.device, in: space)
        let isEarly = path.rank < Limits.earlyRelayers
        let steps =
            UInt64(path.rank) * Limits.relayStepMilliseconds
            + (isEarly ? 0 : Limits.laterRelayMilliseconds)
        if path.isDirect { return Limits.lateCheckMilliseconds + steps }
        return path.isNear ? steps : Limits.farMilliseconds + steps
    }

    fileprivate mutating func checkLate(_ own: LocalSpaces, at now: Instant) -> [EngineAction] {
        let due = late.drain(at: now.monotonic)
        guard !due.isEmpty, let view = own[space], isHeld(own) else { return [] }
        let expected = expected
        var lacks = false
        for (log, sequence) in due {
            let known = view.watermark.sequence(of: log)
            let due = log.device == own.device ? known : min(sequence, known)
            if knowledge.later.contains(log) {
                continue
            } else if !expected.covers(log, due) {
                lacks = true
            } else if !expected.covers(log, known) {
                // It went on meanwhile: that is looked after in its own time.
                late.add(
                    log, through: known, due: now.monotonic + Limits.lateCheckMilliseconds)
            }
        }
        guard lacks else { return [] }
        sending.lookAgain()
        return loadNext()
    }

    /// An ack that came before a log was known here told nothing of it; now it does.
    private mutating func recallAck(about report: ApplyReport) {
        guard let said = statements.acks[peer.device]?.watermark else { return }
        let isNews = report.stored.contains { commit in
            let (log, sequence) = (commit.header.log, commit.header.sequence)
            return said.covers(log, sequence) && remote?.covers(log, sequence) != true
        }
        guard isNews else { return }
        knowledge.acknowledge(said, ofLogsIn: report.watermark, knowing: report.forks)
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
    /// Reach that follow each other in this pace. A commit comes to each of them at another time, so
    /// that two may send it at once: no more than these do.
    package static let earlyRelayers = 3
    /// How much longer all the others wait, who are needed only when the first ones are gone: more than a
    /// commit takes through a thousand devices.
    package static let laterRelayMilliseconds: UInt64 = 4_000
}
