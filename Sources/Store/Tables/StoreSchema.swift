internal import Foundation
internal import GRDB

/// The tables of the store, format 22.
///
/// The log (`spaces`, `logs`, `commits`, `seen`) is the truth; `records`, `mentions`,
/// `search` and `blob_names` are made from it. Ids are the raw bytes of SyncCore's values, times are
/// milliseconds since 1970, unsigned 64-bit values are kept by bit pattern. Spaces, logs and blobs
/// are referred to by small row ids.
enum StoreSchema {
    /// "pSyn", in the file's header.
    static let applicationID: Int64 = 0x7053_796E
    /// Raised with every change of the tables, and when this program reads more of commits than those
    /// before it: what they show is outdated then. A file with a higher number is left alone.
    static let format: Int64 = 22

    /// The setting that says that everything shown has to be rebuilt from the log.
    static let outdated = "outdated"

    /// Creates every table in an empty database.
    static func create(in database: Database) throws {
        for statements in [
            log, ahead, orphans, pins, forks, recovered, shown, search, local, blobs, peers,
            household,
            rot, places, sealed, groups, notices, losses, reversals, freed,
        ] {
            try database.execute(sql: statements)
        }
        try tuneSearch(database)
        try database.execute(sql: "PRAGMA user_version = \(format)")
    }

    /// Has the index of words write fewer pages with a small change: its segments are merged when there are 16 of
    /// a level, not 4. And its own pages fit into those of the database, of which the checksums take some bytes:
    /// with FTS5's 4,050 bytes each would need a second one.
    static func tuneSearch(_ database: Database) throws {
        let wanted: [(String, Int64)] = [("automerge", 16), ("crisismerge", 64), ("pgsz", 4_000)]
        for (key, value) in wanted {
            let known = try database.number("SELECT v FROM search_config WHERE k = ?", [key])
            guard known != value else { continue }
            try database.run("INSERT INTO search (search, rank) VALUES (?, ?)", [key, value])
        }
    }

    /// `settings`: what the program and this database know of themselves.
    /// `spaces`: `standing` is ``SpaceStanding``; role and schema are null until the genesis came.
    /// `shown_schema` is the schema that the records were made under; null while it was not known.
    /// `logs`: interned author logs and how far each is known.
    /// `commits`: `id` is the storing order; `clock` is when it counts as written, which is what its
    /// header says unless it was redated. `grant_*`, `required` and `precedence` are the
    /// commit's claim (``CommitClaim``); `facts` says whether membership depends on it. Bytes come
    /// last, so that scanning the rest does not read them.
    /// `seen`: from `at_sequence` of `log` on, its commits had seen `target` up to `sequence`.
    private static let log = """
        CREATE TABLE settings (
            key TEXT PRIMARY KEY, value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE spaces (
            id INTEGER PRIMARY KEY, space_id BLOB NOT NULL UNIQUE, standing INTEGER NOT NULL,
            role INTEGER, schema_id BLOB, schema_version INTEGER, schema_document BLOB,
            accepted_at INTEGER, offer_title TEXT, offer_from TEXT, offer_flags INTEGER,
            offer_bytes INTEGER, offered_by BLOB, shown_schema BLOB,
            offer_schema TEXT NOT NULL DEFAULT ''
        ) STRICT;
        CREATE TABLE logs (
            id INTEGER PRIMARY KEY, space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
            device BLOB NOT NULL, incarnation BLOB NOT NULL, head_sequence INTEGER NOT NULL,
            head_commit BLOB NOT NULL, UNIQUE (space, device, incarnation)
        ) STRICT;
        CREATE TABLE commits (
            id INTEGER PRIMARY KEY, space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
            log INTEGER NOT NULL REFERENCES logs, sequence INTEGER NOT NULL,
            effective INTEGER NOT NULL, facts INTEGER NOT NULL, genesis INTEGER NOT NULL,
            required INTEGER NOT NULL, precedence INTEGER NOT NULL,
            grant_commit BLOB NOT NULL, grant_index INTEGER NOT NULL,
            clock INTEGER NOT NULL, received_at INTEGER NOT NULL, commit_id BLOB NOT NULL UNIQUE,
            byte_count INTEGER NOT NULL, header BLOB NOT NULL, signature BLOB NOT NULL,
            clear BLOB NOT NULL, operations BLOB NOT NULL, UNIQUE (log, sequence)
        ) STRICT;
        CREATE INDEX commits_of_space ON commits (space);
        CREATE INDEX commits_with_facts ON commits (space) WHERE facts = 1;
        CREATE TABLE seen (
            log INTEGER NOT NULL REFERENCES logs ON DELETE CASCADE,
            target INTEGER NOT NULL REFERENCES logs, at_sequence INTEGER NOT NULL,
            sequence INTEGER NOT NULL, PRIMARY KEY (log, target, at_sequence)
        ) STRICT, WITHOUT ROWID;
        """

