internal import LocalAPI
internal import Store
package import SyncCore

/// Reads the local state of spaces.
extension Replica {
    /// Runs `body` in one read transaction, so that it sees a single moment. Only for reading: it would not
    /// see its own writes.
    package func snapshot<Answer>(_ body: () throws -> Answer) throws -> Answer {
        try store.snapshot { _ in try body() }
    }

    /// The answer of `body`; `other` where it could not be read, which is logged.
    package func reading<Answer>(
        _ what: String, or other: Answer, _ body: () throws -> Answer
    ) -> Answer {
        do {
            return try body()
        } catch {
            couldNotRead(what, error)
            return other
        }
    }

    package func membership(of space: SpaceID) -> Membership? {
        store.ledger(of: space)?.membership
    }

    /// The permissions of this device in a space.
    package func permissions(in space: SpaceID) -> Permissions {
        let own = membership(of: space)?.permissions(of: local.device) ?? []
        return own.isEmpty || revocationNotice(of: space) == nil ? own : []
    }

    /// The precedence of this device's writes in a space.
    package func precedence(in space: SpaceID) -> UInt32 {
        membership(of: space)?.precedence(of: local.device) ?? 0
    }

    /// The commits of a space that this device has; empty for an unknown space.
    package func watermark(of space: SpaceID) -> Watermark {
        store.ledger(of: space)?.watermark ?? Watermark()
    }

    /// The schema that a space follows; nil while it is not known here.
    package func schema(of space: SpaceID) -> Schema? { store.spaces.schema(of: space) }

    /// The schema that a space follows; throws a sentence when it cannot be followed here.
    package func requireSchema(of space: SpaceID) throws -> Schema {
        guard let pin = store.ledger(of: space)?.schema else {
            throw StoreError.spaceUnknown(space)
        }
        do {
            return try schemas.schema(pin)
        } catch {
            throw SpaceErrors.schemaNotFollowed(Sentence.SchemaObstacle(error))
        }
    }

    /// The commits that each other device is known to hold: acknowledged, or its own.
    package func acks(of space: SpaceID) throws -> [DeviceID: Watermark] {
        var acks: [DeviceID: Watermark] = [:]
        for signed in try store.statements.acks(of: space) {
            acks[signed.said.device] = signed.said.watermark
        }
        for (log, head) in watermark(of: space).heads {
            acks[log.device, default: Watermark()].advance(log, to: head)
        }
        return acks
    }

    /// A new id with this person's mark.
    package func newRecordID(in space: SpaceID) -> RecordID {
        var random = SystemRandomNumberGenerator()
        return .made(by: local.person, in: space, from: Bytes16(random: &random).bytes)
    }
}
