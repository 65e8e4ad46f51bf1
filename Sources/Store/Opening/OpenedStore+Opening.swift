internal import GRDB
internal import SyncCore

extension OpenedStore {
    init(
        _ place: any StorePlace, _ mark: StoreMarkFile?, _ decoder: any CommitDecoding,
        _ verifier: any CommitVerifying, random: inout some RandomNumberGenerator
    ) throws {
        (self.place, self.decoder, self.verifier) = (place, decoder, verifier)
        var opened = try StoreOpening.open(place, checkpoints)
        opening = try StoreOpening.incarnation(&opened, place, random: &random)
        let pool = opened.pool
        let before = mark?.readable()
        var now = try pool.read { try StoreMark(of: $0) }
        let older = before?.older(now)
        if let before, let older, !opened.isReadOnly {
            do {
                now = try pool.writeWithoutTransaction { database in
                    try database.writing {
                        try before.renew(older, in: database)
                        return try StoreMark(of: database)
                    }
                }
            } catch let error as DatabaseError where StoreError(error) == .diskFull {
                opened.isReadOnly = true
            }
        }
        (self.pool, isReadOnly, isRestored) = (pool, opened.isReadOnly, older != nil)
        var loaded = try pool.read { database in
            try LoadedSpaces(from: database, decoder: decoder, verifier: verifier)
        }
        loaded.pending = try pool.read { try PendingRecords(in: $0) }
        loaded.emptied = before?.filled.subtracting(loaded.spaces.keys) ?? []
        now.filled.formUnion(loaded.emptied)
        if let before { now.keepGeneses(of: loaded.emptied, from: before) }
        loaded.isMarked = mark == nil || now.isAsGood(as: before)
        self.loaded = loaded
    }
}
