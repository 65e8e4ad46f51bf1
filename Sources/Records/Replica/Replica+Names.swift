package import LocalAPI
internal import Store
package import SyncCore

/// Who people and devices are. Names stand in the profiles of each space and nowhere else on the way
/// between devices but in pairing.
extension Replica {
    /// A person's name: as the spaces' profiles say, as it was told when pairing, or the id's start.
    package func personName(_ person: PersonID) -> String {
        if person == local.person { return local.personName }
        return profileName(of: person.bytes, in: Schema.personProfile)
            ?? pairedName { $0.person == person ? $0.personName : nil }
            ?? String(hexadecimal(person.bytes).prefix(8))
    }

    package func deviceName(_ device: DeviceID) -> String {
        if device == local.device { return local.deviceName }
        return profileName(of: device.bytes, in: Schema.deviceProfile)
            ?? pairedName { $0.device == device ? $0.deviceName : nil }
            ?? String(hexadecimal(device.bytes).prefix(8))
    }

    package func reference(_ person: PersonID) -> Reference {
        let shown = ShownText.name(personName(person))
        let short = String(hexadecimal(person.bytes).prefix(8))
        return Reference(person, name: shown.isEmpty ? short : shown)
    }

    package func reference(_ device: DeviceID) -> Reference {
        let id = idText(of: device)
        let shown = ShownText.name(deviceName(device))
        return Reference(id: id.whole, shortID: id.short, name: shown.isEmpty ? id.short : shown)
    }

    /// Who wrote with a device: its person, as the space or pairing tells it; the device itself when
    /// nobody told whose it is.
    package func author(with device: DeviceID, in space: SpaceID) -> Reference {
        if device == local.device { return reference(local.person) }
        let card = membership(of: space)?.card(of: device)
        return (card?.person ?? pairedPerson(of: device)).map { reference($0) } ?? reference(device)
    }

    /// Whether an author is this device's person.
    package func isOwn(_ author: Reference) -> Bool {
        author.id == local.person.description
    }

    private func pairedPerson(of device: DeviceID) -> PersonID? {
        reading("devices not read") { try store.device(device)?.person }
    }

    private func profileName(of source: [UInt8], in collection: String) -> String? {
        reading("profile not read") {
            for space in store.ledgers.keys.sorted() {
                let id = RecordID.derived(space: space, collection: collection, source: source)
                let key = RecordKey(collection: collection, record: id)
                guard let state = try store.record(key, of: space), !state.isDeleted,
                    let name = schema(of: space)?.shown(state, in: collection)?.value("name")?.text,
                    !name.isEmpty
                else { continue }
                return name
            }
            return nil
        }
    }

    private func pairedName(_ name: (StoredDevice) -> String?) -> String? {
        reading("devices not read") {
            try store.devices().lazy.compactMap(name).first { !$0.isEmpty }
        }
    }

    private func reading<Value>(_ what: String, _ body: () throws -> Value?) -> Value? {
        do {
            return try body()
        } catch {
            couldNotRead(what, error)
            return nil
        }
    }
}

/// The records that carry people's and devices' names in a space.
extension Replica {
    /// This person's and this device's names as records of a space.
    package func profileOperations(in space: SpaceID) -> [RecordOperation] {
        [
            personProfile(local.person, local.personName, in: space),
            deviceProfile(local.device, local.deviceName, of: local.person, in: space),
        ]
    }

    /// Names of a person and devices that the space does not know yet.
    func missingProfiles(of person: PersonID, devices: [DeviceID], in space: SpaceID) throws
        -> [RecordOperation]
    {
        let all =
            [personProfile(person, personName(person), in: space)]
            + devices.map { deviceProfile($0, deviceName($0), of: person, in: space) }
        return try all.filter { operation in
            let key = RecordKey(collection: operation.collection, record: operation.record)
            return try store.record(key, of: space)?.isDeleted ?? true
        }
    }

    /// The record that carries a device's name in a space.
    package func profileKey(of device: DeviceID, in space: SpaceID) -> RecordKey {
        RecordKey(
            collection: Schema.deviceProfile,
            record: .derived(space: space, collection: Schema.deviceProfile, source: device.bytes))
    }

    private func personProfile(
        _ person: PersonID, _ name: String, in space: SpaceID
    ) -> RecordOperation {
        RecordOperation(
            collection: Schema.personProfile,
            record: .derived(space: space, collection: Schema.personProfile, source: person.bytes),
            writes: [Write(field: "name", value: .text(name))])
    }

    private func deviceProfile(
        _ device: DeviceID, _ name: String, of person: PersonID, in space: SpaceID
    ) -> RecordOperation {
        RecordOperation(
            collection: Schema.deviceProfile, record: profileKey(of: device, in: space).record,
            writes: [
                Write(field: "name", value: .text(name)),
                Write(field: "person", value: .text(person.description)),
            ])
    }
}

extension [Reference] {
    /// The same, with the beginning of the id behind names that look alike.
    func toldApart() -> [Reference] {
        map { reference in
            let isAlone = allSatisfy {
                $0.id == reference.id || !Lookup.areSame($0.name, reference.name)
            }
            return isAlone
                ? reference
                : Reference(
                    id: reference.id, shortID: reference.shortID,
                    name: "\(reference.name) (\(reference.shortID.prefix(4)))")
        }
    }
}
