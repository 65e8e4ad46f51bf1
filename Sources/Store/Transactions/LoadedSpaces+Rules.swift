internal import SyncCore

/// Rules of what is kept in memory beside the database, at the end of each write transaction.
extension LoadedSpaces {
    /// What is kept fits together; `ends` are of logs that became longer, by their rows.
    func check(ending ends: [Int64: LogEnd]) {
        Invariants.check(
            spaces.keys.allSatisfy { standings[$0] != nil }, "a space is here that has no row")
        Invariants.check(
            stranded.allSatisfy { standings[$0] != nil },
            "commits wait in a space that has no row")
        Invariants.check(
            unfinished.allSatisfy { standings[$0] != nil },
            "records are unfinished in a space that has no row")
        Invariants.check(
            Set(spaces.values.map(\.row)).count == spaces.count, "two spaces have one row")
        Invariants.check(
            Set(spaces.values.flatMap(\.logs.values)).count
                == spaces.values.reduce(0) { $0 + $1.logs.count }, "two logs have one row")
        Invariants.check(
            spaces.allSatisfy { $0.key == $0.value.ledger.space },
            "a ledger is kept as that of another space")
        Invariants.check(
            emptied.allSatisfy { spaces[$0] == nil }, "a space is here that counts as lost")
        Invariants.check(
            spaces.values.compactMap(\.recordCounts).joined().allSatisfy { $0.value > 0 },
            "a collection without records is counted")
        Invariants.check(
            ends.allSatisfy { spaces[$1.space]?.logs[$1.log] == $0 },
            "the end of a log is noted for another one")
        Invariants.check(
            ends.values.allSatisfy { end in
                guard let ledger = spaces[end.space]?.ledger else { return false }
                return ledger.watermark.covers(end.log, end.sequence)
                    || ledger.forks.cuts(end.log, end.sequence)
            }, "a log is noted to go on beyond its end")
        Invariants.check(
            ends.values.allSatisfy { end in
                let head = spaces[end.space]?.ledger.watermark.heads[end.log]
                return head.map {
                    $0.sequence != end.sequence || LogEnd.idStart(of: $0.commit) == end.idStart
                } ?? true
            }, "a log is noted to end with another commit")
        precondition(
            pending.rows.isEmpty || pending.isNoted,
            "\(pending.rows.count) records wait, and the next opening will not look for them")
        precondition(
            pending.rows.count <= Limits.pendingTexts,
            "\(pending.rows.count) records wait to be indexed")
        precondition(
            pending.version <= version, "records are indexed from version \(pending.version) on")
    }

    /// Nothing is forgotten that was kept before the transaction.
    func check(after before: LoadedSpaces) {
        precondition(before.version < version, "two transactions at once")
        precondition(
            before.isCommitting && !isCommitting, "a transaction is shown that did not end")
        precondition(before.keys.count <= keys.count, "keys of devices are forgotten")
        precondition(
            before.receipts.latest <= receipts.latest, "when commits came here is forgotten")
        precondition(hasFreed || !before.hasFreed, "that files were freed is forgotten")
        precondition(
            before.pending.batch <= pending.batch, "texts were indexed, and count as waiting")
        Invariants.check(
            before.spaces.allSatisfy { spaces[$0.key]?.row == $0.value.row }
                && before.standings.keys.allSatisfy { standings[$0] != nil },
            "a space went, or has another row")
        Invariants.check(
            before.spaces.allSatisfy { space, kept in
                guard let now = spaces[space]?.ledger else { return false }
                return now.watermark.covers(kept.ledger.watermark.limited(by: now.forks))
            }, "the watermark of a space falls")
        Invariants.check(
            before.spaces.allSatisfy { space, kept in
                kept.ledger.membership.revision <= spaces[space]?.ledger.membership.revision ?? 0
            }, "facts of members are forgotten")
        Invariants.check(
            before.spaces.allSatisfy { space, kept in
                kept.logs.allSatisfy { spaces[space]?.logs[$0.key] == $0.value }
            }, "a log went, or has another row")
        Invariants.check(
            unfinished.isSuperset(of: before.unfinished), "unfinished records are forgotten")
        Invariants.check(
            stranded.isSubset(of: before.stranded), "commits begin to wait for what was here")
    }
}
