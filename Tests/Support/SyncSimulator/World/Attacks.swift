import Identity
import SyncCore
internal import TestKit
import Wire

/// Messages of hostile members.
struct Attacks {
    let world: World

    private static let remembered = 40

    /// A replica's message in place of the given one; an honest replica does not change it.
    func distorted(
        _ message: PeerMessage, from replica: Replica, to receiver: Replica
    ) -> [PeerMessage] {
        switch replica.conduct.role {
        case .honest, .forker: return [message]
        case .trespasser: return [whole(message, to: receiver)]
        case .liar: return [lie(message, replica)]
        case .flooder:
            guard world.random.chance(10) else { return [message] }
            return Array(repeating: message, count: 2 + world.random.index(below: 30))
        case .replayer:
            if replica.conduct.said.count == Self.remembered { replica.conduct.said.removeFirst() }
            replica.conduct.said.append(message)
            guard world.random.chance(25), let old = world.random.pick(replica.conduct.said) else {
                return [message]
            }
            return [message, moved(old, replica)]
        case .withholder:
            if case .commits(_, let commits, _) = message, world.random.chance(50),
                commits.contains(where: { $0.header.log.device != replica.device })
            {
                return []
            }
            return [message]
        }
    }

    /// With the parts of commits that are to be kept back from a vault, to one that knows that it is a vault: before
    /// that it cannot know what it should not keep.
    private func whole(_ message: PeerMessage, to receiver: Replica) -> PeerMessage {
        guard case .commits(let space, let commits, let live) = message,
            let history = world.observer.histories[space],
            receiver.ledger(of: space)?.membership.vaults.contains(receiver.device) == true
        else { return message }
        let whole = commits.map { commit in
            commit.isWithheld
                ? history.numbers[commit.id].map { history.entries[$0].commit } ?? commit : commit
        }
        return .commits(space, whole, live: live)
    }

    /// A false watermark or ack.
    private func lie(_ message: PeerMessage, _ replica: Replica) -> PeerMessage {
        guard world.random.chance(40) else { return message }
        switch message {
        case .watermark(let space, let watermark, let forks, let answer):
            return .watermark(space, falsified(watermark), forks: forks, answer: answer)
        case .ack(let ack) where ack.said.device == replica.device:
            var said = ack.said
            said.watermark = falsified(said.watermark)
            said.counter += world.random.below(1 << 40)
            let bytes = AckCodec().encode(said)
            return .ack(
                UnverifiedAck(
                    said, bytes: bytes,
                    signature: replica.member.keys.sign(.acknowledgement, bytes)))
        case .spaces(let summaries, let answer):
            let false32 = Label.spaceDigest.hash(bigEndian(world.random.next()))
            return .spaces(
                summaries.map {
                    SpaceSummary(
                        space: $0.space, digest: false32, offer: $0.offer, proof: $0.proof)
                },
                answer: answer)
        default: return message
        }
    }

    /// More than there is of some logs, less of others, and an invented log.
    private func falsified(_ watermark: Watermark) -> Watermark {
        var heads: [LogID: LogHead] = [:]
        for position in watermark.positions {
            switch world.random.below(4) {
            case 0: continue
            case 1: heads[position.log] = position.head
            default:
                heads[position.log] = LogHead(
                    sequence: position.head.sequence + 1 + world.random.below(50),
                    commit: CommitID(Label.commit.hash(bigEndian(world.random.next()))))
            }
        }
        if world.random.chance(30), let victim = world.random.pick(world.replicas) {
            let log = LogID(device: victim.device, incarnation: Bytes16(random: &world.random))
            heads[log] = LogHead(
                sequence: 1 + world.random.below(1000),
                commit: CommitID(Label.commit.hash(bigEndian(world.random.next()))))
        }
        return Watermark(heads)
    }

    /// An old message with another space.
    private func moved(_ message: PeerMessage, _ replica: Replica) -> PeerMessage {
        guard let space = world.random.pick(world.observer.spaces) else { return message }
        switch message {
        case .commits(_, let commits, let live): return .commits(space, commits, live: live)
        case .watermark(_, let watermark, let forks, let answer):
            return .watermark(space, watermark, forks: forks, answer: answer)
        case .fork(_, let fork): return .fork(space, fork)
        case .branchHeaders(_, let headers): return .branchHeaders(space, headers)
        case .ack(let ack):
            var said = ack.said
            said.space = space
            let bytes = AckCodec().encode(said)
            return .ack(UnverifiedAck(said, bytes: bytes, signature: ack.signature))
        default: return message
        }
    }

    // MARK: Own attacks

    func attack(_ replica: Replica) {
        switch replica.conduct.role {
        case .honest: break
        case .trespasser: trespass(replica)
        case .withholder, .forker:
            if replica.storage.copies.isEmpty || world.random.chance(40) {
                world.machines.takeCopy(of: replica)
            } else {
                // A device restored in place that writes again has two commits at one position.
                world.machines.restore(
                    replica, inPlace: replica.conduct.role == .forker || world.random.chance(30))
                world.machines.start(replica)
                if replica.conduct.role == .forker {
                    world.journaling.write(replica)
                    world.workshops.edit(replica)
                }
            }
        case .liar, .flooder, .replayer:
            for session in replica.connections.sessions.keys.sorted() {
                shout(on: SessionID(session), replica)
            }
        }
    }

    private func shout(on session: SessionID, _ replica: Replica) {
        guard let place = replica.connections.sessions[session.number],
            let space = world.random.pick(world.observer.spaces)
        else {
            return
        }
        for _ in 0..<(replica.conduct.role == .flooder ? 60 : 3) {
            let message: PeerMessage
            switch world.random.below(6) {
            case 0: message = .ping(token: world.random.next())
            case 1:
                message = .watermark(
                    space, falsified(replica.watermark(of: space)), answer: world.random.chance(50))
            case 2:
                let invented = SpaceID(Label.commit.hash(bigEndian(world.random.next())))
                let offer = Offer(title: "a trip", from: "a friend", flags: .all, bytes: 1)
                message = .spaces(
                    [SpaceSummary(space: invented, digest: .zero, offer: offer)],
                    answer: world.random.chance(50))
            case 3: message = .decline(space)
            case 4: message = .unknown
            default:
                guard let old = world.random.pick(replica.conduct.said) else { continue }
                message = moved(old, replica)
            }
            world.network.put(message, place, replica)
        }
    }
}

extension World {
    var attacks: Attacks { Attacks(world: self) }
}
