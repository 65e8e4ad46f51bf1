import Agent
import Device
import LocalAPI
import Node
import Records
import SyncCore
import TestDevices
import Testing

@Suite("A wrong clock of this device")
struct WrongClockTests {
    @Test("A trip says nothing of changes ahead while the own clock differs from all others")
    func list() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            try await TestAgent.with("Cleo") { cleo in
                // given changes that are three days ahead of Ann's clock
                let threeDays: Int64 = 259_200_000
                try ann.meet(cleo)
                let now = ann.node.clock.wall.value
                try await ann.node.redate(
                    Redating(
                        device: ann.node.identity.deviceID, span: now - 60_000...now + 60_000,
                        offsetMilliseconds: threeDays), in: space)
                func problems() async throws -> [ProblemView.Kind] {
                    try await ann.service.call(\.trips.show, id: "Arezzo").problems.map(\.kind)
                }
                #expect(try await problems().contains(.changesAhead))
                // when both others agree that it is her clock
                try ann.greet(ben, clockSkew: threeDays)
                try ann.greet(cleo, clockSkew: threeDays + 1_000)
                // then
                #expect(try await !problems().contains(.changesAhead))
                let status = try await ann.service.call(\.agent.status)
                let own = try #require(status.problems.first { $0.kind == .clockHere })
                #expect(own.remedy?.hasPrefix("The others agree, so this one is wrong: ") == true)
                #expect(!status.problems.contains { $0.kind == .changesAhead })
            }
        }
    }

    @Test("Of two clocks that differ, neither is called the wrong one")
    func two() async throws {
        try await TestAgent.shared(.editor) { ann, ben, _ in
            // when
            let problem = StatusWords(ann.node).view(
                of: .clockThere(ben.node.identity.deviceID, 7_200))
            // then
            #expect(problem.sentence.contains("is 2 hours ahead of this one's"))
            #expect(problem.remedy?.hasPrefix("One of the two is wrong. ") == true)
        }
    }

    @Test("A remedy tells devices of one name apart by their people, and commands find them")
    func namesakes() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            // given: Ann's and Ben's devices are both called laptop, and Ben's clock was three days ahead
            let device = ben.node.identity.deviceID
            let facts = AheadFacts(device, count: 1, seconds: 259_200, isRedatable: true)
            // when
            let problem = StatusWords(ann.node).view(of: .changesAhead(facts))
            // then
            let typed = "laptop (Ben)"
            #expect(problem.sentence.contains(" of \(Sentence.plain(typed)) is dated "))
            #expect(problem.remedy?.contains("redate \(Sentence.quoted(typed))") == true)
            let known = [ann.node.identity.deviceID, device]
            #expect(try Lookup.device(typed, among: known, of: ann.node) { $0 } == device)
            let unclear = #expect(throws: APIError.self) {
                try Lookup.device("laptop", among: known, of: ann.node) { $0 }
            }
            #expect(unclear?.candidates.map(\.name) == ["laptop (Ann)", "laptop (Ben)"])
            #expect(unclear?.candidates.contains { $0.shortID.hasSuffix("-") } == false)
            let revoked = try await ann.service.call(
                \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: typed, preview: true))
            #expect(revoked.devices.map(\.id) == [ann.node.reference(device).id])
        }
    }
}