    /// Of a row of `commits`: whether it counts, and is dated so much after it came; clocks are unsigned. See
    /// ``Receipts``.
    static let isAhead = """
        effective = 1
            AND (clock >> 16 & 281474976710655) > received_at + \(aheadMilliseconds)
        """
    static let aheadMilliseconds: Int64 = 60_000
    private static let ahead =
        "CREATE INDEX commits_ahead ON commits (space, clock, log) WHERE \(isAhead);"

    /// From formats 8 to 18, which had all commits in an index by their clocks.
    static let aheadOnly = "DROP INDEX IF EXISTS commits_by_clock; " + ahead

    static let orphans =
        "CREATE INDEX commits_without_effect ON commits (space, log) WHERE effective = 0;"

    /// Every commit that pins a schema, whether or not it counts; the space follows the one that
    /// ``SpaceLedger/follow(_:)`` speaks of.
    static let pins = """
        CREATE TABLE schema_pins (
            commit_row INTEGER PRIMARY KEY REFERENCES commits ON DELETE CASCADE,
            space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE, version INTEGER NOT NULL,
            schema_id BLOB NOT NULL, commit_id BLOB NOT NULL
        ) STRICT;
        CREATE INDEX schema_pins_of_space ON schema_pins (space, version, commit_id);
        """

    /// From format 2 to 3: every space follows the schema of its genesis.
    static let pinGenesis = """
        ALTER TABLE spaces ADD COLUMN shown_schema BLOB;
        ALTER TABLE spaces ADD COLUMN offer_schema TEXT NOT NULL DEFAULT '';
        INSERT INTO schema_pins (commit_row, space, version, schema_id, commit_id)
        SELECT commits.id, spaces.id, schema_version, schema_id, commit_id
        FROM commits JOIN spaces ON spaces.id = commits.space WHERE genesis = 1;
        """

    /// Values of local fields: they belong to this device, stand in no log and are never sent. A row without a
    /// collection is an unfinished record: ``UnfinishedRecords``.
    static let local = """
        CREATE TABLE local_values (
            space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE, collection TEXT NOT NULL,
            record BLOB NOT NULL, field TEXT NOT NULL, value BLOB NOT NULL,
            PRIMARY KEY (space, collection, record, field)
        ) STRICT, WITHOUT ROWID;
        """

    /// `forks`: of each forked log the proof of its lowest fork, two signed headers.
    /// `branches`: commits that stand at a fork or beyond it; each goes on from `previous`. They are
    /// no part of `commits`, so that nothing counts them by mistake.
    /// `recovered`: orphans and the commits by which this device rewrote them; those written
    /// under one number are undone together, by the commit in `undone_by`. Under the number -1:
    /// commits of others that had done it before.
    /// `dismissed`: orphans of which this person wants to be told no more.
    static let forks = """
        CREATE TABLE forks (
            space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE, device BLOB NOT NULL,
            incarnation BLOB NOT NULL, sequence INTEGER NOT NULL, first_header BLOB NOT NULL,
            first_signature BLOB NOT NULL, second_header BLOB NOT NULL,
            second_signature BLOB NOT NULL, PRIMARY KEY (space, device, incarnation)
        ) STRICT;
        CREATE TABLE branches (
            id INTEGER PRIMARY KEY, space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
            log INTEGER NOT NULL REFERENCES logs ON DELETE CASCADE, sequence INTEGER NOT NULL,
            previous BLOB NOT NULL, facts INTEGER NOT NULL, clock INTEGER NOT NULL,
            received_at INTEGER NOT NULL, commit_id BLOB NOT NULL UNIQUE,
            byte_count INTEGER NOT NULL, header BLOB NOT NULL, signature BLOB NOT NULL,
            clear BLOB NOT NULL, operations BLOB NOT NULL
        ) STRICT;
        CREATE INDEX branches_of_log ON branches (log, sequence);
        CREATE INDEX branches_before ON branches (previous);
        CREATE INDEX branches_of_space ON branches (space);
        """

