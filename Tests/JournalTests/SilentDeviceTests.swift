import Device
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("A connected device that does not answer, in lists")
struct SilentDeviceTests {
    @Test("a trip does not sync with a device that has not answered for three seconds")
    func trip() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            // given
            let (node, there) = (ann.node, ben.node.identity.deviceID)
            try received(space, by: ben, from: ann)
            try await ann.add("Torre")
            let peer = PeerInfo(
                device: there, person: ben.node.identity.person, dialed: true)
            await node.loop.submit(.sessionOpened(SessionID(1), peer))
            // when
            func state(_ silence: UInt64) async throws -> SyncState {
                node.peers.update { $0.noteSilences([there: silence]) }
                return try await ann.service.call(\.trips.list)[0].sync.state
            }
            // then
            #expect(try await state(0) == .syncing)
            #expect(try await state(Limits.silenceMilliseconds - 1) == .syncing)
            #expect(try await state(Limits.silenceMilliseconds) == .offline)
            // when it calls again
            node.peers.update { $0.opened(there, at: 0) }
            // then
            #expect(try await ann.service.call(\.trips.list)[0].sync.state == .syncing)
        }
    }

    @Test("a file does not come from a device that does not answer")
    func traffic() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            // given
            let there = ben.node.identity.deviceID
            let peer = PeerInfo(
                device: there, person: ben.node.identity.person, dialed: true)
            await ann.node.loop.submit(.sessionOpened(SessionID(1), peer))
            let blob = BlobID(sha256([9]))
            try received(space, by: ben, from: ann)
            #expect(try ann.node.sync.state(of: space).fate(of: blob) == .soon)
            // when
            ann.node.peers.update { $0.noteSilences([there: 60_000]) }
            // then
            #expect(try ann.node.sync.state(of: space).fate(of: blob) == .away)
        }
    }

    /// Ben has all that Ann has now, and has told her.
    private func received(_ space: SpaceID, by ben: OfflineDevice, from ann: OfflineDevice) throws {
        try ben.receive(space, from: ann)
        try ann.receiveAck(of: space, from: ben)
    }
}
