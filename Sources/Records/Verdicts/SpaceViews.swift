internal import LocalAPI
internal import Store
internal import SyncCore

/// Turns spaces into views of the local API.
struct SpaceViews: Sendable {
    let replica: any Replica

    init(_ replica: any Replica) { self.replica = replica }

    private var directory: SpaceDirectory { SpaceDirectory(replica) }

    func list(_ spaces: [KnownSpace]) throws -> [TripView] {
        let short = try directory.shortIDs()
        return try spaces.map { try view($0, short) }
    }

    /// With details; `name` is for a space that is not here yet.
    func view(of space: SpaceID, called name: String) throws -> TripView {
        let known =
            try directory.known(space)
            ?? KnownSpace(space: space, name: name, standing: .awaited(nil, from: nil))
        return try detailed(known)
    }

    /// With details for a single space.
    func detailed(_ known: KnownSpace) throws -> TripView {
        var view = try view(known, directory.shortIDs())
        guard known.isReadable else { return view }
        let acks = try replica.acks(of: known.space)
        view.vaults = (replica.membership(of: known.space)?.vaults ?? []).sorted()
            .filter { acks[$0] != nil }.map { replica.reference($0) }
        view.members = try members(of: known.space)
        view.keptBy = try devicesThatStay(in: known.space)
        if !replica.permissions(in: known.space).isEmpty {
            let unsent = try replica.sync.unsentChanges(of: known.space)
            view.unsent = unsent.flatMap { $0 > 0 ? $0 : nil }
        }
        view.collections = replica.schema(of: known.space)?.ownCollections.map(\.name)
        view.origin = try RecordService(replica).origin(ofSpace: known.space)
        return view
    }

    func view(
        _ space: KnownSpace, _ short: ShortIDs, _ verdict: SpaceVerdict? = nil
    ) throws -> TripView {
        switch space.standing {
        case .member, .deleted: try heldView(space, short, verdict)
        case .awaited(_, let device):
            emptyView(space, short, .member, isAway: device.map(isAway) ?? false)
        case .carried: try carriedView(space, short, verdict)
        case .left: emptyView(space, short, .left)
        case .granted(let offer, let device):
            emptyView(
                space, short, .granted, role: LocalAPI.Role(offer.flags),
                from: try giver(offer, device), bytes: offer.bytes)
        }
    }

    private func heldView(
        _ known: KnownSpace, _ short: ShortIDs, _ judged: SpaceVerdict?
    ) throws -> TripView {
        let space = known.space
        let counted = try counts(of: space)
        let verdict = try judged ?? replica.sync.verdict(of: space)
        let isCarried = replica.permissions(in: space).onlyCarries
        var details = TripView.Details(schema: known.schema)
        details.encryption = try encryption(of: space)
        details.carried = isCarried ? try carriedParts(of: space) : nil
        details.deletion = try deletionView(of: known)
        let quarantined = try replica.store.orphans.counts(in: space).lazy
            .filter { $0.reason == .branch }.map(\.waiting).reduce(0, +)
        return TripView(
            identity(
                known, short, known.deletion != nil ? .deleted : .member,
                role: LocalAPI.Role(replica.permissions(in: space)),
                from: isCarried ? giver(of: space) : nil),
            contents: .init(
                members: memberCount(of: space), memories: counted.entries, media: counted.files,
                bytes: Int64(clamping: try replica.store.files.shownTotals(of: space).bytes)),
            sync: sync(verdict, quarantined: quarantined), details: details)
    }

    /// Only counts, sizes and ages: nothing else of it is known here.
    private func carriedView(
        _ known: KnownSpace, _ short: ShortIDs, _ judged: SpaceVerdict?
    ) throws -> TripView {
        let space = known.space
        let verdict = try judged ?? replica.sync.verdict(of: space)
        let files = try replica.store.files.counts(of: space).originals
        var details = TripView.Details()
        details.carried = try carriedParts(of: space)
        return TripView(
            identity(known, short, .carried, from: giver(of: space)),
            contents: .init(
                members: memberCount(of: space), media: files.count,
                bytes: Int64(clamping: files.bytes)),
            sync: sync(verdict), details: details)
    }

