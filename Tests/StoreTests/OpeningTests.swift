import Foundation
import Store
import SyncCore
import TestKit
import Testing

@Suite struct OpeningTests {
    private let testLog = TestLog()

    @Test("a store can be held once; its holder is named")
    func lock() throws {
        let peer = try TestPeer(testLog, seed: 1)

        #expect(throws: StoreError.locked(process: getpid())) {
            try StoreLock(home: peer.home)
        }
    }

    @Test("the directory and every file in it are for the owner only")
    func modes() throws {
        let peer = try TestPeer(testLog, seed: 1)
        _ = try peer.found()

        #expect(try mode(peer.home) == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: peer.home) {
            #expect(try mode(peer.home + "/" + name) == 0o600, "\(name)")
        }
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("a store of a newer peersync is refused and stays as it is")
    func newerFormat() throws {
        let home = try closedStore()
        try patch(home, at: 60, with: [0, 0, 0, 99])
        try PageSeal.seal(home + "/store.sqlite")
        let before = try bytes(home)

        #expect(throws: StoreError.newer(format: 99)) { try TestPeer(testLog, seed: 1, home: home) }
        #expect(try bytes(home) == before)
    }

    /// Takes away what formats 12 and later added to the tables.
    static let sinceFormat11 = """
        ALTER TABLE holdings DROP COLUMN unwanted;
        DROP TABLE groups; DROP INDEX commits_ahead; DROP INDEX blobs_freed; ALTER TABLE blobs DROP COLUMN freed_at;
        ALTER TABLE records DROP COLUMN text; ALTER TABLE records DROP COLUMN former_text;
        ALTER TABLE records DROP COLUMN writers; DROP TABLE reversals; DROP TABLE loss_statements; DROP TABLE revocation_notices;
        DROP TABLE dismissed;
        CREATE TABLE rescued (
            space INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE, commit_id BLOB NOT NULL,
            rescuer BLOB NOT NULL, PRIMARY KEY (space, commit_id, rescuer)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX rescued_by ON rescued (rescuer);
        INSERT INTO rescued SELECT space, commit_id, new_commit FROM recovered WHERE undone_by IS NULL;
        DROP TABLE recovered;
        """

    /// Takes away what formats 7 to 13 added.
    private static let sinceFormat6 =
        sinceFormat11 + """
            DROP INDEX commits_without_effect; DROP TABLE blob_spaces;
            DROP TABLE stranded; DROP TABLE lost; DROP INDEX settings_twice; DROP INDEX spaces_twice;
            DROP INDEX devices_twice; DROP INDEX local_values_twice;
            """

    /// Takes away what formats 3 to 8 added.
    private static let sinceFormat2 =
        sinceFormat6 + """
            DROP TABLE schema_pins; DROP TABLE local_values; DROP TABLE mentions;
            DROP INDEX records_by_name; ALTER TABLE records DROP COLUMN name;
            ALTER TABLE spaces DROP COLUMN shown_schema;
            ALTER TABLE spaces DROP COLUMN offer_schema;
            """

    @Test(
        "a store of an older format is brought up to date with all that it holds",
        arguments: [
            (1, "DROP TABLE forks; DROP TABLE branches; DROP TABLE rescued;"), (2, ""),
        ])
    func olderFormat(format: Int, tables: String) throws {
        // given a store with the tables and the number that the format had
        let home = try closedStore()
        try execute(
            OpeningTests.sinceFormat2 + tables + "PRAGMA user_version = \(format)", in: home)

        // when
        try update(home)

        // then
        #expect(try bytes(home)[63] == 22)
        let again = try TestPeer(testLog, seed: 1, home: home)
        #expect(try again.store.records.search("später").count == 1)
        // Its spaces follow the schema of their genesis, and can follow another one.
        let space = try #require(again.store.ledgers.keys.first)
        #expect(again.store.spaces.schema(of: space)?.id == TestPeer.schema.id)
        let pin = SchemaPin(
            schema: SchemaID(Label.schema.hash([9])), version: 9, document: [9])
        try again.write([], clear: ClearPart(schema: pin), to: space)
        #expect(again.store.ledger(of: space)?.schema == pin)
    }

    @Test("records of a store of format 2 are rebuilt from its log")
    func secondFormat() throws {
        let home = try closedStore()
        try execute(
            "UPDATE records SET body = x'01'; INSERT INTO search (search) VALUES ('delete-all');"
                + OpeningTests.sinceFormat2 + "PRAGMA user_version = 2", in: home)
        try update(home)
        #expect(try bytes(home)[63] == 22)
        let again = try TestPeer(testLog, seed: 1, home: home)
        #expect(try again.store.examination.compareShown().faults == [])
    }

    @Test(
        "records of stores of formats 4 and 5 get their times and the commits that made them",
        arguments: [
            (
                4,
                """
                DROP INDEX records_by_time; DROP INDEX records_deleted;
                ALTER TABLE records DROP COLUMN time;
                """
            ), (5, ""),
        ])
    func fourthAndFifthFormat(format: Int, tables: String) throws {
        let home = try closedStore()
        try execute(
            OpeningTests.sinceFormat6 + tables
                + "ALTER TABLE records DROP COLUMN maker; PRAGMA user_version = \(format)",
            in: home)
        try update(home)
        #expect(try bytes(home)[63] == 22)
        let again = try TestPeer(testLog, seed: 1, home: home)
        #expect(try again.store.examination.compareShown().faults == [])
        let space = try #require(again.store.ledgers.keys.first)
        #expect(try again.store.records.count(of: space, in: "memory") > 0)
    }

    @Test("records of a store of format 3 get their names and what they mention")
    func thirdFormat() throws {
        let home = try closedStore()
        try execute(
            OpeningTests.sinceFormat6 + """
                DROP TABLE mentions; DROP INDEX records_by_name; ALTER TABLE records DROP COLUMN name;
                PRAGMA user_version = 3
                """, in: home)
        try update(home)
        #expect(try bytes(home)[63] == 22)
        let again = try TestPeer(testLog, seed: 1, home: home)
        #expect(try again.store.examination.compareShown().faults == [])
        let space = try #require(again.store.ledgers.keys.first)
        #expect(
            try !again.store.records.list(
                of: space, in: "memory", fitting: .nameStart("T"), limit: 10
            ).isEmpty)
    }

    @Test("a store of format 7 finds what is dated in the future, and dates what was redated")
    func seventhFormat() throws {
        let home = TestPeer.newHome()
        let before = try TestPeer(testLog, seed: 1, home: home)
        let space = try before.found()
        let right = before.now
        before.now = Milliseconds(right.value + 86_400_000)
        try before.write([titled("Ahead", 1)], to: space)
        let redating = Redating(
            device: before.device, span: right.value + 10...(.max >> 16),
            offsetMilliseconds: -86_400_000)
        before.now = right
        before.settle()
        try before.write([], clear: ClearPart(facts: [.redating(redating)]), to: space)
        try before.store.close()
        // As a program left it that did not know the fact.
        try execute(
            OpeningTests.sinceFormat11 + """
                DROP INDEX commits_without_effect; DROP TABLE blob_spaces;
                UPDATE records SET body = x'01';
                UPDATE commits SET clock = clock + (86400000 << 16) WHERE sequence = 2;
                PRAGMA user_version = 7
                """, in: home)

        let again = try TestPeer(testLog, seed: 1, home: home)

        #expect(
            try again.store.log.changesAhead(in: space, now: Milliseconds(right.value + 99)).isEmpty
        )
        #expect(try again.shown(1, in: space)?.value("title")?.text == "Ahead")
        #expect(try again.store.examination.verifyLogs().faults == 0)
        #expect(try again.store.examination.compareShown().faults == [])
    }

    @Test("commits of a store of format 9 are judged by what they take now")
    func ninthFormat() throws {
        let home = TestPeer.newHome()
        let before = try TestPeer(testLog, seed: 1, home: home)
        let space = try before.found()
        let profile = Schema.spaceProfile
        let name = RecordOperation(
            collection: profile,
            record: .derived(space: space, collection: profile, source: []),
            writes: [Write(field: "name", value: .text("Arezzo"))])
        try before.write([name], to: space)
        try before.store.close()
        try execute(
            OpeningTests.sinceFormat11 + """
                UPDATE commits SET required = 2 WHERE required = 4;
                DROP INDEX commits_without_effect; PRAGMA user_version = 9
                """, in: home)

        let again = try TestPeer(testLog, seed: 1, home: home)

        #expect(try again.store.examination.verifyLogs().faults == 0)
        #expect(try again.store.examination.compareShown().faults == [])
    }

    @Test("what a store of format 11 kept in settings, one for each space, comes into tables")
    func eleventhFormat() throws {
        let home = TestPeer.newHome()
        let before = try TestPeer(testLog, seed: 1, home: home)
        let space = try before.found()
        let (commit, person) = (CommitID(sha256([1])), PersonID(sha256([2])))
        try before.store.settings.set([
            "taken.\(space)": "\(commit) \(person) 1700 true", "taken.\(space).said": "0aff",
            "kept": "as it is",
        ])
        try before.store.close()
        try execute(OpeningTests.sinceFormat11 + "PRAGMA user_version = 11", in: home)

        let again = try TestPeer(testLog, seed: 1, home: home)

        let notices = again.store.revocationNotices
        #expect(
            try notices.notice(of: space)
                == RevocationNotice(
                    commit: commit, person: person, written: Milliseconds(1700),
                    isWholePerson: true))
        #expect(try notices.words(of: space) == [0x0a, 0xff])
        #expect(try again.store.settings.all() == ["kept": "as it is"])
        try notices.keep(nil, saying: [], of: space)
        #expect(try notices.words(of: space) == nil)
    }

    @Test("what a store of format 11 kept of changes that do not count is kept")
    func eleventhFormatOrphans() throws {
        // given three commits beyond a cut: one recovered, one taken back, one dismissed
        let home = TestPeer.newHome()
        let before = try TestPeer(testLog, seed: 1, home: home)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try before.found()
        try before.write([titled("old", 2)], to: space)
        let beyond = try ben.beCutOff(from: space, of: before) {
            for number in 1...3 as ClosedRange<UInt64> {
                try ben.write([titled("new", number)], to: space)
            }
        }
        try before.recoverFirst(in: space)
        try before.recoverFirst(in: space)
        let undo = try #require(try before.undoRecovery(in: space)?.commit)
        let place = try #require(try before.store.log.arrival(of: beyond[2])?.place)
        try before.store.settings.set("orphans.\(space)", to: "\(place)")
        try before.store.close()
        let settings = """
            INSERT INTO settings VALUES ('undone_rescues', x'\(hexadecimal(undo.bytes))');
            """
        try execute(
            settings + OpeningTests.sinceFormat11 + "PRAGMA user_version = 11", in: home)
        // when
        let again = try TestPeer(testLog, seed: 1, home: home)
        // then
        #expect(try again.store.settings.all() == [:])
        #expect(
            try again.store.orphans.counts(in: space)
                == [OrphanCount(device: ben.device, reason: .noRight, waiting: 2, untold: 0)])
        #expect(try again.store.orphans.lastRecovery(in: space) == 0)
        // The one that was taken back goes over what took it back.
        try again.recoverFirst(in: space)
        #expect(try again.titles(space, 2) == [.text("new")])
    }

    @Test("a damaged store of format 11 is rebuilt with recovered commits and statements")
    func eleventhFormatDamaged() throws {
        let home = TestPeer.newHome()
        let before = try TestPeer(testLog, seed: 1, home: home)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try before.found()
        _ = try ben.beCutOff(from: space, of: before) {
            for number in 1...2 as ClosedRange<UInt64> {
                try ben.write([titled("new", number)], to: space)
            }
        }
        try before.recoverFirst(in: space)
        try before.store.settings.set([
            "taken.\(space)": "\(CommitID.zero) \(PersonID.zero) 1700 false",
            "taken.\(space).said": "0aff",
        ])
        try before.store.close()
        try execute(OpeningTests.sinceFormat11 + "PRAGMA user_version = 11", in: home)
        // The agent came upon something that cannot be.
        try Data([1]).write(to: URL(filePath: home + "/store.suspect"))

        let again = try TestPeer(testLog, seed: 1, home: home)

        #expect(again.store.rebuilt != nil)
        #expect(try again.store.orphans.counts(in: space).map(\.waiting) == [1])
        #expect(try again.undoRecovery(in: space)?.count == 1)
        #expect(try again.store.revocationNotices.words(of: space) == [0x0a, 0xff])
        #expect(try again.store.settings.all() == [:])
    }

    @Test("a database of another program and a file that is none are refused and stay as they are")
    func foreign() throws {
        let home = try closedStore()
        try patch(home, at: 68, with: [1, 2, 3, 4])
        try PageSeal.seal(home + "/store.sqlite")
        let before = try bytes(home)
        #expect(throws: StoreError.foreign) { try TestPeer(testLog, seed: 1, home: home) }
        #expect(try bytes(home) == before)

        let text = Data("a letter".utf8)
        try text.write(to: URL(filePath: home + "/store.sqlite"))
        #expect(throws: StoreError.foreign) { try TestPeer(testLog, seed: 1, home: home) }
        #expect(try bytes(home) == text)
    }

    @Test("a store copied elsewhere goes on in a new incarnation, once")
    func copies() throws {
        let home = try closedStore()
        let copy = TestPeer.newHome()
        try FileManager.default.copyItem(atPath: home, toPath: copy)

        let original = try TestPeer(testLog, seed: 1, home: home)
        let first = try TestPeer(testLog, seed: 1, home: copy)
        let incarnation = first.store.opening.incarnation
        #expect(original.store.opening.newBecause == nil)
        #expect(first.store.opening.newBecause == .fileReplaced)
        #expect(try first.store.incarnation() == incarnation)
    }

    @Test("a new incarnation is kept")
    func newIncarnation() throws {
        let peer = try TestPeer(testLog, seed: 1)
        var random = SeededGenerator(seed: 77)
        let before = peer.store.opening
        #expect(before.newBecause == .firstOpening)

        let fresh = try peer.store.startNewIncarnation(random: &random)

        #expect(try peer.store.incarnation() == fresh && fresh != before.incarnation)
    }

    @Test("files copied in the middle of writing open whole: a prefix of the commits, no damage")
    func crash() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        var images: [(home: String, acknowledged: UInt64)] = []
        for number in 0..<200 as Range<UInt64> {
            let outcome = try anna.write(
                (0..<20).map { titled("text \(number)", number * 20 + $0) }, to: space)
            guard number % 40 == 7 else { continue }
            let home = TestPeer.newHome()
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
            for name in ["store.sqlite", "store.sqlite-wal"] {
                try FileManager.default.copyItem(
                    atPath: anna.home + "/" + name, toPath: home + "/" + name)
            }
            if number % 80 == 7 { try tear(home + "/store.sqlite-wal", by: 5000) }
            images.append((home, outcome.watermark.sequence(of: anna.log)))
        }
        let all = try anna.commits(of: space, byteLimit: 1 << 20).map(\.id)

        var lost = 0
        for (index, image) in images.enumerated() {
            let revived = try TestPeer(testLog, seed: 1, home: image.home)
            #expect(try revived.store.integrityCheck() == [])
            let found = try revived.commits(of: space, byteLimit: 1 << 20).map(\.id)
            #expect(found == Array(all.prefix(found.count)))
            // Only what was torn off may be missing; a WAL in use again ends in stale frames.
            let missing = image.acknowledged - UInt64(found.count)
            #expect(index % 2 == 0 || missing == 0)
            lost += missing > 0 ? 1 : 0
            let states = try revived.states(space)
            try revived.store.records.rebuild(space)
            #expect(try revived.states(space) == states)
            #expect(revived.store.opening.newBecause == .fileReplaced)
        }
        #expect(lost > 0, "tearing must have an effect, or this test tells nothing")
    }

    @Test("a store whose pages have no checksums gets them, and keeps its incarnation")
    func unchecked() throws {
        // given a file as format 6 had it: without reserved bytes in its pages
        let home = try closedStore()
        try execute(OpeningTests.sinceFormat6 + "PRAGMA user_version = 6", in: home)
        let copy = home + "/copy"
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = [
            "-ec",
            """
            sqlite3 "$0" .dump | sqlite3 "$1"
            sqlite3 "$1" 'PRAGMA user_version = 6; PRAGMA application_id = 1884518766'
            cat "$1" >"$0"; rm "$1"
            """, home + "/store.sqlite", copy,
        ]
        try shell.run()
        shell.waitUntilExit()
        try #require(shell.terminationStatus == 0)
        try #require(try bytes(home)[20] == 0)
        // when
        try update(home)
        // then
        #expect(try bytes(home)[20] == 8 && bytes(home)[63] == 22)
        let sealed = try bytes(home)
        try PageSeal.seal(home + "/store.sqlite")
        #expect(try bytes(home) == sealed)
    }

    @Test(
        "on a full disk a write is undone and everything before it stays",
        .enabled(
            if: ProcessInfo.processInfo.environment["PEERSYNC_SMALL_DISK"] != nil,
            "PEERSYNC_SMALL_DISK names no directory on a small file system"))
    func diskFull() throws {
        let place = try #require(ProcessInfo.processInfo.environment["PEERSYNC_SMALL_DISK"])
        let home = place + "/" + UUID().uuidString
        let anna = try TestPeer(testLog, seed: 1, home: home)
        let space = try anna.found()
        var written: UInt64 = 0
        #expect(throws: StoreError.diskFull) {
            while written < 10_000 {
                try anna.write([titled(String(repeating: "x", count: 9000), written)], to: space)
                written += 1
            }
        }
        #expect(try anna.store.records.counts(of: space)["memory"] == Int(written))
        #expect(anna.store.writeFailure == nil)
        #expect(anna.store.ledger(of: space)?.watermark.sequence(of: anna.log) == written + 1)
        #expect(try anna.store.integrityCheck() == [])
    }

    private func closedStore(records: UInt64 = 1) throws -> String {
        let home = TestPeer.newHome()
        let peer = try TestPeer(testLog, seed: 1, home: home)
        let space = try peer.found()
        try peer.write((0..<records).map { titled("t", $0) }, to: space)
        try peer.store.close()
        return home
    }

    /// Opens a store of an older format, looks at it, writes to it and closes it.
    private func update(_ home: String) throws {
        let peer = try TestPeer(testLog, seed: 1, home: home)
        let space = try #require(try peer.store.spaces.all().first?.space)
        #expect(peer.store.opening.newBecause == nil)
        #expect(try peer.store.records.search("t").count == 1)
        #expect(try peer.store.integrityCheck() == [])
        #expect(try peer.store.orphans.counts(in: space).isEmpty)
        try peer.write([titled("später", 2)], to: space)
        try peer.store.close()
    }

    private func bytes(_ home: String) throws -> Data {
        try Data(contentsOf: URL(filePath: home + "/store.sqlite"))
    }

    private func patch(_ home: String, at offset: UInt64, with bytes: [UInt8]) throws {
        let file = try FileHandle(forUpdating: URL(filePath: home + "/store.sqlite"))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    private func tear(_ path: String, by count: UInt64) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.truncate(atOffset: try file.seekToEnd() - count)
        try file.close()
    }
}

/// Runs statements in a closed store's file.
func execute(_ statements: String, in home: String) throws {
    let shell = Process()
    shell.executableURL = URL(filePath: "/usr/bin/sqlite3")
    shell.arguments = ["-bail", home + "/store.sqlite", statements]
    try shell.run()
    shell.waitUntilExit()
    try #require(shell.terminationStatus == 0)
    try PageSeal.seal(home + "/store.sqlite")
}
