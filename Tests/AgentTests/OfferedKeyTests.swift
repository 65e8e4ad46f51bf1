import Agent
import Device
import Foundation
import Identity
import LocalAPI
import Store
import TestDevices
import Testing

@Suite("Keys from the service manager's credential store")
struct OfferedKeyTests {
    /// A device whose keys were moved to a folder of credentials, and its home as the service sees
    /// it.
    private func moved(
        _ body: (TestAgent, AgentHome, _ credential: String) async throws -> Void
    ) async throws {
        try await TestAgent.with { agent in
            let home = agent.node.home
            try IdentityStore.save(agent.node.identity, in: agent.node.store, home)
            let credentials = agent.folder + "/credentials"
            try FileManager.default.createDirectory(
                atPath: credentials, withIntermediateDirectories: false)
            let credential = credentials + "/device.key"
            try FileManager.default.moveItem(atPath: home.keyFile, toPath: credential)
            let offered = try AgentHome.resolve(
                option: home.directory, environment: ["CREDENTIALS_DIRECTORY": credentials])
            try await body(agent, offered, credential)
        }
    }

    @Test("they are used, and nothing of them is written to the home")
    func offered() async throws {
        try await moved { agent, home, _ in
            let keys = try IdentityStore.keys(in: home, of: agent.node.store)
            #expect(keys.device == agent.node.identity.deviceID)
            #expect(!FileManager.default.fileExists(atPath: home.keyFile))
        }
    }

    @Test("they are used before a file in the home, which may be an old one")
    func before() async throws {
        try await moved { agent, home, _ in
            try KeyFile.write(.generate(), to: home.keyFile)
            let keys = try IdentityStore.keys(in: home, of: agent.node.store)
            #expect(keys.device == agent.node.identity.deviceID)
        }
    }

    @Test("keys of another device are refused")
    func other() async throws {
        try await moved { agent, home, credential in
            try FileManager.default.removeItem(atPath: credential)
            try KeyFile.write(.generate(), to: credential)
            let keys = try IdentityStore.keys(in: home, of: agent.node.store)
            #expect(throws: AgentError.keysOfAnother) {
                try IdentityStore.load(keys, from: agent.node.store)
            }
        }
    }

    @Test("they are checked like the file: keys that others may read are refused")
    func open() async throws {
        try await moved { agent, home, credential in
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: credential)
            #expect(throws: KeyFileError.tooOpen(mode: 0o644)) {
                try IdentityStore.keys(in: home, of: agent.node.store)
            }
        }
    }

    @Test("a command without keys in the home reports that the service has them, if it had them")
    func command() async throws {
        try await moved { agent, home, _ in
            let (store, plain) = (agent.node.store, agent.node.home)
            #expect(throws: KeyFileError.notFound) { try IdentityStore.keys(in: plain, of: store) }
            try IdentityStore.noteOffer(in: home)
            #expect(throws: AgentError.keysWithService) {
                try IdentityStore.keys(in: plain, of: store)
            }
            // when they are back in the home
            try IdentityStore.noteOffer(in: plain)
            #expect(throws: KeyFileError.notFound) { try IdentityStore.keys(in: plain, of: store) }
        }
    }
}
