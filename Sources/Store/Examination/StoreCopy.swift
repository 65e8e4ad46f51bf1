internal import GRDB

/// A store that is copied while others go on writing.
package struct StoreCopy: Sendable {
    private let store: SyncStore

    package init(of store: SyncStore) { self.store = store }

    /// Bytes of the database, which a copy of it has. Throws ``StoreError``.
    package func byteCount() throws -> UInt64 {
        try store.read { database in
            let pages = try database.number("PRAGMA page_count") ?? 0
            return UInt64(max(0, pages * (try database.number("PRAGMA page_size") ?? 0)))
        }
    }

    /// Writes all that the database holds now to a new file of mode 0600, and reads that file back. Blocks.
    /// Throws ``StoreError``.
    package func write(to path: String) throws {
        guard try !StoreFile.prepare(path) else {
            throw StoreError.failed("\(path): there is something already")
        }
        do {
            let target = try DatabaseQueue(
                path: path, configuration: StoreOpening.configuration())
            try store.read { source in
                try target.writeWithoutTransaction { try source.backup(to: $0) }
            }
            // One file, whoever opens it.
            try target.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA journal_mode = DELETE")
            }
            try target.close()
        } catch let error as DatabaseError {
            throw StoreError(error)
        }
        let copied = StoreExamination(
            path: path, decoder: store.decoder, verifier: store.verifier, schemas: store.schemas)
        if let first = try copied.damage().all.first { throw StoreError.corrupt(first) }
    }
}
