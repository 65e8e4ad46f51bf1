internal import GRDB
package import SyncCore

extension SyncStore {
    /// Opens the store at a place, below a locked home for example, making it when there is none, and
    /// loads the ledger of every space. `schemas` gives the schema that a pin names, nil while it is
    /// not known.
    package convenience init(
        holding place: some StorePlace, decoder: any CommitDecoding, verifier: any CommitVerifying,
        random: inout some RandomNumberGenerator,
        schemas: @escaping @Sendable (SchemaPin) -> Schema?
    ) throws {
        var rebuild = StoreRebuild(place: place)
        func remade() throws -> RebuiltStore {
            try rebuild.run(
                decoder: decoder, verifier: verifier, random: &random, schemas: schemas)
        }
        let (mark, former) = (StoreMarkFile(beside: place), FormerStores(beside: place))
        var rebuilt: RebuiltStore?
        let opened: OpenedStore
        do {
            try rebuild.finish()
            rebuild.sums = PageSums(of: place)
            if try rebuild.isNeeded() { rebuilt = try remade() }
            do {
                opened = try OpenedStore(place, mark, decoder, verifier, random: &random)
            } catch {
                guard rebuilt == nil, StoreError.isDamage(error) else { throw error }
                // The opened file may have been written to.
                rebuild.sums = nil
                rebuilt = try remade()
                opened = try OpenedStore(place, mark, decoder, verifier, random: &random)
            }
            try self.init(opened, mark, rebuilt, schemas, since: rebuild.sums)
        } catch {
            throw former.explaining(StoreError.told(error))
        }
        mark.dropPrepared()
        guard !isOpenedForReading else { return }
        do {
            let noted = mark.ends()
            if try !stranded.noteLost(Array(noted.values)) {
                _ = try startNewIncarnation(random: &random)
            }
            mark.note(connection.loaded { $0.ends }, over: noted)
        } catch StoreError.diskFull {
            // Without room to note what was lost it is read only: writing would hide the loss, or fork the own log.
            connection.restrictToReading()
            return
        }
        if !connection.loaded({ $0.isMarked }) {
            // Without room the mark of before stays, which says less.
            do { try connection.turn { _ in } } catch StoreError.diskFull {}
        }
        try records.indexAsRoomAllows()
        try former.countOpening(by: connection)
    }
}

extension StoreError {
    fileprivate static func told(_ error: any Error) -> any Error {
        (error as? DatabaseError).map { StoreError($0) } ?? error
    }

    fileprivate static func isDamage(_ error: any Error) -> Bool {
        switch told(error) {
        case StoreError.corrupt: true
        default: false
        }
    }
}
