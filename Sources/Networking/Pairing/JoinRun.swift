import Device
import Discovery
import Identity
internal import Logging
import Node
import SyncCore
internal import Synchronization
import Transport

/// How one call of a joining device ended.
enum JoinEnd: Sendable {
    case paired
    case notReached(TransportError)
    case failed(PairingFailure, PairingProgress)

    var progress: PairingProgress {
        switch self {
        case .paired: .proven
        case .notReached: .opening
        case .failed(_, let progress): progress
        }
    }

    var isPaired: Bool { if case .paired = self { true } else { false } }

    /// Of several calls that failed, the one that tells most says why nothing came of it.
    var weight: Int {
        switch self {
        case .notReached: 0
        case .failed(.refused, let progress): 2 * progress.rawValue + 2
        case .failed(_, let progress): 2 * progress.rawValue + 1
        case .paired: .max
        }
    }
}

/// One person's attempt to join: calls everybody who may be the one that shows the code, each with a
/// fresh exchange, until one has proven that it knows the code. That one alone is shown to the
/// person; the others are told that it is over.
final class JoinRun: Sendable {
    struct Delegate: Sendable {
        /// An exchange of its own for each connection.
        let machine: @Sendable (Connection, _ proofTime: Duration) async -> JoinPairing?
        /// A connection is made; there may be several.
        let connected: @Sendable () async -> Void
        /// Somebody has proven to know the code: the person is asked, and answers there.
        let ask: @Sendable (PairingQuestion, AsyncStream<PairingEvent>.Continuation) async -> Void
        let store: @Sendable (PairingResult, Connection) async throws -> Void
    }

    private enum Step {
        case heard(Announcers)
        case proven
        case ended(Int)
        case wake
    }

    private let target: JoinTarget
    private let network: NetworkService
    private let endpoint: Endpoint
    private let logger: Logger
    private let delegate: Delegate
    /// The call that has proven itself.
    private let winner = Mutex<Int?>(nil)

    init(
        _ target: JoinTarget, network: NetworkService, endpoint: Endpoint, logger: Logger,
        _ delegate: Delegate
    ) {
        (self.target, self.network, self.endpoint) = (target, network, endpoint)
        (self.logger, self.delegate) = (logger, delegate)
    }

    /// How all calls ended; empty when nobody was heard. Cancelling the task ends all of them, but
    /// not one that is storing.
    func run() async -> [JoinEnd] {
        let (steps, post) = AsyncStream<Step>.makeStream()
        let watch = Task { await self.watch(post) }
        var trials = AnnouncerSchedule(address: target.address, now: .now)
        var random = SystemRandomNumberGenerator()
        var calls: [Task<JoinEnd, Never>] = []
        var ends: [Int: JoinEnd] = [:]
        var timer: Task<Void, Never>?
        post.yield(.wake)
        for await step in steps {
            switch step {
            case .heard(let announcers): trials.heard(announcers, at: .now)
            case .ended(let number):
                let end = await calls[number].value
                ends[number] = end
                trials.ended(at: .now, end.progress)
            case .proven, .wake: break
            }
            if let winner = winner.withLock({ $0 }) {
                for (number, call) in calls.enumerated() where number != winner { call.cancel() }
                if ends[winner] != nil { break }
                continue
            }
            while let addresses = trials.next(at: .now, random: &random) {
                let number = calls.count
                calls.append(Task { await self.call(number, addresses, post) })
            }
            if trials.isOver(at: .now) { break }
            timer?.cancel()
            timer = trials.wake.map { wake in Task.at(wake) { post.yield(.wake) } }
        }
        watch.cancel()
        timer?.cancel()
        for call in calls { call.cancel() }
        var all: [JoinEnd] = []
        for call in calls { all.append(await call.value) }
        return all
    }

    private func watch(_ post: AsyncStream<Step>.Continuation) async {
        guard target.address == nil else { return }
        var known: Announcers?
        do {
            while true {
                let heard = try await network.announcers(
                    of: target.secret.nameplate, otherThan: known)
                known = heard
                post.yield(.heard(heard))
            }
        } catch {
            // Cancelled with the run.
        }
    }

    // MARK: One call

    /// Calls an announcer at its addresses, until it takes part.
    private func call(
        _ number: Int, _ addresses: [HostPort], _ post: AsyncStream<Step>.Continuation
    ) async -> JoinEnd {
        var last = JoinEnd.notReached(.cancelled)
        for address in addresses where !Task.isCancelled {
            let end = await call(number, address, post)
            if end.weight >= last.weight { last = end }
            if end.progress > .opening { break }
        }
        post.yield(.ended(number))
        return last
    }

    private func call(
        _ number: Int, _ address: HostPort, _ post: AsyncStream<Step>.Continuation
    ) async -> JoinEnd {
        let isFixed = target.address != nil
        let dialTime = isFixed ? Limits.dialSeconds : Limits.announcerDialSeconds
        let proofTime = isFixed ? Limits.pairingMessageSeconds : Limits.announcerProofSeconds
        let connection: Connection
        do {
            connection = try await Dialer(endpoint).connect(
                host: address.host, port: address.port, protocol: .pairing,
                timeout: .seconds(dialTime), policy: AdmitAnyone())
        } catch {
            var details = Logger.Metadata.trouble(error)
            details["address"] = "\(address)"
            logger.note(.info, .pairing, "call failed", details: details)
            return .notReached(error)
        }
        await delegate.connected()
        guard let machine = await delegate.machine(connection, .seconds(proofTime)) else {
            connection.close()
            return .notReached(.cancelled)
        }
        let run = PairingRun(connection: connection, errors: endpoint.errors)
        let end = await run.run(
            .join(machine),
            PairingRun.Delegate(
                burn: { _ in .notBurned(.closed) },
                ask: { question in
                    let isFirst = self.winner.withLock { winner in
                        winner = winner ?? number
                        return winner == number
                    }
                    guard isFirst else {
                        run.post.yield(.cancelled)
                        return
                    }
                    post.yield(.proven)
                    await self.delegate.ask(question, run.post)
                },
                store: { try await self.delegate.store($0, connection) }))
        switch end.result {
        case .success: return .paired
        case .failure(let failure):
            logger.note(
                .info, .pairing, "call ended",
                details: ["address": "\(address)", "why": "\(failure)"])
            return .failed(failure, end.progress)
        }
    }
}
