import Identity
import Node
import Store
import SyncCore
import Wire

/// Connections: dialling, greeting, sending, ending.
final class Network {
    unowned let world: World
    /// By number.
    private(set) var links: [Int: Link] = [:]
    /// The number of connections so far.
    private(set) var linkCount = 0
    private var state = NetworkState()

    init(world: World) { self.world = world }

    // MARK: Dialling

    /// Whether both trust each other.
    func mayConnect(_ one: Replica, _ other: Replica) -> Bool {
        one.connections.trusted.contains(other.device)
            && other.connections.trusted.contains(one.device)
    }

    @discardableResult
    func connect(
        _ replica: Replica, _ other: Replica, _ purpose: Hello.Purpose,
        for target: DialPlan.Target? = nil
    ) -> Int? {
        guard other.isUp, !isBlocked(replica, other), mayConnect(replica, other) else {
            return nil
        }
        linkCount += 1
        links[linkCount] = Link(
            purpose: purpose, call: target.map { ($0, world.timeline.now) },
            ends: [
                Link.End(replica: replica.index, boot: replica.boot),
                Link.End(replica: other.index, boot: other.boot),
            ])
        world.report.trace.note(
            "connect", UInt64(linkCount),
            text: "\(linkCount): \(replica.index) \(other.index) for \(purpose)")
        world.timeline.after(
            UInt64(Limits.authenticationSeconds) * 1000, .greetingOverdue(link: linkCount))
        for end in [0, 1] {
            let speaker = end == 0 ? replica : other
            let hello = Hello(
                versions: Limits.protocolVersion...Limits.protocolVersion,
                card: speaker.member.chain, agentVersion: "sim", features: [],
                wallClock: speaker.clock.wall, purpose: end == 0 ? purpose : .session,
                listeningPort: 1)
            transmit(.message(MessageCodec().encode(.hello(hello))), linkCount, from: end)
        }
        return linkCount
    }

    /// The dialling side of a session also keeps a connection for blobs.
    func dialBulk(_ replica: Replica, _ session: UInt64) {
        guard let place = replica.connections.sessions[session], place.end == 0,
            let link = links[place.link]
        else { return }
        let other = world.replicas[link.ends[1].replica]
        let hasBulk = replica.connections.bulks.values.contains { place in
            place.end == 0 && links[place.link]?.ends[1].replica == other.index
        }
        if !hasBulk { connect(replica, other, .bulk) }
        world.timeline.after(3_000, .dialBulk(replica.index, boot: replica.boot, session: session))
    }

    // MARK: On the way

    func transmit(_ arrival: Link.Arrival, _ number: Int, from end: Int) {
        guard let link = links[number], !link.ends[end].isClosed, !link.ends[1 - end].isDeaf,
            !link.ends[1 - end].isClosed,
            !state.silences(
                link.ends[end].replica, withAll: world.schedule.canary == .waitsForSilent)
        else { return }
        let pair = NetworkState.Pair(link.ends[0].replica, link.ends[1].replica)
        var wait = world.schedule.latency + world.random.below(world.schedule.latency + 2)
        wait += state.slow[pair] ?? 0
        if case .chunk(_, _, let bytes) = arrival { wait += UInt64(bytes.count >> 15) }
        let due = max(link.ends[1 - end].lastArrival, world.timeline.now + wait)
        links[number]?.ends[1 - end].lastArrival = due
        links[number]?.ends[1 - end].arriving.append(arrival)
        world.timeline.add(.arrival(link: number, end: 1 - end), at: due)
    }

    func arrive(_ number: Int, _ end: Int) {
        guard let arrival = links[number]?.ends[end].arriving.next(), let link = links[number]
        else { return }
        let replica = world.replicas[link.ends[end].replica]
        guard replica.isUp, replica.boot == link.ends[end].boot, !link.ends[end].isClosed,
            !link.ends[end].isDeaf
        else { return }
        world.report.counts.messages += 1
        switch arrival {
        case .ending: ended(number, end, replica)
        case .chunk(let request, let index, let bytes):
            guard let bulk = link.ends[end].number, link.purpose == .bulk else { return }
            world.engines.post(
                [.chunkReceived(BulkID(bulk), request: request, index: index, bytes: bytes)],
                to: replica)
        case .message(let payload): receive(payload, number, end, replica)
        }
    }

