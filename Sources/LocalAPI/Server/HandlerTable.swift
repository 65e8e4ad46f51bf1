/// One function for each operation: called in this process, and served by ``LocalServer``.
package struct HandlerTable: AgentService {
    /// A function with the operation that it answers.
    struct Entry<Input: Codable & Sendable, Answer: Codable & Sendable>: Sendable {
        let operation: Operation<Input, Answer>
        let function: @Sendable (_ id: String, _ input: Input) async throws -> Answer
    }

    /// By ``DeclaredOperation/request``: method and path.
    private(set) var entries: [String: any Route] = [:]

    package init() {}

    /// Sets the function for an operation, which must not have one.
    package mutating func on<Input, Answer>(
        _ operation: (API) -> Operation<Input, Answer>,
        _ body: @escaping @Sendable (_ id: String, _ input: Input) async throws -> Answer
    ) {
        let operation = operation(API.declared)
        precondition(
            entries[operation.request] == nil, "\(operation.request) is answered twice")
        entries[operation.request] = Entry(operation: operation, function: body)
    }

    /// Operations without an answer, by name.
    package var missing: [String] {
        API.operations.filter { entries[$0.operation.request] == nil }.map(\.name)
    }

    package func answer<Input, Answer>(
        _ operation: Operation<Input, Answer>, id: String, _ input: Input
    ) async throws -> Answer {
        try operation.check(id: id)
        guard let entry = entries[operation.request] as? Entry<Input, Answer> else {
            throw APIError.unknownRequest
        }
        return try await entry.function(id, input)
    }
}
