internal import GRDB
package import SyncCore

extension StoredRecords {
    /// Judges and dates every commit again and rebuilds everything shown, and the search index, from the
    /// log, in one transaction: writes wait for as long.
    package func remakeAll() throws {
        try connection.turn { turn in
            try turn.remakeSearchTable()
            try turn.database.run("DELETE FROM records")
            try turn.database.run("DELETE FROM mentions")
            try turn.remakeAll()
            try Settings.set(StoreSchema.outdated, nil, in: turn.database)
        }
    }

    /// Rebuilds the search index from the records, in one transaction.
    package func remakeSearch() throws {
        try connection.turn { turn in
            try turn.remakeSearchTable()
            try WordIndex.noteNone(in: turn.database)
            for (space, state) in turn.loaded.spaces where turn.loaded.isIndexed(space) {
                try PendingIndexing(turn).runAll(of: state.row)
            }
        }
    }
}

extension WriteTransaction {
    /// Judges and dates every commit again and fills the empty tables of what is shown.
    func remakeAll() throws {
        for (space, state) in loaded.spaces.sorted(by: { $0.key < $1.key }) {
            var report = ApplyReport(space: space)
            var state = state
            try noteClaims(of: state)
            _ = try reevaluate(&state, &report)
            _ = try redate(Set(state.logs.keys.map(\.device)), state, &report)
            try rebuild(&state, only: nil)
            loaded.spaces[space] = state
        }
    }

    /// Notes again what the commits of a space ask of their grants, and which say something unknown: an
    /// earlier program may have asked something else, and known less.
    private func noteClaims(of state: LoadedSpace) throws {
        var changed: [(row: Int64, required: Permissions)] = []
        var newer = try NewerParts(in: database)
        newer.forget(state.ledger.space)
        let cursor = try database.rowCursor(
            """
            SELECT id, required, header, signature, clear, operations FROM commits
            WHERE space = ?
            """, [state.row])
        while let row = try cursor.next() {
            let commit = try row.commit(decoder)
            if commit.hasUnknownParts { newer.add(commit.header.log.device, in: commit.space) }
            let required = state.ledger.claim(of: commit).required
            if try row.integer("required") != Int64(required.rawValue) {
                changed.append((try row.integer("id"), required))
            }
        }
        try newer.save(in: database)
        for (row, required) in changed {
            try database.run(
                "UPDATE commits SET required = ? WHERE id = ?", [Int64(required.rawValue), row])
        }
    }

    fileprivate func remakeSearchTable() throws {
        try StoreSchema.emptySearch(in: database)
        try UnindexedSpaces.save(loaded.unindexed, in: database)
        loaded.pending.clear(from: loaded.version + 1)
    }
}

extension StoredRecords {
    /// Rebuilds every record of a space from its log, in one transaction: call it when its schema became
    /// known.
    package func rebuild(_ space: SpaceID) throws {
        try connection.turn { turn in
            guard var state = turn.loaded.spaces[space] else {
                throw StoreError.spaceUnknown(space)
            }
            try turn.rebuild(&state, only: nil)
            turn.loaded.spaces[space] = state
        }
    }

    /// Rebuilds the records of every space whose schema is known now and was not when they were built,
    /// for example by an older program. Returns the number of these spaces. A store that was opened for
    /// reading only leaves them to the next opening with room, and encrypted ones whose keys are not here to
    /// the next opening with the keys.
    package func remakeOutdated() throws -> Int {
        guard !connection.isOpenedForReading else { return 0 }
        let outdated = try connection.read { database in
            var shown: [Int64: SchemaID] = [:]
            let rows = try database.rows(
                "SELECT id, shown_schema FROM spaces WHERE shown_schema IS NOT NULL")
            for row in rows {
                shown[try row.integer("id")] = try row.identifier("shown_schema")
            }
            return try connection.loaded { $0.spaces }.filter { _, state in
                try connection.schemas(state.ledger.schema)?.id != shown[state.row]
                    && !SealedTable.lacksKeys(in: state, connection.decoder, database)
            }
        }
        for space in outdated.keys.sorted() {
            try connection.turn { turn in
                guard var state = turn.loaded.spaces[space] else { return }
                try turn.rebuild(&state, only: nil)
                turn.loaded.spaces[space] = state
                let pin = state.ledger.schema
                try SpaceTable.pin(
                    pin, state.row, shownUnder: connection.schemas(pin)?.id, in: turn.database)
            }
        }
        return outdated.count
    }
}

extension StoredRecords {
    /// Whether a record would lose what an encrypted commit says if it were rebuilt now.
    package func lackKeys() throws -> Bool {
        let spaces = connection.loaded { $0.spaces }
        return try connection.read { database in
            try spaces.values.contains {
                try SealedTable.lacksKeys(in: $0, connection.decoder, database)
            }
        }
    }

    /// Opens the closed commits for which a key is here, and shows what they say. There are such commits after
    /// an opening that stored them without this device's keys, as the doctor's rebuild may, or by an older
    /// program that could not read them. Returns their number.
    package func openClosed() throws -> Int {
        let encrypted = connection.loaded { $0.spaces }
            .filter { $0.value.ledger.membership.hasEpochs }
        guard !encrypted.isEmpty else { return 0 }
        let spaces = try connection.read { database in
            try encrypted.filter { _, state in
                try !SealedTable.openable(in: state, connection.decoder, database).isEmpty
            }
        }
        return try spaces.keys.sorted().reduce(0) { count, space in
            try connection.turn { turn in
                guard var state = turn.loaded.spaces[space] else { return count }
                var report = ApplyReport(space: space)
                // An opened commit may need other rights than a closed one.
                report.membershipChanged = true
                try turn.finish(&state, since: state.ledger, &report)
                turn.loaded.spaces[space] = state
                return count + report.opened
            }
        }
    }

    /// Has the index hold the spaces that search covers, and no others: where a space stands may be newer than the
    /// index, after a restore or an earlier program.
    func indexByStanding() throws {
        let wanted = connection.loaded { $0.unindexed }
        let noted = try connection.read { try UnindexedSpaces.load(in: $0) }
        guard wanted != noted else { return }
        try connection.turn { turn in
            for space in wanted.symmetricDifference(noted).sorted() {
                try PendingIndexing(turn).follow(standingOf: space)
            }
            try UnindexedSpaces.save(turn.loaded.unindexed, in: turn.database)
        }
    }
}
