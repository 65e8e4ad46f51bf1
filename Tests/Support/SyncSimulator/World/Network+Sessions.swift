import SyncCore
import Wire

/// The engine's actions on connections.
extension Network {
    func send(_ message: PeerMessage, on session: SessionID, _ replica: Replica) {
        guard let place = replica.connections.sessions[session.number], let link = links[place.link]
        else {
            return
        }
        let receiver = world.replicas[link.ends[1 - place.end].replica]
        if replica.isHonest { inspect(message, from: replica, to: receiver) }
        for message in world.attacks.distorted(message, from: replica, to: receiver) {
            put(message, place, replica)
        }
    }

    func put(_ message: PeerMessage, _ place: (link: Int, end: Int), _ replica: Replica) {
        let payload = MessageCodec().encode(message)
        world.report.trace.note(
            "send", UInt64(replica.index), UInt64(place.link),
            text: "\(replica.index) on \(place.link): \(message.summary)")
        world.report.trace.note(bytes: payload)
        world.report.counts.bytes += Crowd.networkBytes(of: payload.count)
        transmit(.message(payload), place.link, from: place.end)
    }

    func send(_ message: PeerMessage, on bulk: BulkID, _ replica: Replica) {
        guard let place = replica.connections.bulks[bulk.number] else { return }
        put(message, place, replica)
    }

    /// Says goodbye; messages sent before still arrive.
    func close(_ session: SessionID, _ reason: ByeReason, _ replica: Replica) {
        guard let place = replica.connections.sessions[session.number], let link = links[place.link]
        else {
            return
        }
        let other = world.replicas[link.ends[1 - place.end].replica]
        if reason == .misbehaved, replica.isHonest, other.isHonest {
            world.report.fail(
                "peace", "\(replica.index) accuses \(other.index) of breaking the protocol")
        }
        put(.bye(reason), place, replica)
        drop(place.link, tellsOther: true, at: place.end)
    }

    func close(_ bulk: BulkID, _ replica: Replica) {
        guard let place = replica.connections.bulks[bulk.number] else { return }
        drop(place.link, tellsOther: true, at: place.end)
    }

    /// No device hears of a space that was never granted to it.
    private func inspect(_ message: PeerMessage, from replica: Replica, to receiver: Replica) {
        var told: [SpaceID] = []
        switch message {
        case .spaces(let summaries, _): told = summaries.map(\.space)
        case .commits(let space, _, _): told = [space]
        case .ack(let ack): told = [ack.said.space]
        case .ackDifference(let difference): told = [difference.space]
        case .ackWanted(let space, _): told = [space]
        case .heard(let heard): told = [heard.space]
        case .holdings(let holdings): told = [holdings.said.space]
        // Any device may be asked; only members are answered.
        case .watermark(let space, let watermark, let forks, _):
            told = watermark.isEmpty && forks.points.isEmpty ? [] : [space]
        case .fork(let space, _), .branchHeaders(let space, _): told = [space]
        default: break
        }
        for space in told
        where world.observer.granted[space]?.keys.contains(receiver.device) == false {
            world.report.fail(
                "permission",
                "\(replica.index) tells \(receiver.index) of \(short(space)), never granted")
        }
    }
}

extension PeerMessage {
    /// For readers of a trace.
    var summary: String {
        switch self {
        case .hello: "hello"
        case .spaces(let list, let answer):
            "spaces \(list.map { short($0.space) })\(answer ? " in answer" : "")"
        case .watermark(let space, let mark, let forks, let answer):
            "watermark \(short(space)) \(mark.summary)\(forks.summary)"
                + (answer ? " in answer" : "")
        case .fork(let space, let fork):
            "proof \(short(space)) \(fork.first.header.log.summary)"
                + ":\(fork.first.header.sequence)"
        case .branchHeaders(let space, let headers):
            "headers \(short(space)) \(headers.map { "\($0.header.sequence)" })"
        case .commits(let space, let commits, let live):
            "commits \(short(space)) \(commits.map { $0.summary })\(live ? " live" : "")"
        case .ack(let ack): "ack of \(short(ack.said.device)) \(ack.said.watermark.summary)"
        case .ackDifference(let said):
            "difference \(said.base) to \(said.counter) of \(said.device.map { short($0) } ?? "itself")"
        case .ackWanted(let space, let device): "wants ack \(short(space)) \(short(device))"
        case .heard(let heard): "heard \(short(heard.space)) \(heard.entries.count)"
        case .reach(let added, let removed):
            "reach \(added.map { short($0) }) without \(removed.map { short($0) })"
        case .comparison(let said): "comparison\(said.answer ? " in answer" : "")"
        case .holdings(let holdings): "holdings of \(short(holdings.said.device))"
        case .want(let want): "want \(short(want.blob))"
        case .have(let have): "have \(have.held)"
        case .bye(let reason): "bye \(reason)"
        case .taken(let space, let commits): "taken \(short(space)) \(commits.count)"
        case .recoveryRequest: "asks to recover"
        case .recoveryOffers(let offers): "could recover \(offers.count)"
        case .recoveryStatements(let statements): "recovers \(statements.count)"
        case .lossSum: "sum of losses"
        case .lossStatements(let statements, let answer):
            "losses \(statements.map { short($0.id) })\(answer ? " in answer" : "")"
        case .ping, .pong, .decline, .condition, .unknown: "\(self)"
        }
    }
}

extension Watermark {
    var summary: String {
        positions.map { position in
            "\(position.log.summary):\(position.head.sequence)"
        }.joined(separator: " ")
    }
}

extension LogID {
    var summary: String {
        "\(hexadecimal(device.bytes.prefix(2))).\(hexadecimal(incarnation.bytes.prefix(1)))"
    }
}

extension ForkReport {
    var summary: String {
        points.map { " forked \($0.log.summary):\($0.sequence) \($0.tips.map { short($0) })" }
            .joined() + again.map { " again \($0.log.summary):\($0.after)" }.joined()
            + (branchesAfter.map { " after \(short($0.commit))" } ?? "")
    }
}

extension UnverifiedCommit {
    var summary: String {
        "\(header.log.summary):\(header.sequence)=\(short(id))"
    }
}
