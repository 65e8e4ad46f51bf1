internal import GRDB
package import SyncCore

extension StoredFiles {
    /// The files that were written to records of a space and that no record names which is shown: all of these
    /// are deleted, or hidden with what they belong to. A file that a commit names which does not count, or which
    /// this device cannot read, is none of them, and none that a deletion of the space had not seen. Looked for again after
    /// records changed; the cost follows what is deleted.
    package func deleted(of space: SpaceID) throws -> [BlobID: DeletedFile] {
        if let known = connection.loaded({ $0.spaces[space]?.deletedFiles }) { return known }
        let spaces = StoredSpaces(connection)
        guard let schema = spaces.schema(of: space) else { return [:] }
        // Below a snapshot they may be older than what is newest now.
        let (version, deletions, unseen) = try connection.read { database in
            let deletions = try spaces.deletions(of: space)
            return (
                connection.version(readBy: database), deletions,
                try spaces.commits(of: space, unseenBy: deletions)
            )
        }
        return try connection.counting { loaded, database in
            let row = try SpaceTable.row(of: space, in: database)
            let graph = StoredGraph(space: row, schema: schema, database: database)
            var search = DeletedFileSearch(graph, connection.decoder)
            var files: [BlobID: DeletedFile]
            if deletions.isEmpty {
                files = try search.files()
            } else {
                let title = DeletedFile(
                    records: [schema.titleRecord(in: space)], deletions: Set(deletions))
                files = try search.files(deletedWith: title)
                for blob in unseen.flatMap(\.commit.clear.blobs) { files[blob.blob] = nil }
            }
            // The deletions and commits that were read before must still be the same.
            if loaded.spaces[space].map({ $0.hiddenSince <= version }) ?? false {
                loaded.spaces[space]?.deletedFiles = files
            }
            return files
        }
    }
}

/// The records of a space, as one connection sees them.
struct StoredGraph: RecordGraph {
    let space: Int64
    let schema: Schema
    let database: Database

    func shown(_ key: RecordKey) throws -> ShownRecord? {
        try RecordTable.state(of: key, in: space, database)
            .flatMap { schema.shown($0, in: key.collection) }
    }

    func users(of key: RecordKey) throws -> [RecordKey] {
        try schema.restrictingFields(of: key.collection).flatMap { collection, _ in
            try linking(to: [key.record], in: collection.name)
        }
    }

    /// The records that belong to these, and those that belong to them.
    func parts(of keys: Set<RecordKey>) throws -> Set<RecordKey> {
        var found = keys
        var rest = keys
        while !rest.isEmpty {
            var next: Set<RecordKey> = []
            for (collection, owners) in Dictionary(grouping: rest, by: \.collection) {
                for part in schema.collections
                where part.owners.contains(where: { $0.target == collection }) {
                    next.formUnion(
                        try linking(to: Set(owners.map(\.record)), in: part.name))
                }
            }
            rest = next.subtracting(found)
            found.formUnion(next)
        }
        return found.subtracting(keys)
    }

    private func linking(
        to records: Set<RecordID>, in collection: String
    ) throws -> [RecordKey] {
        try RecordTable.records(of: space, in: collection, linkingToAny: records, database)
            .map { RecordKey(collection: collection, record: $0.record) }
    }
}

private struct DeletedFileSearch {
    private let graph: StoredGraph
    private let decoder: any CommitDecoding
    private var presences: Presences

    init(_ graph: StoredGraph, _ decoder: any CommitDecoding) {
        (self.graph, self.decoder) = (graph, decoder)
        presences = Presences(of: graph.schema)
    }

    /// Those of records that are not shown.
    mutating func files() throws -> [BlobID: DeletedFile] {
        let deleted = try graph.database.rows(
            """
            SELECT collection, record FROM records INDEXED BY records_deleted
            WHERE space = ? AND deleted = 1
            """, [graph.space]
        ).map { RecordKey(collection: try $0.text("collection"), record: try $0.record("record")) }
        var candidates: Set<BlobID> = []
        for key in Set(deleted).union(try graph.parts(of: Set(deleted))) {
            candidates.formUnion(
                try RecordTable.state(of: key, in: graph.space, graph.database)?.blobs ?? [])
        }
        var files: [BlobID: DeletedFile] = [:]
        for (blob, keys) in try writers(of: candidates) {
            guard try keys.allSatisfy({ try isGone($0) }) else { continue }
            files[blob] = DeletedFile(records: keys, deletions: try deletions(of: keys))
        }
        return files
    }

    /// All of a space that was deleted.
    func files(deletedWith title: DeletedFile) throws -> [BlobID: DeletedFile] {
        let named = try graph.database.rows(
            """
            SELECT DISTINCT blob_id FROM blob_names JOIN blobs ON blobs.id = blob
            WHERE blob_names.space = ?
            """, [graph.space]
        ).map { try $0.identifier("blob_id") as BlobID }
        return try writers(of: Set(named)).mapValues { _ in title }
    }

    private mutating func isGone(_ key: RecordKey) throws -> Bool {
        switch try presences.presence(of: key, in: graph) {
        case .deleted, .hidden: true
        case .pending, .shown, .held: false
        }
    }

    /// The records to which commits wrote these files; without those of which not every commit that names
    /// them counts, can be read and says so.
    private func writers(of blobs: Set<BlobID>) throws -> [BlobID: Set<RecordKey>] {
        var naming: [Int64: Set<BlobID>] = [:]
        var unsure: Set<BlobID> = []
        for blob in blobs {
            for row in try graph.database.rows(
                """
                SELECT commit_row, effective FROM blobs
                    JOIN blob_names ON blob_names.blob = blobs.id
                    JOIN commits ON commits.id = commit_row
                WHERE blob_id = ? AND blob_names.space = ?
                """, [blob.bytes, graph.space])
            {
                naming[try row.integer("commit_row"), default: []].insert(blob)
                if try !row.flag("effective") { unsure.insert(blob) }
            }
        }
        var writers: [BlobID: Set<RecordKey>] = [:]
        for (row, named) in naming {
            let commit = try graph.database.row(
                "SELECT header, signature, clear, operations FROM commits WHERE id = ?", [row]
            )?.commit(decoder)
            var written: Set<BlobID> = []
            for operation in commit?.operations ?? [] {
                let key = RecordKey(of: operation, under: graph.schema)
                for blob in operation.writes.compactMap(\.value.blob) where named.contains(blob) {
                    writers[blob, default: []].insert(key)
                    written.insert(blob)
                }
            }
            unsure.formUnion(named.subtracting(written))
        }
        return writers.filter { !unsure.contains($0.key) }
    }

    /// The writes that delete these records, or what they belong to.
    private func deletions(of keys: Set<RecordKey>) throws -> Set<SurvivingWrite> {
        var found: Set<SurvivingWrite> = []
        var seen = keys
        var rest = Array(keys)
        while let key = rest.popLast() {
            guard let state = try RecordTable.state(of: key, in: graph.space, graph.database),
                let shown = graph.schema.shown(state, in: key.collection)
            else { continue }
            if shown.isDeleted {
                found.formUnion(
                    (state.fields[Write.existence]?.writes ?? [])
                        .filter { $0.value == .boolean(true) })
            }
            rest += graph.schema.owners(of: shown, in: key.collection)
                .filter { seen.insert($0).inserted }
        }
        return found
    }
}

extension RecordState {
    /// The files in any value that still counts.
    package var blobs: Set<BlobID> { Set(survivors.compactMap(\.value.blob)) }
}
