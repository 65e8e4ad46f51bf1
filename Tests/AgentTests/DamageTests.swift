import Device
import Foundation
import LocalAPI
import TestDevices
import Testing

@Suite("Data lost to damage")
struct DamageTests {
    /// Ann's device, with a trip. Returns the file of its database.
    private func firstLife(in folder: String) async throws -> URL {
        try await TestAgent.live(in: folder, as: "Ann") { agent in
            try IdentityStore.save(agent.node.identity, in: agent.node.store, agent.node.home)
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
        }
        return URL(filePath: folder + "/home/store.sqlite")
    }

    private func problems(_ agent: TestAgent) async throws -> [String] {
        try await agent.service.call(\.agent.status).problems.filter { $0.kind == .damaged }
            .map(\.sentence)
    }

    @Test("A loss is reported until it is dismissed, stays listed, and can be reported again")
    func changes() async throws {
        try await TestAgent.withFolder { folder in
            // given
            let store = try await firstLife(in: folder)
            let older = try Data(contentsOf: store)
            try await TestAgent.live(in: folder) { agent in
                for title in ["Duomo", "Badia"] { try await agent.add(title) }
            }
            try older.write(to: store)
            try await TestAgent.live(in: folder) { agent in
                let examined = ExaminedAgent(agent: agent)
                #expect(try await problems(agent).count == 1)
                let listed = try await agent.service.call(\.doctor.damage)
                #expect(listed.map(\.trip?.name) == ["Arezzo"])
                #expect(listed.map(\.changes) == [2])
                #expect(listed.map(\.dismissed) == [false])
                #expect(try await !examined.examine().sound)
                // when
                let dismissed = try await agent.service.call(
                    \.doctor.dismissDamage, DamageDismissal(dismissed: true))
                // then
                #expect(dismissed.map(\.dismissed) == [true])
                #expect(try await problems(agent) == [])
                let report = try await examined.examine()
                #expect(report.sound)
                let told = report.findings.filter { $0.sentence.contains("2 changes") }
                #expect(told.map(\.severity) == [.note], "\(report.findings)")
                #expect(told.first?.remedy?.contains("peersync doctor damage") == true)
                // What is written goes on.
                try await agent.add("Piazza")
            }
            try await TestAgent.live(in: folder) { agent in
                #expect(try await problems(agent) == [])
                // when
                let told = try await agent.service.call(
                    \.doctor.dismissDamage, DamageDismissal(dismissed: false))
                // then
                #expect(told.map(\.dismissed) == [false])
                #expect(try await problems(agent).count == 1)
            }
        }
    }

    @Test("A trip that was lost whole can be dismissed; own lists are started again instead")
    func trips() async throws {
        try await TestAgent.withFolder { folder in
            // given
            try FileManager.default.removeItem(at: try await firstLife(in: folder))
            let resolved = try AgentHome.resolve(option: folder + "/home", environment: [:])
            let examined = try await ExaminedAgent.examine(resolved, repair: true)
            let without = examined.findings.filter { $0.sentence.contains("lists") }
            #expect(without.map(\.severity) == [.error, .note], "\(examined.findings)")
            try await TestAgent.live(in: folder) { agent in
                let said = try await problems(agent)
                #expect(said.count == 1)
                #expect(said.first?.contains("1 trip and your own lists") == true)
                let listed = try await agent.service.call(\.doctor.damage)
                #expect(listed.count { $0.trip == nil } == 1 && listed.count == 2)
                #expect(listed.allSatisfy { $0.changes == nil && !$0.dismissed })
                #expect(listed.filter(\.isDismissible).map { $0.trip != nil } == [true])
                // when
                let dismissed = try await agent.service.call(
                    \.doctor.dismissDamage, DamageDismissal(dismissed: true))
                // then
                #expect(dismissed.allSatisfy { $0.dismissed == ($0.trip != nil) })
                let left = try await problems(agent)
                #expect(left.count == 1 && left.first?.contains("1 trip") == false, "\(left)")
                // when the lists are started again
                let report = try await ExaminedAgent(agent: agent).examine(repair: true)
                // then nobody misses what was in the old ones
                #expect(report.sound, "\(report.findings)")
                #expect(try await problems(agent) == [])
                let still = try await agent.service.call(\.doctor.damage)
                #expect(still.map(\.dismissed) == [true])
                // when the trip is left, by the name that it has without its offer
                let name = try #require(still.first?.trip?.name)
                let trips = try await agent.service.call(\.trips.list)
                #expect(trips.map(\.name) == [name] && !name.isEmpty)
                _ = try await agent.service.call(\.trips.sharing.leave, id: name)
                // then
                #expect(try await agent.service.call(\.doctor.damage) == [])
                let findings = try await ExaminedAgent(agent: agent).examine().findings
                #expect(!findings.contains { $0.sentence.contains("dismissed") }, "\(findings)")
            }
        }
    }
}
