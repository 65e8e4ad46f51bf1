package import SyncCore

/// What a store lost to damage and did not get back.
package struct StoredDamage: Hashable, Sendable {
    /// Of spaces of which something is here, by log.
    package let changes: [LostChanges]
    /// Spaces of which nothing is here.
    package let spaces: Set<SpaceID>
    /// Those of them whose loss was dismissed.
    package let dismissedSpaces: Set<SpaceID>

    /// The same without dismissed losses.
    package var reported: StoredDamage {
        StoredDamage(
            changes: changes.filter { !$0.isDismissed },
            spaces: spaces.subtracting(dismissedSpaces), dismissedSpaces: [])
    }
}

extension StrandedCommits {
    package func damage() throws -> StoredDamage {
        let emptied = StoredSpaces(connection).emptied
        return StoredDamage(
            changes: try lostChanges().filter { !emptied.contains($0.space) }, spaces: emptied,
            dismissedSpaces: dismissedSpaces)
    }

    /// Spaces of which everything was lost, and whose loss was dismissed.
    package var dismissedSpaces: Set<SpaceID> {
        let dismissed = connection.loaded { $0.dismissed.spaces }
        return StoredSpaces(connection).emptied.intersection(dismissed)
    }

    /// Dismisses losses, and spaces of which everything was lost. A loss that changed since it was read stays.
    package func dismiss(_ losses: [LostChanges], emptied spaces: Set<SpaceID>) throws {
        try connection.turn { turn in
            var dismissed = turn.loaded.dismissed
            for loss in losses {
                let ledger = turn.loaded.spaces[loss.space]?.ledger
                guard ledger?.watermark.sequence(of: loss.log) ?? 0 == loss.extent.after else {
                    continue
                }
                dismissed.add(loss.extent, of: loss.log, in: loss.space)
            }
            for space in spaces where turn.loaded.emptied.contains(space) {
                dismissed.add(emptied: space)
            }
            try turn.loaded.dismiss(dismissed, in: turn.database)
        }
    }

    /// Takes every dismissal back.
    package func undismissAll() throws {
        try connection.turn { try $0.loaded.dismiss(DismissedDamage(), in: $0.database) }
    }

    /// Removes dismissals of what is here by now, as after a restored database.
    func narrowDismissed() throws {
        let (spaces, before) = connection.loaded { ($0.spaces, $0.dismissed) }
        guard !before.isEmpty else { return }
        var dismissed = before
        for state in spaces.values { dismissed.narrow(to: state.ledger) }
        guard dismissed != before else { return }
        try connection.turn { try $0.loaded.dismiss(dismissed, in: $0.database) }
    }
}