    static let recovered = """
        CREATE TABLE recovered (
            space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE, commit_id BLOB NOT NULL,
            new_commit BLOB NOT NULL, recovery INTEGER NOT NULL DEFAULT 0, undone_by BLOB,
            PRIMARY KEY (space, commit_id, new_commit)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX recovered_by ON recovered (new_commit);
        CREATE TABLE dismissed (
            space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE, commit_id BLOB NOT NULL,
            PRIMARY KEY (space, commit_id)
        ) STRICT, WITHOUT ROWID;
        """

    /// `records`: `body` is ``RecordCodec``'s; `searched` says its ``IndexState``; `name` is ``NameKey``'s,
    /// null for a record without a name; `time` is that of its first field of that type, null without
    /// one; `maker` is the row of the first commit that wrote to it and counts; `writers` are
    /// ``WriterRows``; `text` is the text that search finds it by, and `former_text` the ``FormerText`` that the index of
    /// words has of it while it waits to be indexed: otherwise that says nothing.
    /// `mentions`: which records refer to a record: all that do, and perhaps others; see ``Backlinks``.
    static let shown = """
        CREATE TABLE records (
            id INTEGER PRIMARY KEY, space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
            collection TEXT NOT NULL, record BLOB NOT NULL, deleted INTEGER NOT NULL,
            conflicted INTEGER NOT NULL, searched INTEGER NOT NULL, name BLOB, time INTEGER,
            maker INTEGER NOT NULL, writers BLOB, body BLOB NOT NULL,
            text TEXT NOT NULL DEFAULT '', former_text BLOB,
            UNIQUE (space, collection, record)
        ) STRICT;
        CREATE INDEX records_by_name ON records (space, collection, name) WHERE name IS NOT NULL;
        CREATE INDEX records_by_time ON records (space, collection, time) WHERE time IS NOT NULL;
        CREATE INDEX records_deleted ON records (space, collection, record) WHERE deleted = 1;
        CREATE INDEX records_in_conflict ON records (space) WHERE conflicted = 1;
        CREATE TABLE mentions (
            id INTEGER PRIMARY KEY, space INTEGER NOT NULL, pairs BLOB NOT NULL
        ) STRICT;
        """

    /// From formats 6 to 20, which kept the texts in the index of words.
    static let texts = """
        ALTER TABLE records ADD COLUMN text TEXT NOT NULL DEFAULT '';
        ALTER TABLE records ADD COLUMN former_text BLOB;
        """

    /// The index has the words of texts and not the texts: these stand with the records, whose pages are written
    /// anyway. Only ``WordIndex`` changes it: SQL that updates or deletes its rows would take the texts from there.
    static let search = """
        CREATE VIRTUAL TABLE search USING fts5(
            \(words), content = 'records', content_rowid = 'id'
        );
        """

    /// Makes the index of words once more as it is made today, without any text, even from a damaged one.
    static func emptySearch(in database: Database) throws {
        do {
            // Deleting rows would read a damaged index.
            try database.execute(sql: "DROP TABLE search")
        } catch is DatabaseError {
            try forgetSearch(in: database)
        }
        try database.execute(sql: search)
        try tuneSearch(database)
    }

    /// An index so damaged that FTS5 does not load it cannot be dropped as a table: its name goes
    /// first, and then the tables it consisted of (SQLite, "FTS5 Data Structures") are ordinary
    /// ones.
    private static func forgetSearch(in database: Database) throws {
        try database.execute(
            sql: """
                PRAGMA writable_schema = ON;
                DELETE FROM sqlite_schema WHERE type = 'table' AND name = 'search';
                PRAGMA writable_schema = RESET;
                """)
        for part in ["data", "idx", "content", "docsize", "config"] {
            try database.execute(sql: "DROP TABLE IF EXISTS search_\(part)")
        }
    }

    /// The texts of a connection that `search` does not have yet.
    static let pending = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.pending USING fts5(\(words));"

    /// Without the lengths of the texts, which FTS5 would keep in a table of their own, half a page of it for each
    /// text that changes: to rank matches, it counts the words of these alone.
    private static let words = """
        text, tokenize = "unicode61 remove_diacritics 2", columnsize = 0
        """

    /// Creates what is made from the log once more, as temporary tables of the same names.
    static func createShown(temporarily database: Database) throws {
        for statements in [shown, search] { try database.execute(sql: temporary(statements)) }
    }

    /// Creates the tables that a store of format 17 to 19 does not have yet, empty and temporary, so that it is
    /// read like one of this format. Older ones lack columns, too.
    static func createMissing(temporarily database: Database) throws {
        for (name, statements) in [("sealed", sealed), ("groups", groups)]
        where try !database.hasTable(name) {
            try database.execute(sql: temporary(String(statements.prefix { $0 != ";" })))
        }
    }

