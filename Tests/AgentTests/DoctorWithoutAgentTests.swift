import Agent
import Device
import Foundation
import Journal
import LocalAPI
import Logging
import Records
import Store
import TestDevices
import TestKit
import Testing

@Suite("The doctor without an agent")
struct DoctorWithoutAgentTests {
    @Test(
        "a search index that SQLite cannot load is rebuilt, whatever is left of it",
        arguments: [
            "DELETE FROM search_data WHERE id > 9", "DELETE FROM search_config",
            "UPDATE search_data SET block = randomblob(40)",
        ])
    func unloadable(damage: String) async throws {
        try await ExaminedAgent.with { examined in
            let home = try await examined.closedCopy()
            try ExaminedAgent.sql(damage, home)
            try PageSeal.seal(store(home).path)
            #expect(try await ExaminedAgent.examine(home, repair: true).sound)
            try expectWell(home)
        }
    }

    @Test("it says that the clocks of other devices are not known, and why")
    func clocks() async throws {
        try await ExaminedAgent.with { examined in
            // given
            let home = try await examined.closedCopy()
            // when
            let findings = try await ExaminedAgent.examine(home).findings
            // then
            let clock = try #require(findings.first { $0.check == .clock })
            #expect(clock.sentence.contains("No agent runs here"), "\(clock.sentence)")
            #expect(clock.remedy?.contains("peersync run") == true)
        }
    }

    @Test(
        "a store with broken pages is rebuilt when it is opened, and the broken one kept",
        arguments: [
            "records", "sqlite_autoindex_records_1", "search_data",
            "records_in_conflict", "commits", "sqlite_autoindex_commits_1", "settings", "devices",
            "logs",
        ])
    func pages(table: String) async throws {
        try await ExaminedAgent.with { examined in
            // given
            let home = try await examined.closedCopy()
            try breakRoot(of: table, home)
            let before = try Data(contentsOf: store(home))
            // when
            let report = try await ExaminedAgent.examine(home)
            // then
            #expect(report.sound, "\(report.findings)")
            #expect(report.findings.contains { $0.sentence.contains("was rebuilt") })
            try expectWell(home)
            let copy = URL(fileURLWithPath: home.directory + "/store.damaged.1.sqlite")
            #expect(try Data(contentsOf: copy) == before)
        }
    }

    @Test("encrypted records are not reported as wrong while the keys cannot be read")
    func withoutKeys() async throws {
        try await ExaminedAgent.with { examined in
            // given
            _ = try await examined.agent.service.call(\.trips.encryption.encrypt, id: "Arezzo")
            let home = try await examined.closedCopy()
            try setMode(0o644, ofKeyOf: home)
            // when
            let report = try await ExaminedAgent.examine(home)
            // then only the mode of the file is reported
            let wrong = report.findings.filter { $0.severity.isTrouble }
            #expect(wrong.map(\.check) == [.permissions], "\(wrong)")
        }
    }

    @Test("encrypted records are shown again after a rebuild that could not read the keys")
    func rebuiltWithoutKeys() async throws {
        try await ExaminedAgent.with { examined in
            // given
            _ = try await examined.agent.service.call(\.trips.encryption.encrypt, id: "Arezzo")
            try await examined.agent.add("Piazza")
            let home = try await examined.closedCopy()
            try breakRoot(of: "records", home)
            try setMode(0o644, ofKeyOf: home)
            _ = try await ExaminedAgent.examine(home)
            try setMode(0o600, ofKeyOf: home)
            // when
            let runtime = try await AgentRuntime(
                home, AgentStart(isLongRunning: false), logger: Logger(label: "test"))
            // then
            let agent = TestAgent(
                runtime: runtime, handlers: LocalAgent(runtime: runtime).handlers, folder: "")
            #expect(try await agent.titles() == ["Duomo", "Piazza"])
            await runtime.close()
            let report = try await ExaminedAgent.examine(home)
            #expect(report.sound, "\(report.findings)")
        }
    }

    private func setMode(_ mode: Int, ofKeyOf home: AgentHome) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: home.keyFile)
    }

    @Test("the doctor lists what a missing store contained")
    func known() async throws {
        try await ExaminedAgent.with { examined in
            let home = try await examined.closedCopy()
            try remove(["", "-wal", "-shm"].map { store(home).path + $0 })
            let report = try await ExaminedAgent.examine(home, repair: true)
            let found = report.findings.filter { $0.check == .store && $0.severity == .error }
            #expect(
                found.map(\.sentence) == [Sentence.Damage.spaces(trips: 1, lists: true).sentence])
        }
    }

    @Test("a missing or empty store is not mistaken for a device without data")
    func gone() async throws {
        try await ExaminedAgent.with { examined in
            let home = try await examined.closedCopy()
            try remove(["", "-wal", "-shm"].map { store(home).path + $0 })
            try remove([home.directory + "/store.mark"])
            for _ in 0..<2 {
                let report = try await ExaminedAgent.examine(home, repair: true)
                let found = report.findings.filter { $0.check == .store && $0.severity == .error }
                #expect(found.map(\.sentence) == [AgentError.storeGone.sentence.sentence])
                await #expect(throws: AgentError.storeGone) {
                    try await AgentRuntime(
                        home, AgentStart(isLongRunning: false), logger: Logger(label: "test"))
                }
                // then the same with an empty file in its place
                #expect(
                    FileManager.default.createFile(
                        atPath: store(home).path, contents: nil,
                        attributes: [.posixPermissions: 0o600]))
            }
        }
    }

    private func remove(_ paths: [String]) throws {
        for path in paths where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    private func store(_ home: AgentHome) -> URL {
        URL(fileURLWithPath: home.directory + "/store.sqlite")
    }

    private func expectWell(_ home: AgentHome) throws {
        let (store, _) = try home.openStore(SchemaCache())
        #expect(try store.records.search("duomo").count == 1)
        #expect(try store.integrityCheck() == [])
        try store.close()
    }

    /// Overwrites the head of the first page of a table or an index.
    private func breakRoot(of table: String, _ home: AgentHome) throws {
        try ExaminedAgent.sql("PRAGMA wal_checkpoint(TRUNCATE)", home)
        let answer = try ExaminedAgent.ask(
            "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'; PRAGMA page_size", home)
        let numbers = answer.split(separator: "\n").compactMap { UInt64($0) }
        try #require(numbers.count == 2, "\(answer)")
        let file = try FileHandle(forWritingTo: store(home))
        try file.seek(toOffset: (numbers[0] - 1) * numbers[1])
        try file.write(contentsOf: Data(repeating: 0xFF, count: 64))
        try file.close()
    }
}
