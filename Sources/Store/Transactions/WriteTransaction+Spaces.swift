internal import SyncCore

extension WriteTransaction {
    /// The row of a space, made when it is not there.
    func row(of space: SpaceID, insertedAs standing: SpaceStanding) throws -> Int64 {
        if loaded.standings[space] == nil {
            try database.run(
                "INSERT INTO spaces (space_id, standing) VALUES (?, ?)",
                [space.bytes, standing.rawValue])
            loaded.standings[space] = standing
            (loaded.isMarked, isToBeMarked) = (false, isToBeMarked || standing == .active)
        }
        let row = try database.number("SELECT id FROM spaces WHERE space_id = ?", [space.bytes])
        guard let row else { throw StoreError.spaceUnknown(space) }
        return row
    }
}

extension WriteTransaction {
    func setStanding(
        of space: SpaceID, in row: Int64, to standing: SpaceStanding, now: Milliseconds
    ) throws {
        try database.run(
            "UPDATE spaces SET standing = ? WHERE id = ?", [standing.rawValue, row])
        let wasIndexed = loaded.isIndexed(space)
        loaded.standings[space] = standing
        // A space that is left may be left without room: that frees some. One that was only offered is offered again.
        (loaded.isMarked, isToBeMarked) = (false, isToBeMarked || standing == .active)
        if wasIndexed != loaded.isIndexed(space), loaded.spaces[space] != nil {
            try PendingIndexing(self).follow(standingOf: space)
            try UnindexedSpaces.note(space, isIndexed: loaded.isIndexed(space), in: database)
        }
        guard standing == .active else { return }
        try database.run(
            "UPDATE spaces SET accepted_at = COALESCE(accepted_at, ?) WHERE id = ?",
            [now.stored, row])
    }
}
