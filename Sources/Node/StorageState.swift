package import LocalAPI

/// Whether this device can write, as what happens to writes tells it. It decides; the node acts.
package struct StorageState: Sendable {
    /// What a write that failed ran into.
    package enum Failure: Sendable {
        case full
        /// For good: whether what was written before is durable is not known.
        case broken(APIError)
        case other
    }

    package enum Consequence: Sendable, Equatable {
        /// This device and its peers are told that its disk is full, or has room again.
        case tellFull(Bool)
        /// Somebody has to look when there is room again.
        case awaitRoom
        /// What is not durable must not be acknowledged.
        case endSync(APIError)
    }

    package private(set) var isFull = false
    /// Why no file is written any more until the agent starts again.
    private var fault: APIError?
    private var hasEnded = false

    package init() {}

    /// Why nothing is written any more; the store knows of its own failures.
    package func fault(ofStore store: APIError?) -> APIError? { store ?? fault }

    /// `isAwaited` says that somebody looks already whether there is room again.
    package mutating func failed(
        _ failure: Failure, store: APIError?, isAwaited: Bool
    ) -> [Consequence] {
        var consequences: [Consequence] = []
        switch failure {
        case .full:
            consequences += noted(isFull: true)
            if !isAwaited { consequences.append(.awaitRoom) }
        case .broken(let why): fault = fault ?? why
        case .other: break
        }
        if let fault = fault(ofStore: store), !hasEnded {
            hasEnded = true
            consequences.append(.endSync(fault))
        }
        return consequences
    }

    /// The store was opened for reading only, as the disk has no room. Nothing is sent until another
    /// agent opens it with room.
    package mutating func openedForReading() -> [Consequence] {
        hasEnded = true
        return noted(isFull: true) + [.awaitRoom]
    }

    /// The disk was found full, or with room for what did not fit.
    package mutating func noted(isFull: Bool) -> [Consequence] {
        guard self.isFull != isFull else { return [] }
        self.isFull = isFull
        return [.tellFull(isFull)]
    }
}
