internal import GRDB
internal import SyncCore

extension LoadedSpaces {
    /// Commits of a space were stored: those of a dismissed loss are lost no more.
    mutating func narrowDismissed(to ledger: SpaceLedger, in database: Database) throws {
        guard !dismissed.isEmpty else { return }
        var dismissed = dismissed
        dismissed.narrow(to: ledger)
        try dismiss(dismissed, in: database)
    }

    /// Replaces what is dismissed, in a write transaction.
    mutating func dismiss(_ damage: DismissedDamage, in database: Database) throws {
        guard damage != dismissed else { return }
        try damage.save(in: database)
        (dismissed, isMarked) = (damage, false)
    }
}
