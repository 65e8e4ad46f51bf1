import SyncCore
import TestKit

/// What the agent around an engine does, for every node of a world.
extension EngineWorld {
    mutating func perform(_ action: EngineAction, on node: Int) {
        switch action {
        case .send(let session, let message): send(message, on: session, from: node)
        case .close(let session, let reason):
            closed[reason, default: 0] += 1
            hangUp(session, reason, from: node)
        case .verify: nodes[node].queues[.verifying, default: []].append(action)
        case .apply, .acknowledge, .verifyAck, .verifyHoldings, .verifyFork:
            nodes[node].queues[.storing, default: []].append(action)
        case .ownLogAhead(let space, let log, let sequence):
            if !watermark(node, space).covers(log, sequence) { nodes[node].leave(log) }
        case .load, .loadForks: nodes[node].queues[.reading, default: []].append(action)
        case .offer(let space, _, _): nodes[node].offered.insert(space)
        case .need(let needed): nodes[node].needed = needed
        case .inSync(let device): nodes[node].settled.insert(device)
        case .syncFinished(let request): nodes[node].finishedSyncs.insert(request)
        case .reportHoldings(let space):
            // No commit of a world names a file.
            post(.holdingsSigned(.none(in: space, of: nodes[node].device.id)), to: node)
        default: break
        }
    }

    private func place(of session: SessionID) -> (link: Int, end: Int)? {
        for link in links.indices {
            for end in links[link].ends.indices where links[link].ends[end].session == session {
                return (link, end)
            }
        }
        return nil
    }

    private mutating func send(_ message: PeerMessage, on session: SessionID, from node: Int) {
        guard let (link, end) = place(of: session), links[link].isOpen else { return }
        let receiver = nodes[links[link].ends[1 - end].node].device.id
        inspect(message, from: node, to: receiver)
        guard !links[link].isSilent else { return }
        links[link].ends[1 - end].arriving.append(.message(message))
    }

    /// As the shell does: a Bye after all that was sent, then the end, for both.
    private mutating func hangUp(_ session: SessionID, _ reason: ByeReason, from node: Int) {
        guard let (link, end) = place(of: session), links[link].isOpen else { return }
        links[link].ends[1 - end].arriving.append(.message(.bye(reason)))
        links[link].ends[1 - end].arriving.append(.ending)
        if links[link].isSilent { cut(link) }
    }

    mutating func deliver(_ link: Int, _ end: Int) {
        let arrival = links[link].ends[end].arriving.removeFirst()
        guard links[link].isOpen else { return }
        let (node, session) = (links[link].ends[end].node, links[link].ends[end].session)
        switch arrival {
        case .opening:
            links[link].ends[end].isOpened = true
            let peer = nodes[links[link].ends[1 - end].node].device
            post(
                .sessionOpened(
                    session, PeerInfo(device: peer.id, person: peer.person, dialed: end == 0)),
                to: node)
        case .message(let message): post(.received(session, message), to: node)
        case .ending: cut(link)
        }
    }

    mutating func report(on node: Int) {
        let report = nodes[node].reports.removeFirst()
        post(.applied(report, from: nil), to: node)
    }

    mutating func work(_ kind: EngineNode.Work, on node: Int) {
        guard let action = nodes[node].queues[kind]?.removeFirst() else { return }
        switch action {
        case .verify(let session, let space, let commits, let pinned):
            let verified = commits.map { commit in
                VerifiedCommit(verified: commit, facts: facts[commit.id] ?? [])
                    .leadingToPin(ifIn: pinned)
            }
            perform(.apply(space, verified, .sound, from: session), on: node)
        case .apply(let space, let commits, _, let session):
            let report = nodes[node].stores[space, default: MemoryStore()].apply(
                commits, now: Instant(now).wall)
            post(.applied(report, from: session), to: node)
        case .load(let session, let space, let watermark, let cursor):
            let length = nodes[node].pageLength
            guard let store = nodes[node].stores[space] else { return }
            let page = store.page(beyond: watermark, after: cursor, limit: length)
            post(.loaded(session, space, page), to: node)
        case .verifyFork(let fork, let space, let session):
            verify(fork, of: space, from: session, on: node)
        case .loadForks(let session, let space, let question):
            let length = nodes[node].pageLength
            guard let store = nodes[node].stores[space] else { return }
            post(
                .forksLoaded(
                    session, space, store.forks(for: question, limit: length)),
                to: node)
        case .acknowledge(let space, let watermark): acknowledge(space, watermark, on: node)
        case .verifyAck(let ack, let session): store(ack, from: session, on: node)
        case .verifyHoldings(let said, let session):
            post(.holdingsStored(said, from: session), to: node)
        default: break
        }
    }

