import LocalAPI
import Store
import SyncCore

/// How trips look in the local API.
extension JournalService {
    func view(_ trip: KnownTrip, _ short: ShortIDs) throws -> TripView {
        switch trip.standing {
        case .member: try heldView(trip, short)
        case .awaited: emptyView(trip, short, .member, role: nil, from: nil, bytes: 0)
        case .left: emptyView(trip, short, .left, role: nil, from: nil, bytes: 0)
        case .granted(let offer, let device):
            emptyView(
                trip, short, .granted, role: LocalAPI.Role(offer.flags),
                from: try giver(offer, device), bytes: offer.bytes)
        }
    }

    private func heldView(_ trip: KnownTrip, _ short: ShortIDs) throws -> TripView {
        let space = trip.space
        let counts = try replica.store.recordCounts(of: space)
        let files = try replica.fileCounts(of: space)
        let readers = try replica.readers(of: space)
        let watermark = replica.watermark(of: space)
        let filesMissing = max(0, files.total - files.here)
        // What any other device said it holds and is not here.
        let changes = readers.acks.values.map { $0.count(beyond: watermark) }.max() ?? 0
        let people = Set((replica.membership(of: space)?.members ?? []).map(\.standing.card.person))
        return TripView(
            id: trip.id, shortID: short[trip.id], name: trip.name, active: trip.isActive,
            membership: .member, role: LocalAPI.Role(permissions(in: trip)), grantedBy: nil,
            memberCount: people.count, memoryCount: counts[Collection.memory] ?? 0,
            mediaCount: counts[Collection.media] ?? 0, bytes: try originalBytes(space),
            missing: WaitingCount(
                changes: Int(clamping: changes), files: filesMissing,
                bytes: Int64(clamping: files.totalBytes.subtractingOrZero(files.hereBytes))),
            state: readers.state(
                watermark: watermark, filesMissing: filesMissing,
                connected: replica.connectedDevices()),
            quarantined: try replica.store.quarantined(in: space), schema: trip.schema)
    }

    private func emptyView(
        _ trip: KnownTrip, _ short: ShortIDs, _ membership: TripView.Membership,
        role: LocalAPI.Role?, from: Reference?, bytes: UInt64
    ) -> TripView {
        TripView(
            id: trip.id, shortID: short[trip.id], name: trip.name, active: trip.isActive,
            membership: membership, role: role, grantedBy: from, memberCount: 0, memoryCount: 0,
            mediaCount: 0, bytes: Int64(clamping: bytes), missing: .nothing, state: .pending,
            schema: trip.schema)
    }

    private func giver(_ offer: Offer, _ device: DeviceID) throws -> Reference {
        let person = try replica.knownDevices().first { $0.card.device == device }?.card.person
        let id = person?.description ?? device.description
        let said = ShownText.line(offer.from)
        let name = said.isEmpty ? person.map { replica.personName($0) } ?? "" : said
        return Reference(id: id, shortID: ShortIDs([])[id], name: ShownText.line(name))
    }

    /// Of all originals and tracks, here or not.
    private func originalBytes(_ space: SpaceID) throws -> Int64 {
        let originals = try replica.store.namedBlobs(of: space).filter { $0.kind != .thumbnail }
        let bytes = originals.reduce(UInt64(0)) { sum, blob in
            let (more, isTooMuch) = sum.addingReportingOverflow(blob.size)
            return isTooMuch ? .max : more
        }
        return Int64(clamping: bytes)
    }
}

extension UInt64 {
    fileprivate func subtractingOrZero(_ other: UInt64) -> UInt64 {
        self > other ? self - other : 0
    }
}
