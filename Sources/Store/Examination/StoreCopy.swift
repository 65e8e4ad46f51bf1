internal import GRDB

/// A store that is copied while others go on writing. A fault of the copy does not stop them.
package struct StoreCopy: Sendable {
    /// Why there is no copy; the store itself is well.
    package enum Failure: Error, Hashable, Sendable {
        case diskFull
        /// It could not be written, or was read back as something else.
        case failed(String)

        fileprivate init(_ error: StoreError) {
            self =
                switch error {
                case .diskFull: .diskFull
                case .failed(let why), .rejected(let why), .corrupt(let why): .failed(why)
                default: .failed("\(error)")
                }
        }
    }

    private let store: SyncStore

    package init(of store: SyncStore) { self.store = store }

    /// Bytes of the database, which a copy of it has. Throws ``StoreError``.
    package func byteCount() throws -> UInt64 {
        try store.connection.read { database in
            let pages = try database.number("PRAGMA page_count") ?? 0
            return UInt64(max(0, pages * (try database.number("PRAGMA page_size") ?? 0)))
        }
    }

    /// Writes all that the database holds now to a new file of mode 0600, and reads that file back. Blocks.
    /// Throws ``Failure``, and ``StoreError/corrupt(_:)`` when the store itself is damaged.
    package func write(to path: String) throws {
        try write(to: FilePlace(path: path))
    }

    /// The same to any place. Throws the same.
    package func write(to place: some StorePlace) throws {
        do throws(StoreError) {
            guard try !place.prepare() else {
                throw .failed("there is something already")
            }
        } catch {
            throw Failure(error)
        }
        // With a connection of its own: a disk that fails under the copy says nothing of the store.
        try store.examination.look { source in
            do {
                let target = try DatabaseQueue(
                    path: place.path, configuration: StoreOpening.configuration())
                try target.writeWithoutTransaction { try source.backup(to: $0) }
                // One file, for every reader.
                try target.writeWithoutTransaction {
                    try $0.execute(sql: "PRAGMA journal_mode = DELETE")
                }
                try target.close()
            } catch let error as DatabaseError {
                let error = StoreError(error)
                if case .corrupt = error { throw error }
                throw Failure(error)
            }
        }
        let copied = StoreExamination(
            path: place.path, decoder: store.connection.decoder,
            verifier: store.connection.verifier, schemas: store.connection.schemas)
        do {
            if let first = try copied.damage().all.first { throw Failure.failed(first) }
        } catch let error as StoreError {
            throw Failure(error)
        }
    }
}