    private func identity(
        _ known: KnownSpace, _ short: ShortIDs, _ membership: TripView.Membership,
        role: LocalAPI.Role? = nil, from giver: Reference? = nil
    ) -> TripView.Identity {
        .init(
            id: known.id, shortID: short[known.id], name: known.name, active: known.isActive,
            membership: membership, role: role, grantedBy: giver)
    }

    private func sync(_ verdict: SpaceVerdict, quarantined: Int = 0) -> TripView.Sync {
        let words = StatusWords(replica)
        return .init(
            verdict.state, missing: verdict.missing,
            problems: verdict.problems.map { words.view(of: $0) }, quarantined: quarantined)
    }

    private func carriedParts(of space: SpaceID) throws -> CarriedView {
        let newest = try replica.store.log.history(of: space, limit: 1).first
        return CarriedView(
            changes: Int(clamping: replica.watermark(of: space).count(beyond: Watermark())),
            filesHere: try replica.store.files.counts(of: space).originals.held,
            newest: newest.map { Moment($0.receivedAt) })
    }

    /// The person who gave this device the rights that it has now.
    private func giver(of space: SpaceID) -> Reference? {
        replica.membership(of: space).flatMap { GrantDescent($0).giver(to: replica.local.device) }
            .map { replica.reference($0) }
    }

    private func deletionView(of space: KnownSpace) throws -> DeletionView? {
        guard let deletion = space.deletion else { return nil }
        return DeletionView(
            by: deletion.by, isMine: deletion.isMine, at: Moment(deletion.last.clock),
            unseen: try UnseenChanges(replica).byDevice(in: space).map(\.work))
    }

    /// People who have the space; those of vaults cannot read it.
    private func memberCount(of space: SpaceID) -> Int {
        guard let membership = replica.membership(of: space) else { return 0 }
        let vaults = membership.vaults
        let cards = membership.members.map(\.standing.card)
        return Set(cards.filter { !vaults.contains($0.device) }.map(\.person)).count
    }

    /// Records that are shown, as every list shows them.
    private func counts(of space: SpaceID) throws -> (entries: Int, files: Int) {
        guard let schema = replica.schema(of: space),
            schema.name == replica.schemas.builtInSchema.name
        else { return (0, 0) }
        let counted = replica.schemas.builtIn.counted
        let reader = RecordReader(replica, space, schema)
        // Copies are subtracted from what was counted at the same moment.
        return try replica.snapshot {
            (
                try reader.shownCount(in: counted.entries),
                try ShownFiles(reader).count(in: counted.files)
            )
        }
    }

    private func emptyView(
        _ space: KnownSpace, _ short: ShortIDs, _ membership: TripView.Membership,
        role: LocalAPI.Role? = nil, from: Reference? = nil, bytes: UInt64 = 0,
        isAway: Bool = false
    ) -> TripView {
        TripView(
            identity(space, short, membership, role: role, from: from),
            contents: .init(bytes: Int64(clamping: bytes)),
            sync: .init(isAway ? .offline : .pending), details: .init(schema: space.schema))
    }

    private func isAway(_ device: DeviceID) -> Bool { !replica.connectedDevices.contains(device) }

    /// The person who granted it, by the offer; another person may have brought the offer.
    private func giver(_ offer: Offer, _ device: DeviceID) throws -> Reference? {
        let said = ShownText.line(offer.from)
        guard !said.isEmpty else { return nil }
        let known = try replica.knownDevices()
        let called = known.filter { ShownText.line($0.personName) == said }
        let device = called.first { $0.card.device == device } ?? called.first
        return device.map { Reference($0.card.person, name: said) }
            ?? Reference(id: "", shortID: "", name: said)
    }

    /// The encryption in a space view; nil for an unencrypted space.
    func encryption(of space: SpaceID) throws -> EncryptionView? {
        guard let membership = replica.membership(of: space), membership.isEncrypted else {
            return nil
        }
        let here = Set(replica.sharing.epochIdentities(of: space).map(\.epoch))
        let lost = try replica.losses.lostDevices().subtracting([replica.local.device])
        return EncryptionView(
            keys: membership.epochs.count,
            keysHere: here.intersection(membership.epochs.keys).count,
            writable: membership.writingEpoch(avoiding: lost) { here.contains($0) } != nil,
            closed: try replica.store.sealed.closedCommits(in: space).count)
    }
}
