import Agent
import Device
import Foundation
import Identity
import Journal
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

/// One way in which a device can be damaged, and the doctor's result.
private struct Damage: CustomTestStringConvertible, Sendable {
    enum Repair {
        case atOnce, never
        /// The next opening rebuilds the store.
        case byRebuilding
        /// No other device has the file: only its place is repaired.
        case losingFile
    }

    let name: String
    let check: HealthReport.Check
    let repair: Repair
    let make: @Sendable (ExaminedAgent) throws -> Void

    init(
        _ name: String, _ check: HealthReport.Check, _ repair: Repair = .atOnce,
        _ make: @escaping @Sendable (ExaminedAgent) throws -> Void
    ) {
        self.name = name
        self.check = check
        self.repair = repair
        self.make = make
    }

    init(
        _ name: String, _ check: HealthReport.Check, _ repair: Repair = .atOnce, sql: String
    ) {
        self.init(name, check, repair) { try $0.sql(sql) }
    }

    var testDescription: String { name }
}

private let memory = "(SELECT id FROM records WHERE collection = 'memory')"

private let damages: [Damage] = [
    Damage("a byte of a photo differs", .files, .losingFile) { examined in
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: examined.file()))
        try file.write(contentsOf: Data("X".utf8))
        try file.close()
    },
    Damage("a photo is gone", .files, .losingFile) {
        try FileManager.default.removeItem(atPath: try $0.file())
    },
    Damage("a photo lost its end", .files, .losingFile) { examined in
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: examined.file()))
        try file.truncate(atOffset: 70_000)
        try file.close()
    },
    Damage(
        "a small photo differs", .files, .losingFile,
        sql: "UPDATE blobs SET content = CAST('smell' AS BLOB) WHERE content IS NOT NULL"),
    Damage("an unfinished file is left over", .files) { examined in
        let name = String(repeating: "ab", count: 32)
        let path = examined.blobs + "/partial/" + name
        #expect(FileManager.default.createFile(atPath: path, contents: Data("x".utf8)))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -200_000), .posixPermissions: 0o600],
            ofItemAtPath: path)
    },
    Damage(
        "a record's bytes are none", .shown,
        sql: "UPDATE records SET body = x'00' WHERE collection = 'memory'"),
    Damage(
        "a record is shown as deleted", .shown,
        sql: "UPDATE records SET deleted = 1 WHERE collection = 'memory'"),
    Damage(
        "another commit is said to have made a record", .shown,
        sql: "UPDATE records SET maker = 1 WHERE collection = 'memory'"),
    Damage("a record is not kept", .shown, sql: "DELETE FROM records WHERE id = \(memory)"),
    Damage(
        "a record is kept that nobody wrote", .shown,
        sql: """
            INSERT INTO records
                (space, collection, record, deleted, conflicted, searched, maker, body)
            SELECT space, collection, randomblob(16), 0, 0, 0, maker, body FROM records
            WHERE id = \(memory)
            """),
    Damage(
        "the index has words of no text", .search,
        sql: "INSERT INTO search (rowid, text) SELECT id, 'nonsense' FROM records"),
    Damage(
        "a text for searching differs", .search,
        sql: "UPDATE records SET text = 'nonsense' WHERE id = \(memory)"),
    Damage(
        "a text counts as indexed with a batch to come", .search,
        sql: "UPDATE records SET searched = 99 WHERE id = \(memory)"),
    Damage(
        "a text in the index counts as missing there", .search,
        sql: "UPDATE records SET searched = 0 WHERE id = \(memory)"),
    Damage(
        "the words for searching are gone", .search, sql: "DELETE FROM search_data WHERE id > 9"),
    Damage("a commit is not counted", .log, sql: "UPDATE commits SET effective = 0 WHERE id = 4"),
    Damage(
        "a signature differs", .log, .byRebuilding,
        sql: "UPDATE commits SET signature = randomblob(64) WHERE id = 4"),
    Damage(
        "what a commit wrote differs", .log, .byRebuilding,
        sql: "UPDATE commits SET operations = CAST(operations || 'x' AS BLOB) WHERE id = 4"),
    Damage(
        "a commit's header differs", .log, .byRebuilding,
        sql: "UPDATE commits SET header = CAST(header || 'x' AS BLOB) WHERE id = 4"),
    Damage(
        "a commit's clock is noted wrong", .log, .byRebuilding,
        sql: "UPDATE commits SET clock = clock + 1 WHERE id = 4"),
    Damage(
        "a log's end is noted wrong", .log, .byRebuilding,
        sql: "UPDATE logs SET head_sequence = head_sequence - 1"),
    Damage(
        "a commit is missing", .log, .byRebuilding,
        sql: """
            DELETE FROM blob_names WHERE commit_row = 4; DELETE FROM commits WHERE id = 4
            """),
    Damage(
        "a row refers to nothing", .database, .byRebuilding,
        sql: "INSERT INTO seen VALUES (1, 99, 1, 1)"),
    Damage("others may read the key", .permissions) {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: $0.home.keyFile)
    },
    Damage("others may write to the folder of files", .permissions) {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: $0.blobs)
    },
    Damage("a link lies in the folder", .permissions, .never) {
        try FileManager.default.createSymbolicLink(
            atPath: $0.home.directory + "/elsewhere", withDestinationPath: "/etc/passwd")
    },
]

