internal import LocalAPI
internal import Store
package import SyncCore

/// Names of people and devices. Devices exchange them only in the profiles of each space, and when pairing.
package struct Names {
    let replica: any Replica

    private var store: SyncStore { replica.store }
    private var local: LocalIdentity { replica.local }

    /// A person's name: from the profiles in spaces, from pairing, or else the beginning of the id.
    package func person(_ person: PersonID) -> String {
        if person == local.person { return ownName }
        return profileName(of: person.bytes, in: Schema.personProfile, whose: { $0 == person })
            ?? pairedName { $0.person == person ? $0.personName : nil }
            ?? String(hexadecimal(person.bytes).prefix(8))
    }

    /// This person's own name, which may have been set on another of their devices.
    private var ownName: String {
        let space = local.homeSpace
        // A first device writes its name into the space that is being created.
        guard store.ledger(of: space) != nil else { return local.personName }
        let told = profile(of: local.person.bytes, in: Schema.personProfile, at: space)
        return told?.name ?? local.personName
    }

    package func device(_ device: DeviceID) -> String {
        if device == local.device { return local.deviceName }
        let person = pairedPerson(of: device)
        return profileName(of: device.bytes, in: Schema.deviceProfile, whose: { $0 == person })
            ?? pairedName { $0.device == device ? $0.deviceName : nil }
            ?? String(hexadecimal(device.bytes).prefix(8))
    }

    /// The name by which a command finds a space; nil for one without a name.
    func space(_ space: SpaceID) -> String? { replica.nameBook.spaces(for: replica)[space] }

    /// The person of a paired device.
    func pairedPerson(of device: DeviceID) -> PersonID? {
        replica.reading("devices not read", or: nil) { try store.devices.device(device)?.person }
    }

    /// The name in the profiles of several spaces: the last one that its owner wrote, as others write
    /// names, too; or else the last one.
    private func profileName(
        of source: [UInt8], in collection: String, whose isOwner: (PersonID?) -> Bool
    ) -> String? {
        let told = store.ledgers.compactMap { space, ledger -> (Bool, HybridTime, String)? in
            guard let (name, write) = profile(of: source, in: collection, at: space) else {
                return nil
            }
            let author = ledger.membership.facts.card(of: write.log.device)?.person
            return (isOwner(author), write.clock, name)
        }
        return told.max { one, other in
            one.0 == other.0 ? (one.1, one.2) < (other.1, other.2) : !one.0
        }?.2
    }

    private func profile(
        of source: [UInt8], in collection: String, at space: SpaceID
    ) -> (name: String, write: SurvivingWrite)? {
        replica.reading("profile not read", or: nil) {
            let id = RecordID.derived(space: space, collection: collection, source: source)
            let key = RecordKey(collection: collection, record: id)
            guard let state = try store.records.record(key, of: space), !state.isDeleted,
                let name = replica.schema(of: space)?.shown(state, in: collection)?.value("name")?
                    .text,
                let write = state.fields["name"]?.latest, !name.isEmpty
            else { return nil }
            return (name, write)
        }
    }

    private func pairedName(_ name: (StoredDevice) -> String?) -> String? {
        replica.reading("devices not read", or: nil) {
            try store.devices.all().lazy.compactMap(name).first { !$0.isEmpty }
        }
    }

    /// All people who are known here, by pairing or from a common space, with their shown names.
    func everyone() -> [PersonID: String] {
        var people: Set<PersonID> = [local.person]
        for ledger in store.ledgers.values { people.formUnion(ledger.membership.people) }
        let paired = replica.reading("devices not read", or: []) { try store.devices.all() }
        people.formUnion(paired.map(\.person))
        return people.reduce(into: [:]) { names, person in
            let shown = ShownText.name(self.person(person))
            names[person] = shown.isEmpty ? String(person.description.prefix(8)) : shown
        }
    }

    // MARK: Profiles

    /// This person's and this device's names as records of a space.
    package func profiles(in space: SpaceID) -> [RecordOperation] {
        [
            .profile(of: local.person, named: ownName, in: space),
            .profile(of: local.device, named: local.deviceName, whose: local.person, in: space),
        ]
    }

    /// Names of a person and devices that the space does not know yet.
    func missing(of person: PersonID, devices: [DeviceID], in space: SpaceID) throws
        -> [RecordOperation]
    {
        let all =
            [RecordOperation.profile(of: person, named: self.person(person), in: space)]
            + devices.map {
                RecordOperation.profile(of: $0, named: device($0), whose: person, in: space)
            }
        return try all.filter { operation in
            let key = RecordKey(collection: operation.collection, record: operation.record)
            return try store.records.record(key, of: space)?.isDeleted ?? true
        }
    }
}

extension RecordKey {
    /// The record that carries a device's name in a space.
    package static func profile(of device: DeviceID, in space: SpaceID) -> RecordKey {
        RecordKey(
            collection: Schema.deviceProfile,
            record: .derived(space: space, collection: Schema.deviceProfile, source: device.bytes))
    }
}

extension RecordOperation {
    package static func profile(
        of person: PersonID, named name: String, in space: SpaceID
    ) -> RecordOperation {
        RecordOperation(
            collection: Schema.personProfile,
            record: .derived(space: space, collection: Schema.personProfile, source: person.bytes),
            writes: [Write(field: "name", value: .text(name))])
    }

    package static func profile(
        of device: DeviceID, named name: String, whose person: PersonID, in space: SpaceID
    ) -> RecordOperation {
        RecordOperation(
            collection: Schema.deviceProfile,
            record: RecordKey.profile(of: device, in: space).record,
            writes: [
                Write(field: "name", value: .text(name)),
                Write(field: "person", value: .text(person.description)),
            ])
    }
}

extension Replica {
    package var names: Names { Names(replica: self) }
}
