/// The places that the devices of a person have in a space. They are given in the order in which grants
/// are judged: what a device lets in is junior to it and takes no place from it. Those that come by the
/// person's key have their own, which nobody can fill who has a device alone.
package struct DevicePlaces: Sendable {
    private struct Kind: Hashable {
        let person: PersonID
        let byKey: Bool
    }

    private var taken: [Kind: Set<DeviceID>] = [:]

    /// Whether a grant to a device would be valid as far as places go.
    package func hasRoom(for card: Card, byKey: Bool) -> Bool {
        let taken = taken[Kind(person: card.person, byKey: byKey)] ?? []
        return taken.contains(card.device) || taken.count < Limits.devicesPerPerson
    }

    /// Whether a device has a place.
    func holds(_ card: Card, byKey: Bool) -> Bool {
        taken[Kind(person: card.person, byKey: byKey)]?.contains(card.device) ?? false
    }

    /// Takes one, or keeps the one that the device has; false where there is none.
    @discardableResult
    package mutating func claim(for card: Card, byKey: Bool) -> Bool {
        guard hasRoom(for: card, byKey: byKey) else { return false }
        let kind = Kind(person: card.person, byKey: byKey)
        taken[kind, default: []].insert(card.device)
        precondition(
            taken[kind, default: []].count <= Limits.devicesPerPerson,
            "\(card.person) has more places than one may have")
        return true
    }
}