    /// Only what was really written is signed.
    private mutating func verify(
        _ fork: UnverifiedFork, of space: SpaceID, from session: SessionID, on node: Int
    ) {
        let log = fork.first.header.log
        let isSigned = facts[fork.first.id] != nil && facts[fork.second.id] != nil
        guard nodes[node].stores[space]?.ledger?.membership.facts.isKnown(log.device) == true else {
            return post(.forkRefused(space, .unknownDevice, from: session), to: node)
        }
        guard isSigned, fork.isCoherent(in: space) else {
            return post(.forkRefused(space, .invalid, from: session), to: node)
        }
        guard let report = nodes[node].stores[space]?.apply(fork) else { return }
        post(.forkApplied(report, from: session), to: node)
    }

    private mutating func acknowledge(_ space: SpaceID, _ watermark: Watermark, on node: Int) {
        let held = watermark.limited(by: forks(node, space))
        guard nodes[node].stores[space]?.watermark.covers(held) == true else {
            violations.append("node \(node) acknowledges what it has not stored")
            return
        }
        let ack = Ack(
            space: space, device: nodes[node].device.id, counter: nodes[node].nextCounter(),
            watermark: watermark)
        let signed = UnverifiedAck(ack, bytes: [], signature: [])
        nodes[node].acks[space, default: [:]][ack.device] = signed
        post(.ackSigned(signed), to: node)
    }

    private mutating func store(_ ack: UnverifiedAck, from session: SessionID, on node: Int) {
        let known = nodes[node].acks[ack.said.space]?[ack.said.device]?.said.counter ?? 0
        guard ack.said.counter > known else { return }
        nodes[node].acks[ack.said.space, default: [:]][ack.said.device] = ack
        post(.ackStored(ack, from: session), to: node)
    }

    /// Nobody hears of a space that was never granted to them, and nobody who has lost it, as far
    /// as the sender knows, is served.
    private mutating func inspect(
        _ message: PeerMessage, from node: Int, to receiver: DeviceID
    ) {
        var told: [SpaceID] = []
        switch message {
        case .spaces(let summaries, _):
            sent["spaces", default: 0] += 1
            told = summaries.map(\.space)
        case .commits(let space, let commits, let live):
            sent[live ? "live" : "commits", default: 0] += commits.count
            told = [space]
        case .ack(let ack):
            sent["ack", default: 0] += 1
            told = [ack.said.space]
        case .ackDifference(let difference):
            sent["ack", default: 0] += 1
            told = [difference.space]
        case .heard(let heard):
            sent["heard", default: 0] += 1
            told = [heard.space]
        case .comparison: sent["comparison", default: 0] += 1
        case .watermark(let space, let watermark, let forks, _):
            sent["watermark", default: 0] += 1
            // One may ask anybody; what one knows is told to members only.
            if !watermark.isEmpty || !forks.points.isEmpty { told = [space] }
        case .fork(let space, _):
            sent["fork", default: 0] += 1
            told = [space]
        case .branchHeaders(let space, _): told = [space]
        default: break
        }
        for space in told {
            if granted[space]?.contains(receiver) != true {
                violations.append("node \(node) tells a stranger of a space")
            }
        }
    }
}

extension UnverifiedHoldings {
    /// What a device says that knows of no files.
    static func none(in space: SpaceID, of device: DeviceID) -> UnverifiedHoldings {
        UnverifiedHoldings(
            Holdings(
                space: space, device: device, counter: 1, held: 0, missing: [], missingCount: 0,
                missingBytes: 0), bytes: [], signature: [])
    }
}