    private static func temporary(_ statements: String) -> String {
        statements
            .replacingOccurrences(of: "CREATE TABLE ", with: "CREATE TEMP TABLE ")
            .replacingOccurrences(of: "CREATE INDEX ", with: "CREATE INDEX temp.")
            .replacingOccurrences(of: "CREATE VIRTUAL TABLE ", with: "CREATE VIRTUAL TABLE temp.")
    }

    /// `blobs`: `state` is ``BlobState``; `size` is verified once the state is present, before
    /// that a claim. `chunks` holds the SHA-256 of each chunk, 32 bytes each, once known. `freed_at` says
    /// when a blob was freed, also while it is wanted again; null as soon as it is here.
    /// `blob_names`: which commit of a space names a blob, with the size and kind it claims.
    private static let blobs = """
        CREATE TABLE blobs (
            id INTEGER PRIMARY KEY, blob_id BLOB NOT NULL UNIQUE, state INTEGER NOT NULL,
            size INTEGER NOT NULL, verified_at INTEGER, chunk_length INTEGER, chunks BLOB,
            content BLOB, freed_at INTEGER
        ) STRICT;
        CREATE INDEX blobs_missing ON blobs (id) WHERE state = 0;
        CREATE TABLE blob_names (
            space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
            blob INTEGER NOT NULL REFERENCES blobs,
            commit_row INTEGER NOT NULL REFERENCES commits ON DELETE CASCADE,
            size INTEGER NOT NULL, kind INTEGER NOT NULL, PRIMARY KEY (space, blob, commit_row)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX blob_names_of_commit ON blob_names (commit_row);
        CREATE INDEX blob_names_of_blob ON blob_names (blob);
        """

    static let freed = "CREATE INDEX blobs_freed ON blobs (id) WHERE state = 2;"

    /// `blob_spaces`: the spaces that a commit names a blob in, or that it was brought into; `held` says
    /// that its bytes were imported or received there, and stays when they are lost: whenever they
    /// are here, they count there.
    static let places = """
        CREATE TABLE blob_spaces (
            space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
            blob INTEGER NOT NULL REFERENCES blobs, held INTEGER NOT NULL,
            PRIMARY KEY (space, blob)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX blob_spaces_lacking ON blob_spaces (space, blob) WHERE held = 0;
        CREATE INDEX blob_spaces_of_blob ON blob_spaces (blob);
        """

    /// `sealed`: the commits whose operations are sealed, under which epoch, and what became of them:
    /// ``CommitContents``. There are none in a space that is not encrypted.
    static let sealed = """
        CREATE TABLE sealed (
            commit_row INTEGER PRIMARY KEY REFERENCES commits ON DELETE CASCADE,
            space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE, epoch BLOB NOT NULL,
            contents INTEGER NOT NULL
        ) STRICT;
        """ + sealedOfEpoch

    /// `groups`: the commits that have others of their group after them (``CommitGroup``), which goes from the
    /// sequence `first` to `last` of their log.
    static let groups = """
        CREATE TABLE groups (
            commit_row INTEGER PRIMARY KEY REFERENCES commits ON DELETE CASCADE,
            log INTEGER NOT NULL REFERENCES logs ON DELETE CASCADE, first INTEGER NOT NULL,
            last INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX groups_of_log ON groups (log, last);
        """

    static let sealedOfEpoch = """
        DROP INDEX IF EXISTS sealed_of_space;
        CREATE INDEX IF NOT EXISTS sealed_of_epoch ON sealed (space, contents, epoch);
        """

