import Device
import Files
internal import Identity
import Journal
package import LocalAPI
import Records
import SyncCore

/// The agent as people and programs on this computer see it: the functions that answer each
/// operation. `OperationHandlers` of Records, Journal and Files add those that need no network; the files
/// `Handlers+….swift` the others, by topic.
package struct LocalAgent {
    let runtime: AgentRuntime
    private var operations: OperationHandlers

    /// One function for each operation.
    package var handlers: HandlerTable { operations.table }

    package init(runtime: AgentRuntime) {
        self.runtime = runtime
        operations = OperationHandlers(runtime.node, runtime.media)
        operations.addTripHandlers()
        operations.addRecordHandlers()
        operations.addJournalHandlers()
        operations.addFileHandlers(runtime.node, runtime.media)
        addDeviceHandlers()
        addPairingHandlers()
        addDoctorHandlers()
    }

    /// Answers an operation with a function, as ``OperationHandlers/on(_:needsPerson:_:)`` does.
    mutating func on<Input, Answer>(
        _ operation: (API) -> LocalAPI.Operation<Input, Answer>, needsPerson: Bool = true,
        _ body: @escaping @Sendable (_ id: String, _ input: Input) async throws -> Answer
    ) {
        operations.on(operation, needsPerson: needsPerson, body)
    }
}