@Suite("The doctor")
struct DoctorTests {
    @Test("an undamaged device passes every check")
    func sound() async throws {
        try await ExaminedAgent.with { examined in
            let report = try await examined.examine()
            #expect(report.sound, "\(report.findings)")
            let well = Set(report.findings.filter { $0.severity == .ok }.map(\.check))
            #expect(
                well == [
                    .permissions, .identity, .disk, .store, .database, .log, .shown, .search,
                    .relations, .files, .sync, .clock,
                ])
        }
    }

    @Test(
        "each damage is reported, left alone without a request, and repaired if that is safe",
        arguments: damages)
    private func damage(_ damage: Damage) async throws {
        try await ExaminedAgent.with { examined in
            // given
            let digest = try await examined.agent.service.call(\.trips.digest, id: "Arezzo").digest
            try damage.make(examined)
            // when only looking, then it is named, twice: looking repairs nothing
            for _ in 0..<2 {
                let report = try await examined.examine()
                let named = report.findings.filter { $0.severity.isTrouble }
                #expect(!report.sound)
                let finding = try #require(named.first { $0.check == damage.check }, "\(named)")
                #expect(finding.repairable == (damage.repair != .never), "\(finding)")
                #expect(finding.repaired == nil)
                // A space of any schema may be damaged.
                #expect(!named.contains { $0.check == .shown && $0.sentence.contains("trip") })
            }
            // when repairing
            let repaired = try await examined.examine(repair: true)
            let isSound = damage.repair != .never && damage.repair != .losingFile
            #expect(repaired.sound == isSound, "\(repaired.findings)")
            // then the report shows the state after it
            if damage.repair == .atOnce {
                let ofCheck = repaired.findings.filter { $0.check == damage.check }
                #expect(ofCheck.contains { $0.repaired != nil }, "\(ofCheck)")
                #expect(ofCheck.last?.severity == .ok && ofCheck.last?.repaired == nil)
            }
            // then it stays repaired, and the rest goes on
            switch damage.repair {
            case .never: #expect(try await !examined.examine().sound)
            case .byRebuilding:
                let (store, _) = try await examined.closedCopy().openStore(SchemaCache())
                #expect(store.rebuilt != nil && store.writeFailure == nil)
                #expect(try store.integrityCheck() == [])
                #expect(try store.examination.verifyLogs().faults == 0)
                try store.close()
            case .atOnce, .losingFile:
                let after = try await examined.examine()
                #expect(after.sound == isSound, "\(after.findings)")
                // and a file that nobody else has is lost
                #expect(
                    after.findings.contains { $0.check == .sync && $0.severity == .error }
                        == !isSound)
                #expect(examined.agent.node.store.writeFailure == nil)
                #expect(
                    try await examined.agent.service.call(\.trips.digest, id: "Arezzo").digest
                        == digest)
                _ = try await examined.agent.service.call(\.trips.create, TripDraft(name: "Siena"))
            }
        }
    }

    @Test("a damaged file is quarantined, not deleted, and its photo waits to be fetched")
    func quarantined() async throws {
        try await ExaminedAgent.with { examined in
            let path = try examined.file()
            try Data("not it".utf8).write(to: URL(fileURLWithPath: path))
            let report = try await examined.examine(repair: true)
            #expect(report.findings.contains { $0.check == .files && $0.repaired != nil })
            #expect(!FileManager.default.fileExists(atPath: path))
            let name = try #require(path.split(separator: "/").last)
            let aside = examined.blobs + "/damaged/\(name).1"
            #expect(FileManager.default.contents(atPath: aside) == Data("not it".utf8))
            let trip = try #require(
                examined.agent.node.store.ledgers.values.first { $0.role == .shared })
            let missing = try examined.agent.node.store.files.missing(of: trip.space)
            #expect(missing.map(\.blob.description) == [String(name)])
        }
    }

    @Test("a file that counts as missing and lies whole on the disk is found, and not called lost")
    func foundAgain() async throws {
        try await ExaminedAgent.with { examined in
            // given
            let files = examined.agent.node.store.files
            let name = try #require(try examined.file().split(separator: "/").last)
            let blob = try #require(bytes(hexadecimal: name).flatMap { BlobID(bytes: $0) })
            try files.markMissing([blob])
            // when
            let report = try await examined.examine()
            // then
            #expect(report.sound, "\(report.findings)")
            #expect(!report.findings.contains { $0.check == .files && $0.severity != .ok })
            #expect(try files.blob(blob)?.isPresent == true)
        }
    }

    @Test("modes are narrowed to the owner's, and only those that were wider")
    func modes() async throws {
        try await ExaminedAgent.with { examined in
            for path in [examined.home.keyFile, examined.blobs, try examined.file()] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o755], ofItemAtPath: path)
            }
            let report = try await examined.examine(repair: true)
            #expect(report.sound, "\(report.findings)")
            #expect(try examined.mode(examined.home.keyFile) == 0o600)
            #expect(try examined.mode(examined.blobs) == 0o700)
            #expect(try examined.mode(try examined.file()) == 0o600)
        }
    }

    @Test("a folder that keeps its owner out is named with its mode, and opened")
    func closedFolder() async throws {
        try await ExaminedAgent.with { examined in
            // given
            let file = try examined.file()
            for path in [file, examined.blobs] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o000], ofItemAtPath: path)
            }
            // when
            let report = try await examined.examine()
            // then
            let finding = try #require(report.findings.first { $0.check == .permissions })
            #expect(finding.sentence.contains("blobs (0000)"), "\(finding.sentence)")
            #expect(finding.repairable)
            // when
            let repaired = try await examined.examine(repair: true)
            // then
            #expect(repaired.sound, "\(repaired.findings)")
            #expect(try examined.mode(examined.blobs) == 0o700)
            #expect(try examined.mode(file) == 0o600)
        }
    }

    @Test("Every finding is in the language of the client that asks")
    func language() async throws {
        try await ExaminedAgent.with { examined in
            // when
            let english = try await examined.examine()
            let german = try await Language.$asked.withValue(.german) {
                try await examined.examine()
            }
            // then
            #expect(english.findings.map(\.check) == german.findings.map(\.check))
            for (one, other) in zip(english.findings, german.findings) {
                #expect(one.sentence != other.sentence, "\(one.check)")
            }
        }
    }

    @Test("a device whose clock is far off is reported with the remedy")
    func clock() async throws {
        try await ExaminedAgent.with { ann in
            try await TestAgent.with("Ben") { ben in
                try ann.agent.meet(ben)
                try ann.agent.greet(ben, clockSkew: -7_200_000)
                let report = try await ann.examine()
                let finding = try #require(
                    report.findings.first { $0.check == .clock && $0.severity == .warning })
                #expect(finding.sentence.contains("2 hours"), "\(finding.sentence)")
                #expect(finding.remedy != nil && !report.sound)
            }
        }
    }
}

