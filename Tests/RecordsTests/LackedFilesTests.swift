import Device
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("The files that a device lacks of a memory")
struct LackedFilesTests {
    @Test("A new photo is lacked alone, by a device that had the photos of before")
    func onlyNew() async throws {
        try await OfflineDevice.shared(.contributor) { ann, ben, space in
            // given
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Tower"
            draft.photoPaths = [try ann.file("a.bin", "photo a"), try ann.file("b.bin", "photo b")]
            _ = try await ann.service.call(\.memories.add, draft)
            try ben.receive(space, from: ann)
            try tell(ann, of: ben, holding: 2, in: space)
            #expect(try lacks(ann).files == 0)
            // when
            var changes = MemoryChanges()
            changes.addPhotoPaths = [try ann.file("c.bin", "photo c")]
            _ = try await ann.service.call(\.memories.edit, id: "Tower", changes)
            // then
            #expect(try lacks(ann) == WaitingCount(changes: 1, files: 1, bytes: 7))
        }
    }

    private func lacks(_ device: OfflineDevice) throws -> WaitingCount {
        let why = try WhyService(device.node, StatusFacts()).why("Tower", WhyScope())
        return try #require(why.devices.first { !$0.here }).lacks
    }

    /// One device hears of the changes that another one read, and that it has so many files.
    private func tell(
        _ device: OfflineDevice, of other: OfflineDevice, holding files: UInt64, in space: SpaceID
    ) throws {
        let said = other.node.work.perform(
            .acknowledge(space, other.node.watermark(of: space)))
        for case .ackSigned(let ack) in said?.events ?? [] {
            _ = device.node.work.perform(.verifyAck(ack, from: SessionID(1)))
        }
        let holdings = Holdings(
            space: space, device: other.node.identity.deviceID, counter: 1, held: files,
            missing: [], missingCount: 0, missingBytes: 0)
        _ = try device.node.store.statements.keep(
            SignedHoldings(
                verified: UnverifiedHoldings(holdings, bytes: [1], signature: [2])))
    }
}
