import Device
import Files
internal import Identity
package import LocalAPI
internal import Logging
import Records
import SyncCore

/// The agent as people and programs on this computer see it: the functions that answer each
/// operation. The files `Handlers+….swift` add them, by topic.
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

    /// Answers an operation with a function, and turns every error into a sentence. An operation
    /// that needs a person is refused on a device without one.
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
                // The caller has stopped waiting.
                throw error
            } catch {
                node.storage.noteFailure(error)
                throw ErrorSentence.of(error)
            }
        }
    }

    /// The same for a function that only reads: all its reads see one moment.
    mutating func reading<Input, Answer>(
        _ operation: (API) -> LocalAPI.Operation<Input, Answer>,
        _ body: @escaping @Sendable (_ id: String, _ input: Input) throws -> Answer
    ) {
        on(operation) { [node = runtime.node] id, input in
            try node.snapshot { try body(id, input) }
        }
    }

    /// The same for what tells which files are here: those that were removed from the disk count as missing first.
    /// That asks each of the 256 folders of files for the time of its last change, and looks into those that changed.
    mutating func readingFiles<Input, Answer>(
        _ operation: (API) -> LocalAPI.Operation<Input, Answer>,
        _ body: @escaping @Sendable (_ id: String, _ input: Input) throws -> Answer
    ) {
        on(operation) { [node = runtime.node, finder = runtime.media.fileFinder] id, input in
            do {
                try await finder.missGone()
            } catch {
                node.storage.notWritten("files not compared", error)
            }
            return try node.snapshot { try body(id, input) }
        }
    }
}
