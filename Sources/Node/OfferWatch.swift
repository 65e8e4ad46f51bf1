internal import Store
internal import SyncCore

/// The offers that connected devices make now: an invitation that its maker no longer lists was taken back.
struct OfferWatch: Sendable {
    private struct Peer: Sendable {
        let device: DeviceID
        var offers: [SpaceID: Offer] = [:]
    }

    private let work: EngineWork
    private var peers: [SessionID: Peer] = [:]

    init(_ work: EngineWork) { self.work = work }

    mutating func opened(_ session: SessionID, _ device: DeviceID) {
        peers[session] = Peer(device: device)
    }

    mutating func closed(_ session: SessionID) { peers[session] = nil }

    mutating func received(
        _ message: PeerMessage, on session: SessionID
    ) throws -> [Node.Action] {
        switch message {
        case .spaces(let summaries, let answer):
            note(summaries, on: session, isWhole: !answer)
            let listed = Set(summaries.map(\.space))
            return try changes(on: session) { !answer && !listed.contains($0) }
        case .taken(let space, _):
            peers[session]?.offers[space] = nil
            return try changes(on: session) { $0 == space }
        default: return []
        }
    }

    /// A question lists all that its sender has for this device; an answer may tell only what changed.
    private mutating func note(
        _ summaries: [SpaceSummary], on session: SessionID, isWhole: Bool
    ) {
        guard var peer = peers[session] else { return }
        if isWhole { peer.offers = [:] }
        for summary in summaries where work.store.ledger(of: summary.space) == nil {
            guard peer.offers[summary.space] != nil || peer.offers.count < Limits.offersPerDevice
            else { continue }
            peer.offers[summary.space] = summary.offer
        }
        peers[session] = peer
    }

    /// What changes of the offers here after a message of a peer. Throws what the store throws.
    private func changes(
        on session: SessionID, isTakenBack: (SpaceID) -> Bool
    ) throws -> [Node.Action] {
        guard let peer = peers[session] else { return [] }
        return try work.store.spaces.offered.sorted().compactMap { space in
            guard work.store.ledger(of: space) == nil,
                let known = try work.store.spaces.space(space)
            else { return nil }
            if known.isOffered, known.offeredBy == peer.device {
                guard isTakenBack(space) else { return nil }
                let other = otherOffer(of: space)
                return .carryOut(.offer(space, other?.offer, by: other?.device ?? peer.device))
            }
            // Of those who offer it, one that is connected is noted.
            let isAway = !peers.values.contains { $0.device == known.offeredBy }
            guard !known.isOffered || isAway, let offer = peer.offers[space] else { return nil }
            return .carryOut(.offer(space, offer, by: peer.device))
        }
    }

    /// An offer that a connected device still makes.
    private func otherOffer(of space: SpaceID) -> (device: DeviceID, offer: Offer)? {
        peers.sorted { $0.key.number < $1.key.number }.lazy.compactMap { _, peer in
            peer.offers[space].map { (peer.device, $0) }
        }.first
    }
}
