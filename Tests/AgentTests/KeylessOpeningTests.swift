import Agent
import Device
import Foundation
import Identity
import Journal
import LocalAPI
import Records
import Store
import TestDevices
import TestKit
import Testing

@Suite("Encrypted trips at an opening without this device's keys")
struct KeylessOpeningTests {
    /// A closed device with an encrypted trip of one memory, after these statements on its store.
    private func closed(
        after statements: String, _ body: (_ folder: String, AgentHome) async throws -> Void
    ) async throws {
        try await TestAgent.withFolder { folder in
            try await TestAgent.live(in: folder, as: "Ann") { ann in
                try IdentityStore.save(ann.node.identity, in: ann.node.store, ann.node.home)
                _ = try await ann.service.call(
                    \.trips.create, TripDraft(name: "Arezzo", encrypted: true))
                try await ann.add("Duomo")
            }
            let home = try AgentHome.resolve(option: folder + "/home", environment: [:])
            try ExaminedAgent.sql(statements, home)
            try PageSeal.seal(home.directory + "/store.sqlite")
            try await body(folder, home)
        }
    }

    /// Opens and closes the store as `doctor` does, while the keys are elsewhere.
    private func openWithoutKeys(_ home: AgentHome) throws {
        let aside = home.keyFile + ".aside"
        try FileManager.default.moveItem(atPath: home.keyFile, toPath: aside)
        let store = try home.openStore(SchemaCache()).0
        _ = try store.records.remakeOutdated()
        try store.close()
        try FileManager.default.moveItem(atPath: aside, toPath: home.keyFile)
    }

    private static let shown = "SELECT COUNT(*) FROM records WHERE deleted = 0"

    @Test("an update rebuilds what is shown once the keys are there, and nothing disappears before")
    func outdated() async throws {
        // given a store of which an update has everything shown rebuilt
        let statement = "INSERT INTO settings (key, value) VALUES ('outdated', x'01')"
        try await closed(after: statement) { folder, home in
            let before = try ExaminedAgent.ask(Self.shown, home)
            // when
            try openWithoutKeys(home)
            // then
            #expect(try ExaminedAgent.ask(Self.shown, home) == before)
            let titles = try await TestAgent.live(in: folder) { try await $0.titles() }
            #expect(titles == ["Duomo"])
            let outdated = "SELECT COUNT(*) FROM settings WHERE key = 'outdated'"
            #expect(try ExaminedAgent.ask(outdated, home) == "0\n")
        }
    }

    @Test(
        "a schema that is known now is followed once the keys are there, and nothing disappears before"
    )
    func learnedSchema() async throws {
        // given spaces whose records were made under another schema
        try await closed(after: "UPDATE spaces SET shown_schema = zeroblob(32)") { folder, home in
            let before = try ExaminedAgent.ask(Self.shown, home)
            // when
            try openWithoutKeys(home)
            // then
            #expect(try ExaminedAgent.ask(Self.shown, home) == before)
            let titles = try await TestAgent.live(in: folder) { try await $0.titles() }
            #expect(titles == ["Duomo"])
            let left = "SELECT COUNT(*) FROM spaces WHERE shown_schema = zeroblob(32)"
            #expect(try ExaminedAgent.ask(left, home) == "0\n")
        }
    }
}