@Suite("The diagnostics report")
struct DiagnosticsTests {
    @Test(
        "public addresses are masked, and so are host names",
        arguments: [
            ("192.168.1.5", "192.168.1.5"), ("10.1.2.3", "10.1.2.3"),
            ("fe80::1%eth0", "fe80::1%eth0"),
            ("8.8.8.8", "(public address)"), ("2a02:1::5", "(public address)"),
            ("anna-laptop.local", "(name)"), ("fd00::1", "fd00::1"),
            ("172.32.0.1", "(public address)"),
        ])
    func hosts(host: String, shown: String) {
        #expect(ReportMask.host(host) == shown)
    }

    @Test("addresses in a text are masked, times and numbers are not")
    func texts() throws {
        let mask = ReportMask(
            try AgentHome.resolve(option: "/home/anna/.local/share/peersync", environment: [:]))
        let text = """
            2026-11-21T05:43:10.123Z [2a02:1:2::5]:4827 8.8.4.4:53 10.0.0.1:1 version=0.1.0 \
            /home/anna/.local/share/peersync/store.sqlite
            """
        #expect(
            mask.text(text) == """
                2026-11-21T05:43:10.123Z [(public address)]:4827 (public address):53 10.0.0.1:1 \
                version=0.1.0 HOME/store.sqlite
                """)
    }

    @Test("it contains numbers, and no title, name or key")
    func content() async throws {
        try await ExaminedAgent.with { examined in
            let report = DiagnosticsReport(
                health: try await examined.examine(masked: true),
                diagnostics: try await examined.agent.service.call(\.doctor.diagnostics))
            #expect(report.diagnostics.counts["commits"] == 5)
            #expect(report.diagnostics.records["memory"] == 1)
            let text = String(decoding: try JSONCoding.encode(report), as: UTF8.self)
            let keys = examined.agent.node.identity.keys
            for secret in [
                "Arezzo", "Duomo", "Ann", "laptop", "large.bin", examined.home.directory,
                hexadecimal(keys.signingKey.bytes), hexadecimal(keys.signingSecret.bytes),
                hexadecimal(keys.agreementSecret.bytes),
            ] {
                #expect(!text.contains(secret), "\(secret)")
            }
        }
    }
}
