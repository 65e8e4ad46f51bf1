internal import Store
package import SyncCore

/// What becomes of spaces at a start, and of those that are given to this device.
package struct SpaceOffers: Sendable {
    private let work: EngineWork
    private var store: SyncStore { work.store }

    init(_ work: EngineWork) { self.work = work }

    /// Everything the engine is to know at a start. Throws what the store throws.
    package func begin() throws -> EngineWork.Done {
        var done = EngineWork.Done()
        for space in try store.spaces.all() {
            switch (space.standing, space.role != nil) {
            case (.active, true): done.merge(try work.open(space.space, wantsFiles: true))
            // Others must still hear that this device left.
            case (.left, true): done.merge(try work.open(space.space, wantsFiles: false))
            case (.active, false): done.events.append(.spaceAccepted(space.space))
            case (.left, false): done.events.append(.spaceDeclined(space.space))
            case (.offered, _): break
            }
        }
        return done
    }

    /// Keeps what a peer offers, as far as there is room. Throws what the store throws.
    func save(
        _ offer: Offer, of space: SpaceID, from device: DeviceID
    ) throws -> [EngineWork.Note] {
        // The same offer comes with every comparison: that writes nothing.
        if let standing = store.spaces.standing(of: space) {
            let known = try store.spaces.space(space)?.offer
            guard standing == .offered, known != offer else { return [] }
            // A vault does not know what the space is called.
            if let known, !known.title.isEmpty, offer.title.isEmpty { return [] }
        } else {
            let waiting = try store.spaces.all().count {
                $0.standing == .offered && $0.offeredBy == device
            }
            guard waiting < Limits.offersPerDevice else { return [.tooManyOffers(device)] }
        }
        _ = try store.spaces.saveOffer(offer, of: space, by: device)
        return []
    }

    /// Takes an offered space: from now on its commits are fetched.
    package func accept(_ space: SpaceID) throws -> EngineWork.Done {
        try store.spaces.setStanding(of: space, to: .active, now: work.clock.wall)
        var done = EngineWork.Done(events: [.spaceAccepted(space)])
        // One that was left before is here already.
        done.merge(work.reopen(space))
        return done
    }

    /// Refuses an offered space. One that was left before and given again is left: the others hear it as
    /// they did then.
    package func decline(_ space: SpaceID) throws -> EngineWork.Done {
        let own = store.ledger(of: space)?.membership.permissions(of: work.device)
        if let own, !own.isEmpty { return try work.leave(space) }
        try store.spaces.setStanding(of: space, to: .left, now: work.clock.wall)
        return EngineWork.Done(events: [.spaceDeclined(space)])
    }

    /// Takes a space that this person's key brings back, as soon as it comes.
    func expect(_ recovered: RecoveryOffer, from device: DeviceID) throws -> EngineWork.Done {
        let offer = Offer(
            title: recovered.title, from: "", flags: recovered.flags, bytes: 0)
        _ = try store.spaces.saveOffer(offer, of: recovered.space, by: device)
        return try accept(recovered.space)
    }
}
