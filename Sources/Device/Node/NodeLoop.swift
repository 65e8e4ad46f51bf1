package import Identity
internal import Logging
package import Node
import Records
internal import Store
import SyncCore
internal import Synchronization

/// Passes events to ``Node``, one after the other, and carries out its decisions.
package final class NodeLoop: Sendable {
    /// The machine that decides; set before the node is used.
    private let machine = Mutex<Node?>(nil)
    /// The alarm for the machine's work that waits for its time, on the monotonic clock.
    private let alarm = Mutex(Alarm())
    /// Counts the answers to a recovery request.
    private let recoveryAnswers = Observable(0)

    func begin(_ work: EngineWork) { machine.withLock { $0 = Node(work) } }

    func handle(_ event: Node.Event, for agent: AgentNode) {
        let (actions, isLess, due) = machine.withLock { node in
            // Read in here, so that a later event never has an earlier time.
            let now = agent.clock.now
            let actions = node?.handle(event, at: now) ?? []
            var isLess = false
            for action in actions {
                switch action {
                // Sent before another thread can close the connections of devices that lost all
                // trust.
                case .send(let message, let session): agent.outputs.made?.send(message, on: session)
                // In turn, so that an older answer never replaces a newer one.
                case .trust(let keys): isLess = agent.trust.replace(with: keys) || isLess
                default: break
                }
            }
            let due = node?.nextTick(at: now).map { (after: $0, at: now.monotonic + $0) }
            return (actions, isLess, due)
        }
        for action in actions { perform(action, isLess, agent) }
        if let due { look(after: due.after, at: due.at, agent) }
        switch event {
        case .received(.recoveryOffers, _), .sessionClosed: recoveryAnswers.update { $0 += 1 }
        default: break
        }
    }

    private func perform(_ action: Node.Action, _ isTrustLess: Bool, _ agent: AgentNode) {
        switch action {
        case .trust: if isTrustLess { agent.outputs.made?.closeUntrusted() }
        case .callAgain: Task { await agent.outputs.made?.callAgain() }
        case .send: break
        case .end(let session): agent.outputs.made?.end(session)
        // Writing may wait; the next actions need not.
        case .carryOut(let duty): Task { await carryOut(duty, for: agent) }
        case .adopt(let done): agent.adopt(done)
        case .note(let note): log(note, agent)
        }
    }

    private func log(_ note: Node.Note, _ agent: AgentNode) {
        switch note {
        case .taken(let space):
            agent.logger.note(
                .warning, .spaces, "a space was taken from this device", record: space.logged)
        case .lost(let device):
            agent.logger.note(
                .warning, .spaces, "a device is lost, by the word of another one",
                record: device.logged)
        case .found(let device):
            agent.logger.note(.info, .spaces, "a lost device was found", record: device.logged)
        case .falseKey(let peer):
            agent.outputs.made?.noteError(
                of: peer, "a recovery key that is not its person's", as: "refused")
        case .failed(let what, let error): agent.storage.notWritten("\(what)", error)
        }
    }

    /// Looks again, at the given time, at the work that is due then.
    private func look(after wait: UInt64, at due: UInt64, _ agent: AgentNode) {
        guard alarm.withLock({ $0.isToWait(until: due) }) else { return }
        Task.after(.milliseconds(wait + 1)) { [weak self, weak agent] in
            guard let self, let agent, alarm.withLock({ $0.rings(at: due) }) else { return }
            handle(.tick, for: agent)
        }
    }

    /// Carries out a duty that follows from an event; a failed one is tried again with the next
    /// change.
    func carryOut(_ duty: Node.Duty, for agent: AgentNode) async {
        // The agent that opens the store with room does it.
        guard !agent.store.isOpenedForReading else { return }
        do {
            switch duty {
            case .keys where agent.store.writeFailure != nil: break
            case .keys, .siblings, .lostRights, .exchangedKeys, .leaves, .statements, .profile,
                .offer:
                try await agent.carryOut { try duty.done(by: $0) }
            }
        } catch {
            agent.logger.note(
                .error, .spaces, "\(duty.failure)", record: duty.space?.logged,
                details: ["why": .reason(error)])
        }
    }

    /// Makes every connected device write down what this person's key restores. Returns when all
    /// have answered, or after a while.
    package func regain(with key: PersonKey, for agent: AgentNode) async -> [RightsExchange
        .Regained]
    {
        handle(.recoveryBegan(key), for: agent)
        do {
            _ = try await recoveryAnswers.first(within: .seconds(Limits.recoverySeconds)) { _ in
                self.machine.withLock { $0?.isRecoveryAnswered } != false ? true : nil
            }
        } catch {
            // The caller is gone; the key must not stay.
        }
        return machine.withLock { $0?.endRegaining() ?? [] }
    }
}

extension Node.Duty {
    fileprivate var failure: String {
        switch self {
        case .siblings: "own devices not granted"
        case .lostRights: "rights of lost devices not taken"
        case .exchangedKeys: "exchange of the recovery key not written"
        case .leaves: "leave not repeated"
        case .keys: "keys not given"
        case .profile: "profile not written"
        case .statements: "recovery not written"
        case .offer: "offer not kept"
        }
    }

    fileprivate var space: SpaceID? {
        switch self {
        case .siblings, .lostRights, .exchangedKeys, .leaves, .statements: nil
        case .keys(let space), .profile(let space), .offer(let space, _, _): space
        }
    }
}