    private func receive(
        _ payload: [UInt8], _ number: Int, _ end: Int, _ replica: Replica
    ) {
        guard let link = links[number] else { return }
        let message: PeerMessage
        do {
            message = try MessageCodec().decode(payload)
        } catch {
            let sender = world.replicas[link.ends[1 - end].replica]
            if sender.isHonest {
                world.report.fail("wire", "\(sender.index) sent what does not decode: \(error)")
            }
            return drop(number, tellsOther: true, at: end)
        }
        if let known = link.ends[end].number {
            switch link.purpose {
            case .session:
                if case .bye(let reason) = message, [.notTrusted, .version].contains(reason) {
                    replica.deciding.peers.refused(
                        world.replicas[link.ends[1 - end].replica].device, reason)
                }
                world.engines.post([.received(SessionID(known), message)], to: replica)
                world.nodes.tell(.received(message, SessionID(known)), replica)
            case .bulk: world.engines.post([.bulkReceived(BulkID(known), message)], to: replica)
            }
        } else if case .hello(let hello) = message {
            greet(hello, number, end, replica)
        } else {
            drop(number, tellsOther: true, at: end)
        }
    }

    /// The other side identified itself: from now on the engine knows the connection.
    private func greet(_ hello: Hello, _ number: Int, _ end: Int, _ replica: Replica) {
        guard let link = links[number],
            let card = try? CardVerifier(signatures: world.signatures).verify(hello.card),
            card.device == world.replicas[link.ends[1 - end].replica].device
        else { return drop(number, tellsOther: true, at: end) }
        replica.deciding.peers.greeted(card.device, by: hello, at: replica.clock.wall)
        do {
            let address = world.replicas[link.ends[1 - end].replica].place
            try replica.work?.devices.met(
                card, at: address, skew: hello.skew(from: replica.clock.wall))
        } catch {
            world.machines.couldNotWrite("peer not remembered", error, replica)
            guard replica.isUp else { return }
        }
        replica.connections.lastNumber += 1
        let own = replica.connections.lastNumber
        links[number]?.ends[end].number = own
        switch link.purpose {
        case .session:
            replica.connections.sessions[own] = (number, end)
            let peer = PeerInfo(device: card.device, person: card.person, dialed: end == 0)
            replica.deciding.peers.opened(card.device, at: replica.clock.instant.monotonic)
            world.engines.post([.sessionOpened(SessionID(own), peer)], to: replica)
            world.nodes.tell(.sessionOpened(SessionID(own), card.device), replica)
            if end == 0 {
                world.timeline.after(50, .dialBulk(replica.index, boot: replica.boot, session: own))
            }
        case .bulk:
            replica.connections.bulks[own] = (number, end)
            world.engines.post([.bulkOpened(BulkID(own), card.device)], to: replica)
        }
    }

    /// A side that does not know its peer in time closes the connection.
    func hangUpOnUnknown(_ number: Int) {
        for end in [0, 1] where links[number]?.ends[end].number == nil {
            drop(number, tellsOther: true, at: end)
        }
    }

    // MARK: Ending

    /// One end learns that the connection is over.
    private func ended(_ number: Int, _ end: Int, _ replica: Replica) {
        guard let link = links[number], !link.ends[end].isClosed else { return }
        links[number]?.ends[end].isClosed = true
        links[number]?.ends[end].arriving = []
        transmitEnding(number, to: 1 - end)
        if link.purpose == .session { world.calls.callEnded(link, end, replica) }
        guard let own = link.ends[end].number else { return }
        switch link.purpose {
        case .session:
            replica.connections.sessions[own] = nil
            world.engines.post([.sessionClosed(SessionID(own))], to: replica)
            world.nodes.tell(.sessionClosed(SessionID(own)), replica)
            dropBulks(beside: link, of: replica)
        case .bulk:
            replica.connections.bulks[own] = nil
            world.engines.post([.bulkClosed(BulkID(own))], to: replica)
        }
    }

    /// The session's dialling side ends the connection for blobs with it.
    private func dropBulks(beside link: Link, of replica: Replica) {
        guard link.ends[0].replica == replica.index else { return }
        let other = link.ends[1].replica
        // Including one that has not said hello yet.
        let beside = links(between: replica.index, other).filter { number in
            links[number]?.purpose == .bulk && links[number]?.ends[0].replica == replica.index
                && links[number]?.ends[0].boot == replica.boot
        }
        for number in beside { drop(number, tellsOther: true, at: 0) }
    }

