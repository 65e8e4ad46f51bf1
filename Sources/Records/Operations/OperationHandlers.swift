package import LocalAPI

/// The functions that answer the operations of the local API, of which each target adds those of its services.
package struct OperationHandlers: Sendable {
    package let replica: any Replica
    private let missFiles: @Sendable () async -> Void
    private let lookAtConnections: @Sendable () async -> Void
    /// One function for each operation.
    package private(set) var table = HandlerTable()

    /// `missFiles` counts files that were removed from the disk as missing, `lookAtConnections` notes which devices
    /// do not answer; both must be quick, as many answers wait for them.
    package init(
        _ replica: any Replica, missFiles: @escaping @Sendable () async -> Void,
        lookAtConnections: @escaping @Sendable () async -> Void
    ) {
        (self.replica, self.missFiles) = (replica, missFiles)
        self.lookAtConnections = lookAtConnections
    }

    /// Answers an operation with a function, and turns every error into a sentence. An operation
    /// that needs a person is refused on a device without one.
    package mutating func on<Input, Answer>(
        _ operation: (API) -> LocalAPI.Operation<Input, Answer>, needsPerson: Bool = true,
        _ body: @escaping @Sendable (_ id: String, _ input: Input) async throws -> Answer
    ) {
        table.on(operation) { [replica] id, input in
            guard !needsPerson || replica.local.card != nil else {
                throw APIError.notInitialised
            }
            do {
                return try await body(id, input)
            } catch let error as CancellationError {
                // The caller has stopped waiting.
                throw error
            } catch {
                throw replica.sentence(for: error)
            }
        }
    }

    /// What an answer tells of besides the store, and what is therefore looked at before it.
    package enum Telling: Sendable {
        case nothingElse
        /// Which devices answer.
        case sync
        /// The same, and which files are on the disk.
        case syncAndFiles
    }

    /// The same for a function that only reads: all its reads see one moment.
    package mutating func reading<Input, Answer>(
        _ operation: (API) -> LocalAPI.Operation<Input, Answer>,
        telling subject: Telling = .nothingElse,
        _ body: @escaping @Sendable (_ id: String, _ input: Input) throws -> Answer
    ) {
        on(operation) { [replica, missFiles, lookAtConnections] id, input in
            if subject == .syncAndFiles { await missFiles() }
            if subject != .nothingElse { await lookAtConnections() }
            return try replica.snapshot { try body(id, input) }
        }
    }
}
