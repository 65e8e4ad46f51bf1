/// Every operation of the local API, by topic: `\.trips.create` names one.
package struct API: Sendable {
    package let agent = AgentOperations()
    package let changes = ChangeOperations()
    package let sync = SyncOperations()
    package let doctor = DoctorOperations()
    package let devices = DeviceOperations()
    package let pairing = PairingOperations()
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
    package static let operations: [(name: String, operation: any DeclaredOperation)] =
        Mirror(reflecting: declared).children.flatMap { topic in
            Mirror(reflecting: topic.value).children.map { child in
                guard let operation = child.value as? any DeclaredOperation else {
                    preconditionFailure("\(child) is no operation")
                }
                return ("\(topic.label ?? "").\(child.label ?? "")", operation)
            }
        }
}

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
