internal import Records
internal import Store
package import SyncCore

/// Tells the engine of spaces: their commits here, and their missing files.
package struct SpaceOpening: Sendable {
    private let work: EngineWork
    private var store: SyncStore { work.store }

    init(_ work: EngineWork) { self.work = work }

    /// Everything the engine is to know at a start. Throws what the store throws.
    package func begin() throws -> EngineWork.Done {
        var done = EngineWork.Done()
        for space in try store.spaces.all() {
            switch (space.standing, space.role != nil) {
            // Others must still hear that this device left.
            case (.active, true), (.left, true): done.merge(try open(space.space))
            case (.active, false): done.events.append(.spaceAccepted(space.space))
            case (.left, false):
                let grants = try OfferedGrants(store).count(of: space.space)
                done.events.append(.spaceDeclined(space.space, grants: grants))
            case (.offered, true): done.events.append(.spaceClosed(space.space))
            case (.offered, false): break
            }
        }
        return done
    }

    /// Everything the engine is to know of a space at start, after what an earlier run could not write. Throws
    /// what the store throws.
    package func open(_ space: SpaceID) throws -> EngineWork.Done {
        guard store.ledger(of: space) != nil else { return EngineWork.Done() }
        var done = EngineWork.Done()
        if store.writeFailure == nil { catchUp(space, &done) }
        guard !work.offers.isWaiting(space) else {
            done.events.append(.spaceClosed(space))
            return done
        }
        let isActive = store.spaces.standing(of: space) == .active
        done.merge(try openAll(of: space, wantsFiles: isActive))
        return done
    }

    /// Everything the engine is to know of a space: what is here, what others said they have, and which
    /// files are missing, unless they are not wanted. Throws what the store throws.
    func openAll(of space: SpaceID, wantsFiles: Bool) throws -> EngineWork.Done {
        guard let ledger = store.ledger(of: space) else { return EngineWork.Done() }
        var done = EngineWork.Done()
        let acks = try store.statements.acks(of: space)
        work.heard.add(acks.map(\.said.device), in: space)
        done.events += acks.map { .ackLoaded($0.unverified) }
        done.events += try store.statements.holdings(of: space).map {
            .holdingsLoaded($0.unverified)
        }
        opened(ledger, &done)
        guard wantsFiles else { return done }
        done.events.append(.blobsNeeded(try missing(in: space)))
        if let offered = work.offers.description(of: space, &done) {
            done.events.append(.spaceDescribed(space, offered))
        }
        return done
    }

    private func opened(_ ledger: SpaceLedger, _ done: inout EngineWork.Done) {
        done.events.append(.spaceOpened(SpaceView(ledger)))
        done.attempt("notice not read", isWriting: false) { done in
            guard try work.notices.isTaken(ledger.space) else { return }
            done.events.append(.spaceTaken(ledger.space, isTaken: true))
        }
    }

    /// Writes what an earlier run could not.
    private func catchUp(_ space: SpaceID, _ done: inout EngineWork.Done) {
        if store.spaces.standing(of: space) == .active || work.offers.isWaiting(space) {
            // What could not be noted when membership changed is noted now.
            done.attempt("standing not noted") {
                $0.merge(try work.offers.updateStanding(of: space))
            }
        }
        // After a crash, some freed files may still have to be requested again.
        done.attempt("freed files not looked at") { _ in
            _ = try store.freedFiles.wantFreed(of: space)
        }
    }

    /// Tells the engine again what of a space is here and which files are missing.
    package func reopen(_ space: SpaceID) -> EngineWork.Done {
        var done = EngineWork.Done()
        guard let ledger = store.ledger(of: space), store.spaces.standing(of: space) != .offered
        else { return done }
        opened(ledger, &done)
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
    func needs(after report: ApplyReport, _ done: inout EngineWork.Done) -> [BlobNeed] {
        let space = report.space
        guard store.spaces.standing(of: space) == .active else { return [] }
        var needs = report.needs
        done.attempt("freed files not looked at") { done in
            let isWide = report.touchesTitle(in: store) || report.schemaChanged
            let wanted = try store.freedFiles.wantFreed(
                of: space, after: isWide ? nil : report.touched)
            needs += wanted.map { BlobNeed($0, in: space) }
        }
        done.attempt("deletion not read", isWriting: false) { done in
            let isDeleted = try !store.spaces.deletions(of: space).isEmpty
            guard isDeleted || report.touchesTitle(in: store) else { return }
            needs = try missing(in: space)
            if isDeleted { done.events.append(.blobsUnneeded(space)) }
        }
        return needs
    }
}

extension ApplyReport {
    /// Whether something was written to the record that carries the space's name.
    func touchesTitle(in store: SyncStore) -> Bool {
        store.spaces.schema(of: space).map {
            touched.contains($0.titleRecord(in: space))
        } ?? false
    }
}
