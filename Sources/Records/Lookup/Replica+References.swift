package import LocalAPI
package import SyncCore

/// People and devices as answers name them.
extension Replica {
    package func reference(_ person: PersonID) -> Reference {
        Reference(
            person,
            name: nameBook.names(for: self)[person] ?? String(person.description.prefix(8)))
    }

    package func reference(_ device: DeviceID) -> Reference {
        let id = idText(of: device)
        let shown = ShownText.name(names.device(device))
        return Reference(id: id.whole, shortID: id.short, name: shown.isEmpty ? id.short : shown)
    }

    /// A device with a name that tells it from all other known ones: `desk (Ben)` where several are called
    /// desk, or `desk (7FVRIJC)` where Ben has several. ``Lookup`` finds it by that name.
    package func distinctReference(_ device: DeviceID) -> Reference {
        let own = reference(device)
        let namesakes = knownOwners.filter { other, _ in
            other != device && Lookup.areSame(reference(other).name, own.name)
        }
        guard !namesakes.isEmpty else { return own }
        let person = knownOwners[device].map { reference($0).name }
        let isToldByPerson = namesakes.values.allSatisfy { owner in
            person.map { !Lookup.areSame(reference(owner).name, $0) } ?? false
        }
        let mark = isToldByPerson ? person : nil
        return Reference(
            id: own.id, shortID: own.shortID, name: "\(own.name) (\(mark ?? own.shortID))")
    }

    /// This device and all known ones, with their people.
    var knownOwners: [DeviceID: PersonID] {
        let known = reading("devices not read", or: []) { try knownDevices() }
        return known.reduce(into: [local.device: local.person]) { owners, device in
            owners[device.card.device] = device.card.person
        }
    }

    /// The author of writes by a device: its person, known from the space or from pairing; or else the
    /// device itself.
    package func author(with device: DeviceID, in space: SpaceID) -> Reference {
        if device == local.device { return reference(local.person) }
        let card = membership(of: space)?.facts.card(of: device)
        return (card?.person ?? names.pairedPerson(of: device)).map { reference($0) }
            ?? reference(device)
    }

    /// Why this device may do nothing in a space of which it was a member.
    func roleLost(in space: String) -> APIError {
        let loss = reading("loss not read", or: nil) { try losses.loss(of: local.device) }
        guard let loss else { return SpaceErrors.roleLost(space: space) }
        let isByDevice = if case .device = loss.cause { true } else { false }
        return SpaceErrors.deviceLost(
            space: space, device: reference(local.device).name, isByDevice: isByDevice)
    }

    /// Whether an author is this device's person.
    package func isOwn(_ author: Reference) -> Bool {
        author.id == local.person.description
    }
}
