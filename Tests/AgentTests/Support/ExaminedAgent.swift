import Agent
import Device
import Doctor
import Foundation
import Identity
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

/// A device with a trip, a memory, a photo in a file and a small one in the database.
struct ExaminedAgent {
    let agent: TestAgent

    var home: AgentHome { agent.node.home }
    var blobs: String { home.blobDirectory }

    static func with(_ body: (ExaminedAgent) async throws -> Void) async throws {
        try await TestAgent.with { agent in
            try IdentityStore.save(agent.node.identity, in: agent.node.store, agent.node.home)
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            draft.tags = ["food"]
            draft.photoPaths = [
                try agent.file("large.bin", String(repeating: "large, or so. ", count: 9_000)),
                try agent.file("small.bin", "small"),
            ]
            _ = try await agent.service.call(\.memories.add, draft)
            // So that damage of the index has something to damage.
            try agent.node.store.records.remakeSearch()
            try await body(ExaminedAgent(agent: agent))
        }
    }

    func examine(repair: Bool = false, masked: Bool = false) async throws -> HealthReport {
        var view = try await agent.service.call(
            \.doctor.start, DoctorRequest(repair: repair, masked: masked))
        while view.phase == .running {
            view = try await agent.service.call(
                \.doctor.poll, RevisionPoll(knownRevision: view.revision, waitSeconds: 5))
        }
        return try #require(view.report, "\(String(describing: view.failure))")
    }

    /// Changes the database behind the agent's back.
    func sql(_ statements: String) throws { try ExaminedAgent.sql(statements, home) }

    static func sql(_ statements: String, _ home: AgentHome) throws {
        _ = try ask(statements, home)
    }

    /// The output of SQLite's shell.
    static func ask(_ statements: String, _ home: AgentHome) throws -> String {
        let (shell, output) = (Process(), Pipe())
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        // The agent may be writing at that moment.
        shell.arguments = [
            "-bail", "-cmd", ".timeout 30000", home.directory + "/store.sqlite", statements,
        ]
        shell.standardOutput = output
        try shell.run()
        let answer = try output.fileHandleForReading.readToEnd() ?? Data()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        return String(decoding: answer, as: UTF8.self)
    }

    /// The one finished file.
    func file() throws -> String {
        let files = FileManager.default.enumerator(atPath: blobs)?.allObjects as? [String]
        let name = try #require(files?.first { $0.split(separator: "/").last?.count == 64 })
        return blobs + "/" + name
    }

    func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Examines a folder in which no agent runs.
    static func examine(_ home: AgentHome, repair: Bool = false) async throws -> HealthReport {
        let doctor = StandaloneDoctor(home)
        var view = try await doctor.service.call(
            \.doctor.start, DoctorRequest(repair: repair, masked: false))
        while view.phase == .running {
            view = try await doctor.service.call(
                \.doctor.poll,
                RevisionPoll(knownRevision: view.revision, waitSeconds: 5))
        }
        try doctor.close()
        return try #require(view.report, "\(String(describing: view.failure))")
    }

    /// Closes this device and returns a copy of its folder.
    func closedCopy() async throws -> AgentHome {
        await agent.runtime.close()
        let copy = agent.folder + "/copy"
        try FileManager.default.copyItem(atPath: home.directory, toPath: copy)
        return try AgentHome.resolve(option: copy, environment: [:])
    }
}
