internal import LocalAPI
package import SyncCore

extension SpaceService {
    /// Throws when a device stands in a space that is here: who forgets it takes back no more than what
    /// pairing gave.
    package func requireNothingShared(with device: DeviceID) throws {
        let shared = try directory.readable().filter {
            replica.membership(of: $0.id)?.permissions(of: device).isEmpty == false
        }
        guard !shared.isEmpty else { return }
        let card = shared.lazy.compactMap { replica.membership(of: $0.id)?.card(of: device) }.first
        throw APIError.stillShares(
            device: replica.reference(device).name, trips: shared.map(\.name),
            isOwn: card?.person == replica.local.person)
    }
}
