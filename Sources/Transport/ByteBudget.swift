internal import Synchronization

/// A number of bytes that many senders share; a sender that needs more than is left waits in line.
///
/// A claim larger than the whole budget is granted when no other is out, so none waits forever.
package final class ByteBudget: Sendable {
    private struct Waiter {
        let ticket: UInt64
        let owner: UInt64
        let bytes: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var used = 0
        var waiters: [Waiter] = []
        var nextTicket: UInt64 = 0
        var isClosed = false
    }

    private let limit: Int
    private let state = Mutex(State())

    package init(limit: Int) { self.limit = limit }

    /// Bytes out at this moment.
    package var used: Int { state.withLock { $0.used } }

    /// Claims `bytes`, and waits its turn. Returns false, without a claim, if the task was
    /// cancelled, the budget was closed or the owner was dismissed meanwhile.
    package func claim(_ bytes: Int, owner: UInt64) async -> Bool {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    guard !state.isClosed, !Task.isCancelled else { return false }
                    if state.waiters.isEmpty, fits(bytes, in: state) {
                        state.used += bytes
                        return true
                    }
                    state.waiters.append(
                        Waiter(
                            ticket: ticket, owner: owner, bytes: bytes, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            dismiss { $0.ticket == ticket }
        }
    }

    package func giveBack(_ bytes: Int) {
        let granted = state.withLock { state in
            state.used -= bytes
            return grantWaiting(&state)
        }
        for waiter in granted { waiter.continuation.resume(returning: true) }
    }

    /// Cancels the waiting claims of one owner; they return false.
    package func dismiss(owner: UInt64) {
        dismiss { $0.owner == owner }
    }

    /// Cancels all claims, waiting and future ones.
    package func close() {
        state.withLock { $0.isClosed = true }
        dismiss { _ in true }
    }

    private func dismiss(where leaves: (Waiter) -> Bool) {
        let (gone, granted) = state.withLock { state in
            let gone = state.waiters.filter(leaves)
            state.waiters.removeAll(where: leaves)
            // The cancelled claim may have blocked smaller ones behind it.
            return (gone, grantWaiting(&state))
        }
        for waiter in gone { waiter.continuation.resume(returning: false) }
        for waiter in granted { waiter.continuation.resume(returning: true) }
    }

    private func grantWaiting(_ state: inout State) -> [Waiter] {
        var granted: [Waiter] = []
        while let first = state.waiters.first, fits(first.bytes, in: state) {
            state.used += first.bytes
            granted.append(state.waiters.removeFirst())
        }
        return granted
    }

    private func fits(_ bytes: Int, in state: State) -> Bool {
        state.used == 0 || state.used + bytes <= limit
    }
}
