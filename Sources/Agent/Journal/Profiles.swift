import SyncCore

/// The records that carry people's and devices' names in a space. Names stand nowhere else on the
/// way between devices but in pairing.
struct Profiles: Sendable {
    let replica: AgentNode

    /// Names of a person and devices that the space does not know yet.
    func missing(
        _ person: PersonID, named name: String, devices: [(device: DeviceID, name: String)],
        in space: SpaceID
    ) throws -> [RecordOperation] {
        let people = JournalSchema.Collection.personProfile
        var operations: [RecordOperation] = []
        if try replica.shown(space, people, replica.profileID(of: person, in: space)) == nil {
            operations.append(self.person(person, name, in: space))
        }
        let known = JournalSchema.Collection.deviceProfile
        for entry in devices
        where try replica.shown(space, known, replica.profileID(of: entry.device, in: space)) == nil
        {
            operations.append(device(entry.device, entry.name, of: person, in: space))
        }
        return operations
    }

    private func person(
        _ person: PersonID, _ name: String, in space: SpaceID
    ) -> RecordOperation {
        RecordOperation(
            collection: JournalSchema.Collection.personProfile,
            record: replica.profileID(of: person, in: space),
            writes: [Write(field: JournalSchema.Field.name, value: .text(name))])
    }

    private func device(
        _ device: DeviceID, _ name: String, of person: PersonID, in space: SpaceID
    ) -> RecordOperation {
        RecordOperation(
            collection: JournalSchema.Collection.deviceProfile,
            record: replica.profileID(of: device, in: space),
            writes: [
                Write(field: JournalSchema.Field.name, value: .text(name)),
                Write(field: JournalSchema.Field.person, value: .text(person.description)),
            ])
    }
}
