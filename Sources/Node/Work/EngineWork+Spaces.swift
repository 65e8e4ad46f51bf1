internal import Store
package import SyncCore

/// Where a space stands for this device, and what the engine is told of it.
extension EngineWork {
    /// Everything the engine is to know of a space at start: what is here, what others said they
    /// have, and which files are missing, unless they are not wanted.
    package func open(_ space: SpaceID, wantsFiles: Bool) throws -> Done {
        guard let ledger = store.ledger(of: space) else { return Done() }
        var done = Done()
        if store.spaces.standing(of: space) == .active {
            // What could not be noted when membership changed is noted now.
            done.attempt("standing not noted") { _ in try updateStanding(of: space) }
        }
        // After a crash, some freed files may still have to be requested again.
        done.attempt("freed files not looked at") { _ in _ = try store.files.wantFreed(of: space) }
        let acks = try store.statements.acks(of: space)
        heard.add(acks.map(\.said.device), in: space)
        done.events += acks.map { .ackLoaded($0.unverified) }
        done.events += try store.statements.holdings(of: space).map {
            .holdingsLoaded($0.unverified)
        }
        done.events.append(.spaceOpened(SpaceView(ledger)))
        guard wantsFiles, store.spaces.standing(of: space) == .active else { return done }
        done.events.append(.blobsNeeded(try missing(in: space)))
        if let offered = description(of: space, &done) {
            done.events.append(.spaceDescribed(space, offered))
        }
        return done
    }

    /// Tells the engine again what of a space is here and which files are missing.
    package func reopen(_ space: SpaceID) -> Done {
        var done = Done()
        guard let ledger = store.ledger(of: space) else { return done }
        done.events.append(.spaceOpened(SpaceView(ledger)))
        done.attempt("missing files not read", isWriting: false) { done in
            guard store.spaces.standing(of: space) == .active else { return }
            done.events.append(.blobsNeeded(try missing(in: space)))
        }
        return done
    }

    /// The files that are to be fetched of a space. Of one that was deleted those that its deletion
    /// had not seen: they may be what somebody wants it back for, and nobody else may have them.
    private func missing(in space: SpaceID) throws -> [BlobNeed] {
        let missing = try store.files.missing(of: space)
        let deletions = try store.spaces.deletions(of: space)
        guard !deletions.isEmpty, !missing.isEmpty else {
            return missing.map { BlobNeed($0, in: space) }
        }
        let unseen = Set(
            try store.spaces.commits(of: space, unseenBy: deletions).flatMap { stored in
                stored.commit.clear.blobs.map(\.blob)
            })
        return missing.filter { unseen.contains($0.blob) }.map { BlobNeed($0, in: space) }
    }

    /// The files that commits make this device fetch; those of a space that was left are not.
    func needs(after outcome: ApplyOutcome, _ done: inout Done) -> [BlobNeed] {
        let space = outcome.space
        guard store.spaces.standing(of: space) == .active else { return [] }
        var needs = outcome.missingBlobs.map { BlobNeed($0, in: space) }
        done.attempt("freed files not looked at") { done in
            let isWide = touchesTitle(outcome) || outcome.schemaChanged
            let wanted = try store.files.wantFreed(
                of: space, after: isWide ? nil : outcome.touched)
            needs += wanted.map { BlobNeed($0, in: space) }
        }
        done.attempt("deletion not read", isWriting: false) { done in
            let isDeleted = try !store.spaces.deletions(of: space).isEmpty
            guard isDeleted || touchesTitle(outcome) else { return }
            needs = try missing(in: space)
            if isDeleted { done.events.append(.blobsUnneeded(space)) }
        }
        return needs
    }

    /// Whether something was written to the record that carries the space's name.
    private func touchesTitle(_ outcome: ApplyOutcome) -> Bool {
        store.spaces.schema(of: outcome.space).map {
            outcome.touched.contains($0.titleRecord(in: outcome.space))
        } ?? false
    }

    /// What an offer of this space would say.
    func description(of space: SpaceID, _ done: inout Done) -> OfferedSpace? {
        var described: OfferedSpace?
        done.attempt("space not described", isWriting: false) { _ in
            guard let membership = store.ledger(of: space)?.membership else { return }
            let offer = try offer(of: space, from: "", membership.permissions(of: device))
            let givers = membership.givers.map { ($0, names($0)) }
            described = OfferedSpace(offer, givers: Dictionary(uniqueKeysWithValues: givers))
        }
        return described
    }

    /// Whether an offer may say something else than before these commits.
    func mayOfferDiffer(after outcome: ApplyOutcome, of commits: [UnverifiedCommit]) -> Bool {
        guard !outcome.stored.isEmpty else { return false }
        return outcome.hasGenesis || outcome.membershipChanged || outcome.schemaChanged
            || touchesTitle(outcome)
            || commits.contains { !$0.clear.blobs.isEmpty }
    }

    private func offer(
        of space: SpaceID, from name: String, _ flags: Permissions
    ) throws -> Offer {
        let schema = store.spaces.schema(of: space)
        return Offer(
            title: try title(of: space), from: name, flags: flags,
            bytes: try store.files.counts(of: space).namedBytes,
            schema: schema.map { $0.isJournal ? "" : $0.name } ?? "")
    }

    /// What a space is called, as its records say; empty when nothing does.
    func title(of space: SpaceID) throws -> String {
        guard let schema = store.spaces.schema(of: space) else { return "" }
        let key = schema.titleRecord(in: space)
        guard let state = try store.records.record(key, of: space) else { return "" }
        return schema.shown(state, in: key.collection)?.value("name")?.text ?? ""
    }

    /// The first commits of a space came, because a device of this person has it or because it was
    /// accepted: it is not on offer any more.
    func takeUp(_ space: SpaceID) throws {
        guard store.ledger(of: space) != nil, store.spaces.standing(of: space) == .offered else {
            return
        }
        try store.spaces.setStanding(of: space, to: .active, now: clock.wall)
    }

    /// A space that was left and is given again is on offer again; one that another device of this
    /// person left is left here, too.
    package func updateStanding(of space: SpaceID) throws {
        guard let membership = store.ledger(of: space)?.membership,
            let standing = store.spaces.standing(of: space)
        else { return }
        let own = membership.permissions(of: device)
        switch standing {
        case .left where own.mayHold: try offerAgain(space, membership)
        case .active where own.isEmpty && membership.wasMember(device):
            try store.spaces.setStanding(of: space, to: .left, now: clock.wall)
        default: break
        }
    }

    private func offerAgain(_ space: SpaceID, _ membership: Membership) throws {
        let own = membership.writingGrant(of: device)
        guard let parent = own.flatMap({ membership.standings[$0]?.parent }),
            let giver = membership.standings[parent]?.card
        else { return }
        let offer = try offer(
            of: space, from: names(giver.person), membership.permissions(of: device))
        try store.spaces.setStanding(of: space, to: .offered, now: clock.wall)
        _ = try store.spaces.saveOffer(offer, of: space, by: giver.device)
    }
}
