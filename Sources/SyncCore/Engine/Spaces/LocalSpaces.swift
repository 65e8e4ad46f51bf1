/// The spaces that are here, and what this person wants of others.
package struct LocalSpaces: Sendable {
    package let device: DeviceID
    package internal(set) var person: PersonID
    private var views: [SpaceID: SpaceView] = [:]
    private var offers: [SpaceID: OfferedSpace] = [:]
    /// Spaces whose commits are taken although none is here yet.
    private(set) var accepted: Set<SpaceID> = []
    /// Spaces that the person does not want, with the grants that were known then.
    private(set) var declined: [SpaceID: GrantCount] = [:]
    /// Spaces that are here and closed: they were left, and given again.
    private var unanswered: Set<SpaceID> = []
    /// Spaces that are here and were taken from this device by what it was told: the commits that say so are not
    /// here.
    private var taken: Set<SpaceID> = []
    /// The ways to pinned branches that are not here.
    private var paths: [SpaceID: BranchPaths] = [:]
    /// Spaces of which such a branch was not asked for yet.
    private var newPins: Set<SpaceID> = []
    /// By the wall clock.
    var now = Milliseconds(0)

    init(device: DeviceID, person: PersonID) { (self.device, self.person) = (device, person) }

    package subscript(space: SpaceID) -> SpaceView? { views[space] }

    var ids: [SpaceID] { views.keys.sorted() }

    /// What is noted of spaces is of those that are here, and says one thing of each.
    func checkRows() {
        Invariants.check(
            accepted.isDisjoint(with: declined.keys), "a space is accepted and declined at once")
        Invariants.check(
            views.allSatisfy { $0.key == $0.value.space }, "a view is kept as that of another space"
        )
        Invariants.check(
            paths.keys.allSatisfy { views[$0] != nil } && newPins.allSatisfy { views[$0] != nil },
            "a branch is looked for in a space that is not here")
        Invariants.check(
            unanswered.allSatisfy { views[$0] == nil && !accepted.contains($0) },
            "a space is open that waits for an answer")
        Invariants.check(
            taken.allSatisfy { views[$0] != nil }, "a space was taken that is not here")
        Invariants.check(
            paths.allSatisfy { !$0.value.isEmpty }, "branches are looked for, and none is missing")
    }

    // MARK: Changes

    /// It is here: nothing is waited for any more.
    mutating func arrived(_ space: SpaceID) {
        accepted.remove(space)
        unanswered.remove(space)
    }

    mutating func accept(_ space: SpaceID) {
        accepted.insert(space)
        declined.removeValue(forKey: space)
    }

    mutating func decline(_ space: SpaceID, grants: GrantCount) {
        declined[space] = grants
        accepted.remove(space)
    }

    /// A grant was written after the person declined: they are asked again.
    mutating func offerAgain(_ space: SpaceID) { declined[space] = nil }

    mutating func close(_ space: SpaceID) {
        unanswered.insert(space)
        views[space] = nil
        offers[space] = nil
        paths[space] = nil
        newPins.remove(space)
        accepted.remove(space)
        taken.remove(space)
    }

    mutating func setTaken(_ space: SpaceID, _ isTaken: Bool) {
        if isTaken, views[space] != nil { taken.insert(space) } else { taken.remove(space) }
    }

    /// Returns what was offered before.
    mutating func describe(_ space: SpaceID, _ offer: OfferedSpace) -> OfferedSpace? {
        offers.updateValue(offer, forKey: space)
    }

    /// What a device is offered of a space; nil while nobody has said what there is to offer.
    func offer(of space: SpaceID, to device: DeviceID) -> Offer? {
        views[space].flatMap { offers[space]?.offer(to: device, $0.membership) }
    }

    /// Reports of local and of received commits, and views of a reopened space, may arrive in another
    /// order than they were stored: an older view never replaces a newer one.
    @discardableResult
    mutating func adopt(_ view: SpaceView) -> SpaceView {
        var known = views[view.space] ?? view
        // One that comes late, of before, does not know what was stored since.
        if view.watermark.covers(known.watermark) {
            (known.sealing, known.pace) = (view.sealing, view.pace)
        }
        known.forks.merge(view.forks)
        // Of a log that forked meanwhile, the older one still has a branch.
        known.watermark = known.watermark.limited(by: known.forks)
        for (log, head) in view.watermark.heads where !known.forks.cuts(log, head.sequence) {
            if known.forks[log] != nil, known.watermark.sequence(of: log) == head.sequence {
                known.watermark.cut(log, to: head)
            }
            known.watermark.advance(log, to: head)
        }
        Invariants.check(
            known.forks.allSatisfy { !known.watermark.covers($0.key, $0.value.sequence) },
            "a log of \(view.space) counts beyond its fork")
        if view.membership.revision >= known.membership.revision {
            known.membership = view.membership
        }
        if let before = views[view.space] { known.check(after: before) }
        views[view.space] = known
        findPins(in: known)
        return known
    }

    // MARK: Pinned branches

    /// Follows which branches of a space are pinned and not here.
    private mutating func findPins(in view: SpaceView) {
        let noted = view.pace.pins.filter {
            view.forks.cuts($0.log, $0.sequence) && !view.membership.branches.holds($0)
        }
        let missing = view.membership.missingPins.union(noted)
        guard !missing.isEmpty else {
            paths[view.space] = nil
            return
        }
        if paths[view.space, default: BranchPaths()].set(missing) { newPins.insert(view.space) }
    }

    /// Whether a branch turned out to be pinned and not here since this was asked last.
    mutating func drainNewPins(of space: SpaceID) -> Bool { newPins.remove(space) != nil }

    /// Headers of such branches that are wanted next.
    func wantedHeaders(in space: SpaceID) -> [BranchPlace] {
        views[space].flatMap {
            paths[space]?.wanted($0.forks, first: $0.membership.missingPins)
        } ?? []
    }

    /// Receives headers of such a branch; returns whether any was wanted.
    mutating func receiveHeaders(_ headers: [UnverifiedHeader], of space: SpaceID) -> Bool {
        guard let view = views[space] else { return false }
        return paths[space]?.extend(by: headers, view.forks) ?? false
    }

    /// Those of the commits that lead to such a branch.
    func leadingToPins(_ commits: [UnverifiedCommit], in space: SpaceID) -> Set<CommitID> {
        guard let paths = paths[space] else { return [] }
        return Set(commits.lazy.filter(paths.contains).map(\.id))
    }

    /// Logs of a space of which this device takes nothing more now.
    func later(in space: SpaceID) -> Set<LogID> { views[space]?.later(at: now) ?? [] }

    /// Whether a space is here, and closed until the person answers.
    func isUnanswered(_ space: SpaceID) -> Bool { unanswered.contains(space) }

    // MARK: Rights

    /// Whether today's membership, as known here, lets a device have a space, to read it or to carry it.
    func mayHold(_ device: DeviceID, _ space: SpaceID) -> Bool {
        views[space]?.membership.mayHold(device) ?? false
    }

    /// Whether this device and another one both may have a space, also by what this one was told of it.
    func isHeld(_ space: SpaceID, with other: DeviceID) -> Bool {
        mayHold(other, space) && mayHold(device, space) && !isTaken(space)
    }

    /// Whether it was taken from this device by what it was told.
    func isTaken(_ space: SpaceID) -> Bool { taken.contains(space) }

    /// Whether it lets the device read it: a vault only carries it.
    func mayRead(_ device: DeviceID, _ space: SpaceID) -> Bool {
        views[space]?.membership.permissions(of: device).contains(.read) ?? false
    }

    /// Whether a peer may learn that a space is here. To a stranger, who knows no more than its id,
    /// everything is answered as if it were not.
    func mayKnow(_ peer: PeerInfo, _ space: SpaceID, _ proof: Bytes32?) -> Bool {
        guard let view = views[space] else { return false }
        return mayHold(peer.device, space) || knows(proof, view, peer)
    }

    /// Whether a proof shows that a peer, which cannot read the space as far as is known here, was given
    /// it: the commits it brings may hold the grant. The own person's devices need none.
    private func knows(_ proof: Bytes32?, _ view: SpaceView, _ peer: PeerInfo) -> Bool {
        peer.person == person || proof == view.proof(by: peer.device, to: device)
    }

    /// The grants that were known when the person declined a space, where that answers an offer of it, too.
    func declinedGrants(of space: SpaceID, answering offer: Offer?) -> GrantCount? {
        declined[space].flatMap { $0.isBefore(offer?.grants ?? .unsaid) ? nil : $0 }
    }

    /// Whether a space that is not here is wanted from a peer.
    func wants(_ space: SpaceID, from peer: PeerInfo) -> Bool {
        peer.person == person || accepted.contains(space)
    }
}

extension SpaceView {
    /// A view never goes back behind the one before: of a log less is known only where it forked.
    fileprivate func check(after before: SpaceView) {
        precondition(
            membership.revision >= before.membership.revision,
            "members go from \(before.membership.revision) back to \(membership.revision)")
        precondition(role == before.role, "\(space) was a \(before.role) space")
        Invariants.check(
            before.membership.facts.genesisHeader.isEmpty
                || membership.facts.genesisHeader == before.membership.facts.genesisHeader,
            "\(space) begins with another commit than before")
        Invariants.check(
            watermark.covers(before.watermark.limited(by: forks)), "the watermark of \(space) falls"
        )
        Invariants.check(
            before.forks.allSatisfy { $0.value.sequence >= forks[$0.key]?.sequence ?? .max },
            "a fork in \(space) is forgotten")
    }
}
