package import SyncCore

/// Commits that are sealed or not whole, and the keys they need.
package struct SealedCommits: Sendable {
    let connection: StoreConnection

    init(_ connection: StoreConnection) { self.connection = connection }

    /// How many commits of a space are here of which a part was kept back.
    package func withheldCount(in space: SpaceID) throws -> Int {
        try connection.read { database in
            let count = try database.number(
                "SELECT COUNT(*) FROM sealed WHERE space = ? AND contents = ?",
                [
                    try SpaceTable.row(of: space, in: database),
                    Int64(CommitContents.withheld.rawValue),
                ])
            return Int(count ?? 0)
        }
    }

    /// Whether changes of records count in a space that are not sealed.
    package func hasPlainChanges(in space: SpaceID) throws -> Bool {
        try connection.read { database in
            try database.number(
                """
                SELECT 1 FROM commits WHERE space = ? AND effective = 1 AND length(operations) > 0
                    AND id NOT IN (SELECT commit_row FROM sealed) LIMIT 1
                """, [try SpaceTable.row(of: space, in: database)]) != nil
        }
    }

    /// How many commits of a space that count are closed: for want of a key, and, by the device that wrote
    /// them, although the key is here, as only a newer program opens them.
    package func closedCounts(
        in space: SpaceID
    ) throws -> (withoutKey: Int, newer: [DeviceID: Int]) {
        try connection.read { database in
            let rows = try database.rows(
                """
                SELECT logs.device AS device, sealed.epoch AS epoch, COUNT(*) AS count
                FROM sealed JOIN commits ON commits.id = sealed.commit_row
                    JOIN logs ON logs.id = commits.log
                WHERE sealed.space = ? AND contents = ? AND effective = 1
                GROUP BY logs.device, sealed.epoch
                """,
                [
                    try SpaceTable.row(of: space, in: database),
                    Int64(CommitContents.closed.rawValue),
                ])
            var (withoutKey, newer) = (0, [DeviceID: Int]())
            for row in rows {
                let count = Int(clamping: try row.integer("count"))
                let epoch: CommitID = try row.identifier("epoch")
                if connection.decoder.epochKeys?.holds(epoch, in: space) ?? false {
                    newer[try row.identifier("device"), default: 0] += count
                } else {
                    withoutKey += count
                }
            }
            return (withoutKey, newer)
        }
    }

    /// The commits of a space that count and are sealed with a key that is not here.
    package func closedCommits(in space: SpaceID) throws -> Set<CommitID> {
        try connection.read { database in
            let rows = try database.rows(
                """
                SELECT commit_id FROM sealed JOIN commits ON commits.id = sealed.commit_row
                WHERE sealed.space = ? AND contents = ? AND effective = 1
                """,
                [
                    try SpaceTable.row(of: space, in: database),
                    Int64(CommitContents.closed.rawValue),
                ])
            return Set(try rows.map { try $0.identifier("commit_id") })
        }
    }

    /// Those of some epochs under which is written, or something is sealed that counts: nobody needs the keys of
    /// others.
    package func neededEpochs(
        _ epochs: Set<CommitID>, writing: CommitID?, in space: SpaceID
    ) throws -> Set<CommitID> {
        guard !epochs.isEmpty else { return [] }
        return try connection.read { database in
            let row = try SpaceTable.row(of: space, in: database)
            return try epochs.filter { epoch in
                try epoch == writing
                    || [CommitContents.opened, .closed].contains { contents in
                        try database.number(
                            """
                            SELECT 1 FROM sealed JOIN commits ON commits.id = sealed.commit_row
                            WHERE sealed.space = ? AND contents = ? AND epoch = ? AND effective = 1 LIMIT 1
                            """, [row, Int64(contents.rawValue), epoch.bytes]) != nil
                    }
            }
        }
    }

    /// Which devices lack a key that something is sealed with, or that is written under; nil where nothing is
    /// encrypted.
    package func devicesWithoutKeys(in space: SpaceID) throws -> Set<DeviceID>? {
        guard let membership = connection.loaded({ $0.spaces[space]?.ledger.membership }),
            membership.isEncrypted
        else { return nil }
        let missing = membership.missingEpochs
        let needed = try neededEpochs(
            missing.values.reduce(into: []) { $0.formUnion($1) },
            writing: membership.writingEpoch(avoiding: []) { _ in true }, in: space)
        return Set(missing.filter { !$0.value.isDisjoint(with: needed) }.keys)
    }
}
