/// One function for each operation, in this process.
package struct HandlerTable: AgentService {
    /// A function with its types.
    private struct Entry<Input, Answer>: Sendable {
        let body: @Sendable (_ id: String, _ input: Input) async throws -> Answer
    }

    /// By ``DeclaredOperation/request``.
    private var entries: [String: any Sendable] = [:]

    package init() {}

    /// Sets the function for an operation, which must not have one.
    package mutating func on<Input, Answer>(
        _ operation: (API) -> Operation<Input, Answer>,
        _ body: @escaping @Sendable (_ id: String, _ input: Input) async throws -> Answer
    ) {
        let request = operation(API.declared).request
        precondition(entries[request] == nil, "\(request) is answered twice")
        entries[request] = Entry(body: body)
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
        return try await entry.body(id, input)
    }
}
