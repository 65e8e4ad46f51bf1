import Agent
import Device
import Foundation
import Identity
import Journal
import Logging
import Records
import Store
import TestDevices
import TestKit
import Testing
import VirtualDisk
import Wire

@Suite("A home that is opened on a full disk")
struct FullDiskTests {
    private func open(_ disk: VirtualDisk) throws -> SyncStore {
        var random = SeededGenerator(seed: 1)
        return try SyncStore(
            holding: disk.place(), decoder: CommitCodec(), verifier: CommitVerifier(),
            random: &random, schemas: { _ in nil })
    }

    @Test("a store without its identity lacks room; with room it counts as gone")
    func withoutIdentity() throws {
        // given a store that cannot be brought to what was here
        let home = try AgentHome.resolve(
            option: FileManager.default.temporaryDirectory.path + "/peersync-\(UUID().uuidString)",
            environment: [:])
        let disk = VirtualDisk(seed: 1)
        try open(disk).close()
        disk.setCapacity(bytes: disk.usedBytes + (32 << 10))
        // when
        let full = try open(disk)
        // then
        #expect(full.isOpenedForReading)
        #expect(throws: StoreError.diskFull) {
            try home.requireIdentity(in: full)
        }
        try full.close()
        // when there is room
        disk.setCapacity(bytes: nil)
        let store = try open(disk)
        // then
        #expect(throws: AgentError.storeGone) {
            try home.requireIdentity(in: store)
        }
        try store.close()
    }

    @Test("files of a rebuilt store are looked for by the first agent that opens it")
    func rebuilt() async throws {
        try await ExaminedAgent.with { examined in
            // given a store that was rebuilt, and no agent after it
            examined.agent.node.store.requestRebuild()
            let home = try await examined.closedCopy()
            let (store, _) = try home.openStore(SchemaCache())
            #expect(try store.rebuilt != nil && store.rebuiltFiles.areUnnoted)
            try store.close()
            // when
            let runtime = try await AgentRuntime(
                home, AgentStart(isLongRunning: false), logger: Logger(label: "test"))
            // then
            let rebuilt = runtime.node.store
            #expect(try rebuilt.rebuilt == nil && !rebuilt.rebuiltFiles.areUnnoted)
            await runtime.close()
        }
    }
}
