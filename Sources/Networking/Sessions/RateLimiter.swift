package import SyncCore
internal import Synchronization

/// The work that each peer has caused, and how long who caused too much has to wait.
///
/// A peer may cause as much as it likes of what brings something new. Everything else is worked off
/// at a share of one processor, whatever its connections do: a debt stays with the device.
package final class RateLimiter: Sendable {
    private struct Debt {
        /// Processor time that is not worked off yet.
        var owed: Duration
        var since: ContinuousClock.Instant
        /// The part of it that will be let off if it brings something new.
        var onTrial = Duration.zero

        mutating func workOff(until now: ContinuousClock.Instant) {
            owed = max(.zero, owed - (now - since) / Limits.peerWorkDivisor)
            onTrial = min(onTrial, owed)
            since = now
        }
    }

    private let debts = Mutex<[DeviceID: Debt]>([:])

    package init() {}

    package func charge(
        _ device: DeviceID, _ cost: Duration, onTrial: Bool = false,
        at now: ContinuousClock.Instant = .now
    ) {
        debts.withLock { debts in
            var debt = debts[device] ?? Debt(owed: .zero, since: now)
            debt.workOff(until: now)
            debt.owed += cost
            if onTrial { debt.onTrial += cost }
            // Peers that owe nothing leave the table, so its size follows the current work.
            debts[device] = debt.owed > .zero ? debt : nil
        }
    }

    /// What was tried has brought something new.
    package func refund(_ device: DeviceID) {
        debts.withLock { debts in
            guard var debt = debts[device] else { return }
            debt.owed -= debt.onTrial
            debt.onTrial = .zero
            debts[device] = debt
        }
    }

    /// Whether nothing more is to be taken from this device now.
    package func mustWait(_ device: DeviceID, at now: ContinuousClock.Instant = .now) -> Bool {
        debts.withLock { debts in
            debts[device]?.workOff(until: now)
            guard let debt = debts[device] else { return false }
            if debt.owed == .zero { debts[device] = nil }
            return debt.owed > .milliseconds(Limits.peerWorkMilliseconds)
        }
    }
}

extension Limits {
    // MARK: Work for one peer

    /// Processor time that a peer may cause at once without bringing anything new.
    package static let peerWorkMilliseconds = 2_000
    /// Of one processor, the part that works it off: with 4 a quarter.
    package static let peerWorkDivisor = 4
    /// Milliseconds that a transaction counts for besides its processor time: it waits for the disk,
    /// and others wait for it.
    package static let transactionMilliseconds = 1
    /// Microseconds that a message counts for besides decoding and handling it: TLS both ways.
    package static let messageMicroseconds = 50
    /// Microseconds that a request counts for whose file is not here, or not for the asker.
    package static let vainRequestMicroseconds = 500
    /// Milliseconds that a connection counts for: its handshake, and two signatures of its card.
    package static let greetingMilliseconds = 10
}

extension PeerMessage {
    var isCommits: Bool { if case .commits = self { true } else { false } }
}