    private func transmitEnding(_ number: Int, to end: Int) {
        guard let link = links[number], !link.ends[end].isClosed, !link.ends[end].isDeaf else {
            return
        }
        let due = max(link.ends[end].lastArrival, world.timeline.now + world.schedule.latency)
        links[number]?.ends[end].lastArrival = due
        links[number]?.ends[end].arriving.append(.ending)
        world.timeline.add(.arrival(link: number, end: end), at: due)
    }

    /// Ends a connection from one side; messages that this side sent may still arrive.
    func drop(_ number: Int, tellsOther: Bool, at end: Int) {
        guard let link = links[number], !link.ends[end].isClosed else { return }
        if !tellsOther { links[number]?.ends[1 - end].isDeaf = true }
        ended(number, end, world.replicas[link.ends[end].replica])
    }

    /// The network loses a connection: messages on their way are lost, and each side notices in its
    /// own time.
    func cut(_ number: Int) {
        for end in [0, 1] {
            guard let link = links[number], !link.ends[end].isClosed else { continue }
            links[number]?.ends[end].arriving = []
            links[number]?.ends[end].lastArrival = 0
            guard !link.ends[end].isDeaf else { continue }
            links[number]?.ends[end].arriving.append(.ending)
            world.timeline.add(
                .arrival(link: number, end: end), at: world.timeline.now + world.random.below(60))
        }
    }

    /// Numbers of the connections between two replicas, in order.
    func links(between one: Int, _ other: Int) -> [Int] {
        links.filter { Set($0.value.ends.map(\.replica)) == [one, other] }.keys.sorted()
    }

    /// Closes a session that its dialling side does not need.
    func letGo(_ session: SessionID, _ replica: Replica) {
        guard let place = replica.connections.sessions[session.number] else { return }
        links[place.link]?.isLetGo = true
        close(session, .enough, replica)
    }

    // MARK: Steps

    func change(_ step: Step) {
        let pair = NetworkState.Pair(step.actor, step.other)
        switch step.kind {
        case .cut: links(between: step.actor, step.other).forEach { cut($0) }
        case .silence:
            // A cable is pulled: one direction or both.
            for number in links(between: step.actor, step.other) {
                let which = world.random.below(3)
                if which != 0 { links[number]?.ends[0].isDeaf = true }
                if which != 1 { links[number]?.ends[1].isDeaf = true }
            }
        case .slow: state.slow[pair] = step.amount
        case .fray:
            // Many packets are lost: large messages do not arrive for a while.
            for number in 1...(4 + world.random.below(8)) {
                world.timeline.after(
                    number * 700 + world.random.below(400), .fray(step.actor, step.other))
            }
        case .partition:
            let side = world.replicas.indices.map { _ in world.random.chance(50) }
            for one in world.replicas.indices {
                for other in world.replicas.indices where one < other && side[one] != side[other] {
                    state.blocked.insert(NetworkState.Pair(one, other))
                    links(between: one, other).forEach { cut($0) }
                }
            }
        case .join:
            mend()
            for replica in world.replicas where replica.isUp {
                world.calls.networkReturned(replica)
            }
        default: break
        }
    }

    func fray(_ one: Int, _ other: Int) {
        for number in links(between: one, other) where links[number]?.purpose == .bulk {
            cut(number)
        }
    }

    // MARK: Its condition

    func isBlocked(_ one: Replica, _ other: Replica) -> Bool {
        state.blocked.contains(NetworkState.Pair(one.index, other.index))
    }

    /// Everybody reaches everybody, as fast as before.
    func mend() { state = NetworkState() }

    /// Nothing of a replica arrives from now on.
    func silence(_ replica: Replica) { state.silent.insert(replica.index) }

    /// No other replica can reach this one.
    func isolate(_ replica: Replica) {
        for other in world.replicas where other.index != replica.index {
            state.blocked.insert(NetworkState.Pair(replica.index, other.index))
            links(between: replica.index, other.index).forEach { cut($0) }
        }
    }

    /// These replicas reach each other, as fast as before.
    func join(_ chosen: Set<Int>) {
        for one in chosen {
            for other in chosen where other > one {
                let pair = NetworkState.Pair(one, other)
                state.blocked.remove(pair)
                state.slow[pair] = nil
            }
        }
    }

    /// The messages of silent devices got lost, so their connections end.
    func endSilence() {
        let silent = state.silent
        state.silent = []
        for (number, link) in links.sorted(by: { $0.key < $1.key })
        where link.ends.contains(where: { silent.contains($0.replica) }) {
            cut(number)
        }
    }
}
