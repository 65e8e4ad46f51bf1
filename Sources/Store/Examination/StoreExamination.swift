internal import GRDB
package import SyncCore

/// Looks at a store with a connection of its own, beside its other users: nobody waits for
/// it, nothing of the store is changed, and damage that it finds does not stop the store's writing.
///
/// Each look is one read transaction on a consistent state. Looks block, for up to minutes: call
/// them from threads that may wait. They throw ``StoreError``.
package struct StoreExamination: Sendable {
    private let path: String
    let decoder: any CommitDecoding
    let verifier: any CommitVerifying
    let schemas: @Sendable (SchemaPin) -> Schema?

    /// Looks at the store below a home that need not be open, and may be in no state to be.
    package init(
        in home: String, decoder: any CommitDecoding, verifier: any CommitVerifying,
        schemas: @escaping @Sendable (SchemaPin) -> Schema?
    ) {
        self.init(
            path: StoreFile.path(in: home), decoder: decoder, verifier: verifier,
            schemas: schemas)
    }

    init(
        path: String, decoder: any CommitDecoding, verifier: any CommitVerifying,
        schemas: @escaping @Sendable (SchemaPin) -> Schema?
    ) {
        (self.path, self.decoder, self.verifier, self.schemas) = (path, decoder, verifier, schemas)
    }

    /// Runs `body` on a connection that can write temporary tables and nothing else.
    func look<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
        var configuration = Configuration()
        configuration.readonly = true
        // A temporary table that stands in for one of the store's refers to nothing.
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        configuration.label = "peersync.examination"
        configuration.prepareDatabase { database in
            try StoreOpening.checkPages(of: database)
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            try database.execute(sql: "PRAGMA temp.cache_size = -65536")
        }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let answer = try queue.inDatabase { database in
                var answer: Answer?
                try database.inTransaction(.deferred) {
                    try StoreSchema.createMissing(temporarily: database)
                    answer = try body(database)
                    return .rollback
                }
                return answer
            }
            try queue.close()
            guard let answer else { throw StoreError.failed("a look had no end") }
            return answer
        } catch let error as DatabaseError {
            throw StoreError(error)
        }
    }

    /// The names of damaged databases that are kept below a home.
    package static func damagedCopies(in home: String) throws -> [String] {
        try StoreRebuild(place: FilePlace(in: home)).copies()
    }

    /// Whether there is no file, and nothing to make one from.
    package static func isMissing(below home: String) throws -> Bool {
        let place = FilePlace(in: home)
        return try !place.hasFile(ending: "") && !StoreRebuild(place: place).isReady()
            && StoreMarkFile(beside: place).readable() == nil
    }

    /// A setting of this device; nil when it was never set.
    package func setting(_ key: String) throws -> String? {
        try look { try Settings.text("user." + key, in: $0) }
    }

    /// What is wrong with the file; both empty when it is sound.
    package func damage() throws -> DatabaseDamage {
        try look { try SyncStore.damage(in: $0) }
    }
}

/// What is wrong with a database.
package struct DatabaseDamage: Hashable, Sendable {
    /// What SQLite's own check says of pages and indexes.
    package let places: [String]
    /// Rows that refer to something that is not there.
    package let strays: Int

    package init(places: [String], strays: Int) { (self.places, self.strays) = (places, strays) }

    package var all: [String] {
        places + (strays > 0 ? ["\(strays) rows refer to something that is not there"] : [])
    }
}

extension SyncStore {
    /// Looks at this store from outside.
    package var examination: StoreExamination {
        StoreExamination(
            path: connection.place.path, decoder: connection.decoder, verifier: connection.verifier,
            schemas: connection.schemas)
    }

    static func damage(in database: Database) throws -> DatabaseDamage {
        let places = try database.rows("PRAGMA integrity_check(\(Limits.damageNamed))")
            .map { try $0.text("integrity_check") }.filter { $0 != "ok" }
        let strays = try database.rows("PRAGMA foreign_key_check").count
        return DatabaseDamage(places: places, strays: strays)
    }
}

extension Limits {
    /// Damaged places that are named one by one: a broken disk has thousands.
    package static let damageNamed = 20
}
