import Device
import Identity
import SyncCore
import Transport
internal import Wire

/// Either side's pairing machine, behind one face.
enum PairingMachine: Sendable {
    case host(HostPairing)
    case join(JoinPairing)

    mutating func start() -> [PairingAction] {
        switch self {
        case .host: return []
        case .join(var machine):
            defer { self = .join(machine) }
            return machine.start()
        }
    }

    mutating func handle(_ event: PairingEvent) -> [PairingAction] {
        switch self {
        case .host(var machine):
            defer { self = .host(machine) }
            return machine.handle(event, at: .now)
        case .join(var machine):
            defer { self = .join(machine) }
            return machine.handle(event, at: .now)
        }
    }

    var deadline: ContinuousClock.Instant? {
        switch self {
        case .host(let machine): machine.deadline
        case .join(let machine): machine.deadline
        }
    }

    var progress: PairingProgress {
        switch self {
        case .host(let machine): machine.progress
        case .join(let machine): machine.progress
        }
    }
}

/// What both sides stored, or why nothing was, and how far it had come.
struct PairingEnd: Sendable {
    let result: Result<PairingResult, PairingFailure>
    let progress: PairingProgress
}

/// One pairing on one connection: feeds the machine, carries out what it asks for.
struct PairingRun: Sendable {
    /// What the machine asks of the agent.
    struct Delegate: Sendable {
        let burn: @Sendable (_ nameplate: String) async -> PairingEvent
        let ask: @Sendable (PairingQuestion) async -> Void
        /// Stores durably; throws when it cannot.
        let store: @Sendable (PairingResult) async throws -> Void
    }

    let connection: Connection
    let events: AsyncStream<PairingEvent>
    let post: AsyncStream<PairingEvent>.Continuation
    private let codec = PairingCodec()

    private let errors: PeerErrorLog

    init(connection: Connection, errors: PeerErrorLog) {
        self.connection = connection
        self.errors = errors
        (events, post) = AsyncStream.makeStream()
    }

    /// Runs to the end. When the task is cancelled it is the machine that ends it, so that the other
    /// side hears of it and nothing is stored by halves.
    func run(_ machine: PairingMachine, _ delegate: Delegate) async -> PairingEnd {
        await withTaskCancellationHandler {
            await Task { await follow(machine, delegate) }.value
        } onCancel: {
            post.yield(.cancelled)
        }
    }

    private func follow(_ machine: PairingMachine, _ delegate: Delegate) async -> PairingEnd {
        let reader = Task { await read() }
        defer {
            reader.cancel()
            post.finish()
            connection.close()
        }
        var machine = machine
        let started = machine.start()
        var end = await perform(started, delegate)
        var timer = wake(at: machine.deadline)
        var coming = events.makeAsyncIterator()
        while end == nil, let event = await coming.next() {
            timer?.cancel()
            end = await perform(machine.handle(event), delegate)
            timer = wake(at: machine.deadline)
        }
        timer?.cancel()
        return PairingEnd(result: end ?? .failure(.cancelled), progress: machine.progress)
    }

    private func perform(
        _ actions: [PairingAction], _ delegate: Delegate
    ) async -> Result<PairingResult, PairingFailure>? {
        for action in actions {
            switch action {
            case .send(let message):
                do {
                    try await connection.send(.message(codec.encode(message)))
                } catch {
                    post.yield(.disconnected)
                }
            case .burn(let nameplate): post.yield(await delegate.burn(nameplate))
            case .askPerson(let question): await delegate.ask(question)
            case .store(let result):
                do {
                    try await delegate.store(result)
                    post.yield(.stored)
                } catch {
                    post.yield(.storeFailed)
                }
            case .finished(let result): return .success(result)
            case .failed(let failure): return .failure(failure)
            }
        }
        return nil
    }

    private func read() async {
        do {
            for try await frame in connection.frames {
                guard case .message(let payload) = frame else { break }
                let message = try codec.decode(payload)
                connection.markAuthenticated()
                post.yield(.message(message))
            }
        } catch let error as WireError where error.isOfNewerVersion {
            post.yield(await refuseNewer() ? .message(.refusal(.version)) : .disconnected)
        } catch {
            errors.note(
                connection.remoteAddress.host, "\(error)", as: "pairing connection lost")
        }
        post.yield(.disconnected)
    }

    /// Tells the other side that only a newer program understands it; false when it is gone.
    private func refuseNewer() async -> Bool {
        do {
            try await connection.send(.message(codec.encode(.refusal(.version))))
            return true
        } catch {
            return false
        }
    }

    private func wake(at deadline: ContinuousClock.Instant?) -> Task<Void, Never>? {
        guard let deadline else { return nil }
        return Task.at(deadline) { [post] in post.yield(.tick) }
    }
}
