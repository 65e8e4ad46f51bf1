internal import LocalAPI
package import SyncCore

/// Single devices in the spaces that are here.
extension SpaceDirectory {
    /// Throws when a device is a member of one of them: forgetting it only undoes the pairing.
    package func requireNothingShared(with device: DeviceID) throws {
        let shared = try readable().filter {
            replica.membership(of: $0.id)?.permissions(of: device).isEmpty == false
        }
        guard !shared.isEmpty else { return }
        let card = shared.lazy.compactMap { replica.membership(of: $0.id)?.card(of: device) }.first
        throw Sentence.Pairing.stillShares(
            device: replica.reference(device).name, trips: shared.map(\.name),
            isOwn: card?.person == replica.local.person)
    }

    /// The sentence for a grant that has no effect, because somebody of a higher rank revoked the space.
    /// People of the first rank can grant it again.
    func staysOut(
        _ person: String, of space: ReadableSpace, isMember: Bool
    ) -> APIError {
        let first = (replica.membership(of: space.id)?.members ?? []).map(\.standing).filter {
            $0.order.rank == 1 && $0.current.contains(.admin)
        }
        let able = Set(first.map(\.card.person)).sorted().map { replica.reference($0).name }
        return Sentence.Member.staysOut(
            person, trip: space.name, isMember: isMember, able: able)
    }
}
