package import SyncCore

/// How long the transactions of a sync are: short ones as long as this device writes itself, so that its writes
/// wait for less. Counted, not timed: a run that is repeated has the same transactions.
package struct ApplyPace: Hashable, Sendable {
    /// Transactions that will be short.
    private var short = 0

    package init() {}

    package mutating func noteOwnWrite() { short = Limits.turnsBesideOwnWrites }

    /// Writes that the next transaction may have.
    package mutating func nextWrites() -> Int {
        guard short > 0 else { return Limits.writesPerTurn }
        short -= 1
        return Limits.writesPerShortTurn
    }
}

extension Limits {
    /// Writes to registers in one transaction of a sync beside local writes: a local write waits for
    /// one such transaction. Each has a cost of its own, a sync on the disk and some 20 pages.
    package static let writesPerShortTurn = 250
    /// Transactions of a sync that stay short after a local write: for a second, about.
    package static let turnsBesideOwnWrites = 100
}
