package import LocalAPI
package import Logging
internal import Node
internal import Store
internal import Synchronization

/// Whether this device can still write, and the consequences of a failed write.
package final class StorageService: Sendable {
    private let state = Mutex(StorageState())
    private let store: SyncStore
    private let outputs: LateOutputs
    private let logger: Logger

    init(_ store: SyncStore, _ outputs: LateOutputs, _ logger: Logger) {
        (self.store, self.outputs, self.logger) = (store, outputs, logger)
    }

    /// Why nothing is written any more until the agent restarts; nil if all is well.
    package var fault: APIError? {
        let fault = store.writeFailure.map(ErrorSentence.of)
        return state.withLock { $0.fault(ofStore: fault) }
    }

    /// Whether the disk was too full a moment ago; refused commits and files arrive again by
    /// themselves.
    package var isFull: Bool { state.withLock { $0.isFull } }

    /// A write failed. If the failure is permanent, sync ends and status says why: a peer must not
    /// get an acknowledgement for anything that is not durable. `isAwaited` says that somebody
    /// already checks whether the disk has room again; `isTold`, that the caller gets the error and
    /// tells a person: of a full disk the log then says it at a lower level.
    package func notWritten(
        _ what: Logger.Message, _ error: any Error, isAwaited: Bool = false, isTold: Bool = false
    ) {
        let failure: StorageState.Failure =
            switch error {
            case let error as any DescribedError: error.storageFailure
            case StoreError.diskFull: .full
            default: .other
            }
        let isExpected = if case .full = failure { isTold } else { false }
        logger.note(
            isExpected ? .info : .error, .store, what, details: ["why": .reason(error)])
        let fault = store.writeFailure.map(ErrorSentence.of)
        act(on: state.withLock { $0.failed(failure, store: fault, isAwaited: isAwaited) })
    }

    /// The store was opened for reading only, as the disk has no room: as soon as there is, the outputs
    /// are told by ``NodeOutputs/storageFailed()``.
    package func openedForReading() {
        act(on: state.withLock { $0.openedForReading() })
    }

    /// While the disk is full, status says so on this device and on others.
    package func noteDisk(isFull: Bool) {
        act(on: state.withLock { $0.noted(isFull: isFull) })
    }

    private func act(on consequences: [StorageState.Consequence]) {
        for consequence in consequences {
            switch consequence {
            case .tellFull(let isFull): outputs.made?.setDiskFull(isFull)
            case .awaitRoom: outputs.made?.awaitRoom()
            case .endSync(let fault):
                logger.note(.critical, .store, "sync ends", details: ["why": "\(fault.sentence)"])
                outputs.made?.storageFailed()
            }
        }
    }

    /// A request failed: if nothing can be written any more, sync ends as well.
    package func noteFailure(_ error: any Error) {
        switch error {
        case let error as any DescribedError:
            if case .other = error.storageFailure { return }
            notWritten("file not kept", error, isTold: true)
        case is StoreError where store.writeFailure != nil:
            notWritten("request not carried out", error, isTold: true)
        default: break
        }
    }
}
