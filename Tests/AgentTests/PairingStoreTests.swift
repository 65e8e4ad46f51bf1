import Device
import LocalAPI
import Networking
import Records
import TestDevices
import Testing

@Suite("Storing what was paired")
struct PairingStoreTests {
    private static let schema = """
        schema: 1
        name: gym
        version: 1
        collections:
          exercise:
            fields:
              name: { type: text, required: true }
        """

    @Test(
        "Before a device gets another person, the trips and the spaces that it hands over are counted"
    )
    func handedOver() async throws {
        try await TestAgent.with { ann in
            // given
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            _ = try await ann.service.call(
                \.spaces.create, SpaceDraft(name: "Gym", document: Self.schema))
            // when
            let error = #expect(throws: APIError.self) {
                try PairingStore(ann.node).checkJoin(mine: true, replacePerson: false)
            }
            // then
            #expect(error?.sentence.contains("and 1 trip and 1 space of Ann would be") == true)
        }
    }

    @Test(
        "A pairing that could not be stored says why, and speaks of a full disk only where it is full"
    )
    func notStored() {
        let full = PairingSentence.notStored(because: .diskFull)
        #expect(full.sentence == "The disk is full, so the devices are not paired.")
        let broken = PairingSentence.notStored(because: .storeBroken("disk I/O error"))
        #expect(broken.sentence.hasPrefix("The devices are not paired. "))
        #expect(broken.sentence.contains("disk I/O error"))
        #expect(broken.hint == APIError.storeBroken("").hint)
        let unknown = PairingSentence.notStored(because: nil)
        #expect(![unknown, broken].contains { ($0.hint ?? "").contains("room") })
    }
}
