import Device
internal import Identity
package import LocalAPI
import Records
import SyncCore

/// The agent as people and programs on this computer see it: what answers each operation. The files
/// `Handlers+….swift` say that, by topic.
package struct LocalAgent {
    let runtime: AgentRuntime
    /// One function for each operation.
    package private(set) var handlers = HandlerTable()

    package init(runtime: AgentRuntime) {
        self.runtime = runtime
        addDeviceHandlers()
        addPairingHandlers()
        addDoctorHandlers()
        addTripHandlers()
        addMemoryHandlers()
        addRecordHandlers()
    }

    /// Answers an operation with a function; every error leaves as a sentence. One that needs a
    /// person is refused on a device that has none yet.
    mutating func on<Input, Answer>(
        _ operation: (API) -> LocalAPI.Operation<Input, Answer>, needsPerson: Bool = true,
        _ body: @escaping @Sendable (_ id: String, _ input: Input) async throws -> Answer
    ) {
        handlers.on(operation) { [node = runtime.node] id, input in
            guard !needsPerson || node.identity.card != nil else {
                throw APIError.notInitialised
            }
            do {
                return try await body(id, input)
            } catch let error as CancellationError {
                // Whoever asked does not wait any more.
                throw error
            } catch {
                node.noteFailure(error)
                throw ErrorSentence.of(error)
            }
        }
    }

    /// The same with a function that only reads: all that it reads is of one moment.
    mutating func reading<Input, Answer>(
        _ operation: (API) -> LocalAPI.Operation<Input, Answer>,
        _ body: @escaping @Sendable (_ id: String, _ input: Input) throws -> Answer
    ) {
        on(operation) { [node = runtime.node] id, input in
            try node.snapshot { try body(id, input) }
        }
    }
}
