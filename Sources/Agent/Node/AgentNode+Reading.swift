import LocalAPI
import Store
package import SyncCore

/// Looking at what is here.
extension AgentNode {
    /// Every space this device knows of, also offered and left ones.
    func spaces() throws -> [SpaceEntry] {
        try store.spaces().compactMap { stored in
            let state: SpaceStage
            switch stored.standing {
            case .active where stored.role != nil: state = .active
            case .active: state = .awaited(stored.offer)
            case .offered:
                guard let offer = stored.offer, let device = stored.offeredBy else { return nil }
                state = .offered(offer, from: device)
            case .left, .deleted: state = .left(stored.offer)
            }
            return SpaceEntry(
                space: stored.space, role: stored.role, state: state,
                acceptedAt: stored.acceptedAt)
        }
    }

    func membership(of space: SpaceID) -> Membership? { store.ledger(of: space)?.membership }

    /// What this device has of a space; empty for a space that it does not know.
    package func watermark(of space: SpaceID) -> Watermark {
        store.ledger(of: space)?.watermark ?? Watermark()
    }

    /// The schema that a space follows; nil while it is not known here.
    func schema(of space: SpaceID) -> Schema? { store.schema(of: space) }

    /// The same; throws the sentence that says why it cannot be followed here.
    func requireSchema(of space: SpaceID) throws -> Schema {
        guard let pin = store.ledger(of: space)?.schema else { throw AgentError.spaceUnknown }
        do {
            return try schemas.schema(pin)
        } catch {
            throw APIError.schemaNotFollowed(Sentence.SchemaObstacle(error))
        }
    }

    /// Shown records of a collection in the order of their ids, deleted ones left out. With
    /// `mentioning` those that refer to that record, and perhaps others.
    func shown(
        _ space: SpaceID, _ collection: String, mentioning: RecordID? = nil
    ) throws -> [ShownEntry] {
        guard let schema = schema(of: space) else { return [] }
        let found =
            if let mentioning {
                try store.records(of: space, in: collection, mentioning: mentioning)
            } else {
                try store.records(of: space, in: collection)
            }
        return found.compactMap { stored in
            guard let record = schema.shown(stored.state, in: collection) else { return nil }
            return ShownEntry(id: stored.record, record: record, state: stored.state)
        }
    }

    /// One shown record; nil when it is deleted or was never written.
    func shown(_ space: SpaceID, _ collection: String, _ id: RecordID) throws -> ShownEntry? {
        let key = RecordKey(collection: collection, record: id)
        guard let schema = schema(of: space), let state = try store.record(key, of: space),
            !state.isDeleted,
            let record = schema.shown(state, in: collection)
        else { return nil }
        return ShownEntry(id: id, record: record, state: state)
    }

    /// Records whose searched text holds every word (or its beginning) of `text`.
    func search(
        _ text: String, in space: SpaceID?
    ) throws -> [(space: SpaceID, collection: String, record: RecordID)] {
        try store.search(text, in: space, limit: .max).map { found in
            (found.space, found.key.collection, found.key.record)
        }
    }

    func digest(of space: SpaceID) throws -> Bytes32 {
        let schema = try requireSchema(of: space)
        return try store.shownDigest(of: space, under: schema)
    }

    func fileCounts(of space: SpaceID) throws -> FileCounts {
        let counts = try store.blobCounts(of: space)
        return FileCounts(
            total: counts.named, here: counts.verified, totalBytes: counts.namedBytes,
            hereBytes: counts.verifiedBytes)
    }

    /// What each other device is known to hold: what it acknowledged, and what it wrote itself.
    func acks(of space: SpaceID) throws -> [DeviceID: Watermark] {
        var acks: [DeviceID: Watermark] = [:]
        for signed in try store.acks(of: space) {
            acks[signed.ack.device] = signed.ack.watermark
        }
        for (log, head) in watermark(of: space).heads {
            acks[log.device, default: Watermark()].advance(log, to: head)
        }
        return acks
    }

    func connectedDevices() -> Set<DeviceID> {
        loop.inspect { $0.connectedDevices }
    }
}