    /// `revocation_notices`: what was said of a space that was taken from this device, and what follows
    /// from it: ``RevocationNotice``.
    static let notices = """
        CREATE TABLE revocation_notices (
            space INTEGER NOT NULL PRIMARY KEY REFERENCES spaces ON DELETE CASCADE,
            commit_id BLOB NOT NULL, person BLOB NOT NULL, written_at INTEGER NOT NULL,
            whole_person INTEGER NOT NULL, said BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// `reversals`: what this person undid here, and took back of that: ``Reversal``. The key comes first, as
    /// SQLite 3.40 checks other tables without row ids wrongly.
    static let reversals = """
        CREATE TABLE reversals (
            number INTEGER NOT NULL, commit_id BLOB NOT NULL, reverses INTEGER NOT NULL,
            kind INTEGER NOT NULL, space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
            PRIMARY KEY (number, commit_id, reverses)
        ) STRICT, WITHOUT ROWID;
        """

    /// `loss_statements`: what devices and keys of persons said of lost devices, as they signed it. The index is
    /// a second copy of what stands in few pages.
    static let losses = """
        CREATE TABLE loss_statements (
            id BLOB PRIMARY KEY, person BLOB NOT NULL, heard_at INTEGER NOT NULL,
            content BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX loss_statements_twice ON loss_statements (id, person, heard_at, content);
        """

    /// `acknowledgements`, `holdings`: the latest of each device, as it was signed, and what it
    /// says: `watermark` holds positions of 88 bytes (device, incarnation, sequence, commit),
    /// `missing` blob ids, and `unwanted` some of them.
    private static let peers = """
        CREATE TABLE acknowledgements (
            space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE, device BLOB NOT NULL,
            counter INTEGER NOT NULL, watermark BLOB NOT NULL, bytes BLOB NOT NULL,
            signature BLOB NOT NULL, PRIMARY KEY (space, device)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE holdings (
            space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE, device BLOB NOT NULL,
            counter INTEGER NOT NULL, held INTEGER NOT NULL, missing BLOB NOT NULL,
            missing_count INTEGER NOT NULL, missing_bytes INTEGER NOT NULL, bytes BLOB NOT NULL,
            signature BLOB NOT NULL, unwanted BLOB NOT NULL DEFAULT x'',
            PRIMARY KEY (space, device)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE devices (
            device BLOB PRIMARY KEY, signing_key BLOB NOT NULL, person BLOB NOT NULL,
            card BLOB NOT NULL, device_name TEXT NOT NULL, person_name TEXT NOT NULL,
            paired_at INTEGER, forgotten_at INTEGER, synced_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE addresses (
            device BLOB NOT NULL REFERENCES devices ON DELETE CASCADE, host TEXT NOT NULL,
            port INTEGER NOT NULL, source INTEGER NOT NULL, succeeded_at INTEGER,
            PRIMARY KEY (device, host, port)
        ) STRICT, WITHOUT ROWID;
        """

    /// `pairing_codes`: codes shown since pairing was last opened; burned before the first PAKE
    /// byte. `sync_runs`: see ``StoredSyncRun``; `detail` is JSON.
    private static let household = """
        CREATE TABLE pairing_codes (
            serial INTEGER PRIMARY KEY AUTOINCREMENT, shown_at INTEGER NOT NULL,
            burned_at INTEGER
        ) STRICT;
        CREATE TABLE sync_runs (
            id INTEGER PRIMARY KEY, device BLOB NOT NULL, started_at INTEGER NOT NULL,
            ended_at INTEGER, commits_sent INTEGER NOT NULL, commits_received INTEGER NOT NULL,
            blobs_sent INTEGER NOT NULL, blobs_received INTEGER NOT NULL,
            bytes_sent INTEGER NOT NULL, bytes_received INTEGER NOT NULL,
            conflicts INTEGER NOT NULL, errors INTEGER NOT NULL, detail TEXT NOT NULL
        ) STRICT;
        """

    /// `stranded`: commits of which something before is not here any more; `place` is their storing
    /// order. `lost`: up to which position a log was here before pages of it were damaged.
    /// The indexes are second copies of what stands in few pages and cannot be rebuilt.
    static let rot = """
        CREATE TABLE stranded (
            id INTEGER PRIMARY KEY, space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
            place INTEGER NOT NULL, received_at INTEGER NOT NULL, commit_id BLOB NOT NULL UNIQUE,
            byte_count INTEGER NOT NULL, header BLOB NOT NULL, signature BLOB NOT NULL,
            clear BLOB NOT NULL, operations BLOB NOT NULL
        ) STRICT;
        CREATE INDEX stranded_in_order ON stranded (space, place, id);
        CREATE TABLE lost (
            space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE, device BLOB NOT NULL,
            incarnation BLOB NOT NULL, sequence INTEGER NOT NULL,
            PRIMARY KEY (space, device, incarnation)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX settings_twice ON settings (key, value);
        CREATE INDEX spaces_twice ON spaces (
            space_id, standing, role, schema_id, schema_version, schema_document, accepted_at,
            offer_title, offer_from, offer_flags, offer_bytes, offered_by, shown_schema,
            offer_schema
        );
        CREATE INDEX devices_twice ON devices (
            device, signing_key, person, card, device_name, person_name, paired_at, forgotten_at,
            synced_at
        );
        CREATE INDEX local_values_twice ON local_values (
            space, collection, record, field, value
        );
        """
}
