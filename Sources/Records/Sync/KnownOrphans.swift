internal import LocalAPI
internal import Store
internal import SyncCore

/// Changes without effect, and which of them are dismissed: this person no longer wants to hear of those. Each
/// dismissal is kept on the device, and in the person's own space for their other devices.
struct KnownOrphans {
    let replica: any Replica

    private var store: SyncStore { replica.store }
    private var home: SpaceID { replica.local.homeSpace }

    /// The changes of a space that do not count, of one device alone if it is named.
    func all(in space: SpaceID, by device: DeviceID? = nil) throws -> Orphans {
        let orphans = try store.orphans.all(in: space, by: device)
        let dismissed = try dismissals()
        guard !dismissed.isEmpty else { return orphans }
        return orphans.dismissing {
            dismissed.contains(Schema.dismissal(of: $0, in: space, home: home).record)
        }
    }

    /// How many there are, by device and reason.
    func counts(in space: SpaceID) throws -> [OrphanCount] {
        let counts = try store.orphans.counts(in: space)
        guard counts.contains(where: { $0.untold > 0 }), try hasDismissals else { return counts }
        return try all(in: space).counts
    }

    /// How many orphans to tell this person of. Everybody is told of forked or damaged logs; the author and
    /// admins are told of changes without the right.
    func untold(in space: SpaceID) throws -> [OrphanView.Reason: Int] {
        let counts = try counts(in: space)
        guard !counts.isEmpty, let membership = replica.membership(of: space) else { return [:] }
        let isAdmin = replica.permissions(in: space).contains(.admin)
        var untold: [OrphanView.Reason: Int] = [:]
        for count in counts where count.untold > 0 {
            guard
                count.reason != .noRight || isAdmin
                    || membership.facts.card(of: count.device)?.person == replica.local.person
            else { continue }
            untold[OrphanView.Reason(count.reason), default: 0] += count.untold
        }
        return untold
    }

    /// Those that still wait, as far as they can be read here.
    func readable(_ orphans: [Orphan]) throws -> [(orphan: Orphan, content: StoredCommit)] {
        try orphans.compactMap { orphan in
            do {
                return (orphan, try store.orphans.content(of: orphan))
            } catch StoreError.noLongerWaiting {
                return nil
            }
        }
    }

    /// The records to which changes write that do not count, each with the name that these give it, or "";
    /// of the first ``Limits/orphansLookedAt`` of the space.
    func names(in space: SpaceID, under schema: Schema) throws -> [RecordKey: String] {
        var found: [RecordKey: String] = [:]
        for operation in try firstChanges(in: space).joined() {
            let key = RecordKey(of: operation, under: schema)
            let title = schema.collection(key.collection)?.titleField?.name
            let name = schema.current(operation).writes.last { $0.field == title }?.value.text
            found[key] = name.map { ShownText.line($0) } ?? found[key] ?? ""
        }
        return found
    }

    /// How many changes of a record do not count because their authors had no right to them; of the first
    /// ``Limits/orphansLookedAt`` of the space.
    func countWithoutRight(
        to key: RecordKey, in space: SpaceID, under schema: Schema
    ) throws -> Int {
        try firstChanges(in: space) { $0 == .noRight }.count { operations in
            operations.contains { RecordKey(of: $0, under: schema) == key }
        }
    }

    /// The operations of each of the first ``Limits/orphansLookedAt`` changes that wait, for reasons that are meant.
    private func firstChanges(
        in space: SpaceID, because isMeant: (Orphan.Reason) -> Bool = { _ in true }
    ) throws -> [[RecordOperation]] {
        guard try store.orphans.counts(in: space).contains(where: { isMeant($0.reason) })
        else { return [] }
        let orphans = try all(in: space).waiting.filter { isMeant($0.reason) }
        return try readable(Array(orphans.prefix(Limits.orphansLookedAt)))
            .map(\.content.commit.operations)
    }

    /// Tells this person of these no more, here and on their other devices.
    func dismiss(_ orphans: [Orphan], in space: SpaceID) async throws {
        try store.orphans.dismiss(orphans, in: space)
        guard store.ledger(of: home) != nil else { return }
        var rest = orphans[...]
        while !rest.isEmpty {
            let operations = rest.prefix(Limits.dismissalsAtOnce).map {
                RecordOperation.dismissal(of: $0.id, in: space, home: home)
            }
            rest = rest.dropFirst(operations.count)
            do {
                try await replica.write(ChangeSet(operations: operations), to: home)
            } catch StoreError.permissionRefused {
                // The person called this device lost: the others go on without it.
                return
            }
        }
    }

    private var hasDismissals: Bool {
        get throws {
            guard store.ledger(of: home) != nil else { return false }
            return try store.records.count(of: home, in: Schema.Dismissal.collection) > 0
        }
    }

    private func dismissals() throws -> Set<RecordID> {
        guard try hasDismissals else { return [] }
        let records = try store.records.list(
            of: home, in: Schema.Dismissal.collection, limit: Limits.dismissalsKnown)
        return Set(records.map(\.record))
    }
}

extension RecordOperation {
    fileprivate static func dismissal(
        of change: CommitID, in space: SpaceID, home: SpaceID
    ) -> RecordOperation {
        let key = Schema.dismissal(of: change, in: space, home: home)
        return RecordOperation(
            collection: key.collection, record: key.record,
            writes: [
                Write(field: Schema.Dismissal.space, value: .text(space.description)),
                Write(field: Schema.Dismissal.change, value: .text(change.description)),
            ])
    }
}

extension Limits {
    /// Changes dismissed in one commit, of some 250 bytes each.
    static let dismissalsAtOnce = 1_000
    /// Changes without effect that are read to find those of one record.
    static let orphansLookedAt = 1_000
    /// Changes of all spaces that are known as dismissed on another device.
    static let dismissalsKnown = 100_000
}

extension Replica {
    var orphans: KnownOrphans { KnownOrphans(replica: self) }
}
