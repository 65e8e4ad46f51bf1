/// Every operation of the local API, by topic: `\.trips.create` names one.
package struct API: Sendable {
    package let agent = AgentOperations()
    package let changes = ChangeOperations()
    package let sync = SyncOperations()
    package let doctor = DoctorOperations()
    package let devices = DeviceOperations()
    package let trips = TripOperations()
    package let vaults = VaultOperations()
    package let memories = MemoryOperations()
    package let media = MediaOperations()
    package let tags = TagOperations()
    package let bucket = BucketOperations()
    package let spaces = SpaceOperations()
    package let schemas = SchemaOperations()
    package let records = RecordOperations()
    package let conflicts = ConflictOperations()

    package static let declared = API()

    /// Each with its name, as `trips.create`. Read from the properties, so that none is named twice.
    package static let operations = operations(of: declared, in: "")

    /// Each is named for the nearest topic around it, also one within another topic.
    private static func operations(
        of part: Any, in topic: String
    ) -> [(name: String, operation: any DeclaredOperation)] {
        Mirror(reflecting: part).children.flatMap { child in
            let label = child.label ?? ""
            if let operation = child.value as? any DeclaredOperation {
                return [("\(topic).\(label)", operation)]
            }
            let isGroup = child.value is any OperationGroup
            let found = operations(of: child.value, in: isGroup ? topic : label)
            precondition(!found.isEmpty, "\(child) is no operation")
            return found
        }
    }
}

/// Some operations of a topic. Their names do not contain the group, so that those in `openapi.yaml` stay when groups
/// change: `\.trips.sharing.grant` is `trips.grant`.
package protocol OperationGroup: Sendable {}

/// Answers operations: the agent in this process, or one behind its socket.
///
/// `id` is typed by a person, a name or a prefix of an id; the agent resolves it and throws an ``APIError``
/// with code `notFound` or `ambiguous` (with candidates) when it does not name exactly one thing. Paths are
/// absolute; the agent opens them itself, as the same user. Every operation may throw ``APIError``; a
/// change is durable on this device before it is answered.
package protocol AgentService: Sendable {
    func answer<Input, Answer>(
        _ operation: Operation<Input, Answer>, id: String, _ input: Input
    ) async throws -> Answer
}

extension AgentService {
    /// `service.call(\.trips.rename, id: trip, TripRename(name: name))`.
    package func call<Input, Answer>(
        _ operation: (API) -> Operation<Input, Answer>, id: String = "", _ input: Input
    ) async throws -> Answer {
        try await answer(operation(API.declared), id: id, input)
    }

    package func call<Answer>(
        _ operation: (API) -> Operation<NoInput, Answer>, id: String = ""
    ) async throws -> Answer {
        try await call(operation, id: id, NoInput())
    }
}
