internal import LocalAPI
package import SyncCore

/// Unusual arrivals, beside the list of changes.
extension ChangeService {
    /// Arrivals in these spaces in the last weeks that this person has not looked at, as far as this device
    /// can read them.
    package func arrivals(in spaces: [SpaceID]) throws -> [Arrival] {
        let news = Limits.arrivalNewsMilliseconds
        let since = Milliseconds(replica.now.value - min(news, replica.now.value))
        let readable = spaces.filter {
            replica.membership(of: $0)?.permissions(of: replica.local.device).contains(.read)
                ?? false
        }
        return try arrivals(in: readable, since: since, after: try ReadMarkers(of: replica))
    }

    /// Arrivals for a filter of changes; with nil `marks`, those that were looked at, too. A list of
    /// everything shows them anyhow.
    func arrivals(
        _ filter: ChangeFilter, in space: ReadableSpace?, after marks: ReadMarkers?,
        of isMeant: (DeviceID) -> Bool
    ) throws -> [ArrivalView] {
        guard !filter.whole else { return [] }
        let since = Milliseconds(UInt64(clamping: filter.since?.milliseconds ?? 0))
        let readable = try directory.readable()
        // Only arrivals in all spaces tell which device was away.
        return try arrivals(in: readable.map(\.id), since: since, after: marks).filter {
            isMeant($0.device) && (space == nil || $0.space == space?.id)
        }.compactMap { arrival in
            try readable.first { $0.id == arrival.space }.map { try view(arrival, in: $0) }
        }
    }

    private func arrivals(
        in spaces: [SpaceID], since: Milliseconds, after marks: ReadMarkers?
    ) throws -> [Arrival] {
        try ArrivalFinder(
            replica, in: spaces, since: since, after: { marks?.place(in: $0) ?? 0 }
        ).arrivals()
    }

    private func view(_ arrival: Arrival, in space: ReadableSpace) throws -> ArrivalView {
        let device = replica.reference(arrival.device)
        var undo = UndoDraft()
        undo.deletions = arrival.kind == .deletions
        (undo.since, undo.until) = (
            Moment(arrival.span.lowerBound), Moment(arrival.span.upperBound)
        )
        let devices = try replica.knownDevices().map { replica.reference($0.card.device).name }
        undo.device = typed(device, among: devices + [replica.local.deviceName])
        undo.space =
            space.known == nil
            ? SpaceDirectory.ownName
            : typed(space.reference, among: try directory.list().map(\.name))
        return ArrivalView(
            arrival.kind, device: replica.distinctReference(arrival.device),
            space: space.sharedReference,
            counts: (arrival.changes, arrival.deletions, arrival.conflicts),
            written: Moment(arrival.written), received: Moment(arrival.received), undo: undo)
    }

    /// The text to type for a thing: its name, or its short id if another one has that name.
    private func typed(_ thing: Reference, among names: [String]) -> String {
        names.count { $0 == thing.name } > 1 ? thing.shortID : thing.name
    }
}
