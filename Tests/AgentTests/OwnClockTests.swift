import Device
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("The clock that a device starts with")
struct OwnClockTests {
    @Test("Commits of this device that an admin dated far ahead do not take later ones with them")
    func redatedAhead() async throws {
        try await TestAgent.with("Ben") { ben in
            try await TestAgent.withFolder { folder in
                // given a last change that counts as written as late as can be said
                try await TestAgent.live(in: folder, as: "Ann") { ann in
                    let trip = try await ann.service.call(
                        \.trips.create, TripDraft(name: "Arezzo"))
                    let space = try #require(
                        bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
                    try ann.meet(ben)
                    _ = try await ann.service.call(
                        \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .admin)
                    )
                    try await ann.add("Duomo")
                    try ben.receive(space, from: ann)
                    let now = ann.node.clock.wall.value
                    try await ben.node.redate(
                        Redating(
                            device: ann.node.identity.deviceID, span: now - 60_000...now + 60_000,
                            offsetMilliseconds: .max), in: space)
                    try ann.receive(space, from: ben)
                }
                try await TestAgent.live(in: folder) { ann in
                    let wall = ann.node.clock.wall.value
                    #expect(
                        try ann.node.store.log.latestClock(of: ann.node.identity.deviceID)
                            .milliseconds > wall + Limits.clockLeadMilliseconds)
                    // when
                    let clock = try DeviceClock(
                        of: ann.node.identity.deviceID, in: ann.node.store
                    ) { Milliseconds(wall) }
                    // then
                    // One more, as the counter of a clock that was settled is at its end.
                    #expect(clock.tick().milliseconds <= wall + Limits.clockLeadMilliseconds + 1)
                }
            }
        }
    }
}
