import Agent
import Device
import Foundation
import Identity
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing
import Wire

@Suite("A device whose store was restored from an older state")
struct RecoverServiceTests {
    /// A closed store and the files beside it.
    private struct KeptStore {
        let folder: String
        let files: [String: Data]

        init(in folder: String) throws {
            self.folder = folder
            files = try Dictionary(
                uniqueKeysWithValues: ["store.sqlite", "store.mark", "store.heads"].map { name in
                    (name, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
                })
        }

        /// Writes the bytes over the closed files, as `cp` does: the inodes stay the same.
        func putBack() throws {
            for (name, bytes) in files {
                let url = URL(fileURLWithPath: folder + "/" + name)
                let file = try FileHandle(forWritingTo: url)
                try file.truncate(atOffset: 0)
                try file.write(contentsOf: bytes)
                try file.close()
            }
        }
    }

    /// A closed agent keeps its lock until its process ends; in these tests it does not end.
    private func unlock(_ folder: String) throws {
        try FileManager.default.removeItem(atPath: folder + "/home/lock")
    }

    /// Ann's device continues in two lives after `Duomo`; Ben hears of both.
    private func lived(
        bens role: LocalAPI.Role = .editor,
        _ body: (_ ann: TestAgent, _ ben: TestAgent, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await TestAgent.withFolder { folder in
            try await TestAgent.with("Ben") { ben in
                let space = try await begin(in: folder, bens: role, ben)
                let kept = try KeptStore(in: folder + "/home")
                try unlock(folder)
                try await TestAgent.live(in: folder) { first in
                    try await first.add("San Francesco")
                    try ben.takeAll(space, from: first)
                }
                try kept.putBack()
                try unlock(folder)
                try await TestAgent.live(in: folder) { second in
                    #expect(second.node.store.opening.newBecause == nil)
                    try await second.add("Casa Vasari")
                    try await second.add("Pieve")
                    try ben.takeAll(space, from: second)
                    try await body(second, ben, space)
                }
            }
        }
    }

    /// Ann makes a trip that Ben receives, and ends her agent.
    private func begin(
        in folder: String, bens role: LocalAPI.Role, _ ben: TestAgent
    ) async throws -> SpaceID {
        try await TestAgent.live(in: folder, as: "Ann") { ann in
            try IdentityStore.save(ann.node.identity, in: ann.node.store, ann.node.home)
            try ann.meet(ben)
            try ben.meet(ann)
            let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try await ann.add("Duomo")
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "ben", role: role))
            let space = try #require(
                bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            try ben.receive(space, from: ann)
            return space
        }
    }

    @Test("Neither life counts; both are reported with the remedy, and one command recovers them")
    func recover() async throws {
        try await lived { _, ben, _ in
            // given
            #expect(try await ben.titles() == ["Duomo"])
            #expect(try await ben.service.call(\.trips.show, id: "Arezzo").quarantined == 3)
            let before = try await ben.service.call(\.agent.status)
            #expect(before.state == .error)
            let told = before.problems.first { $0.kind == .quarantined }
            #expect(told?.count == 3)
            #expect(told?.remedy?.contains("peersync orphans recover Arezzo") == true)
            // when
            let report = try await ben.service.call(
                \.trips.recovery.recoverOrphans, RecoverRequest(trip: "Arezzo"))
            // then
            #expect(report.recovered.map(\.changes) == [3])
            #expect(report.recovered.map(\.person.name) == ["Ann"])
            #expect(report.refused == 0 && report.membershipChanges == 0)
            #expect(
                try await ben.titles() == ["Casa Vasari", "Duomo", "Pieve", "San Francesco"])
            #expect(try await ben.service.call(\.trips.show, id: "Arezzo").quarantined == 0)
            let after = try await ben.service.call(\.agent.status)
            #expect(!after.problems.contains { $0.kind == .quarantined })
            // and only once
            let again = try await ben.service.call(
                \.trips.recovery.recoverOrphans, RecoverRequest(trip: nil))
            #expect(again.recovered.isEmpty && again.refused == 0)
        }
    }

    @Test("They are listed with author, time and reason, and one undo reverts the recovery")
    func listed() async throws {
        try await lived { _, ben, _ in
            let views = try await ben.service.call(\.trips.recovery.orphans, ScopeFilter())
            #expect(views.map(\.count) == [3] && views[0].reason == .branch)
            #expect(views[0].recoverable && !views[0].dismissed && !views[0].isMine)

            _ = try await ben.service.call(\.trips.recovery.recoverOrphans, RecoverRequest())
            #expect(try await ben.titles().count == 4)
            let undone = try await ben.service.call(\.trips.recovery.undoRecovery, ScopeFilter())
            #expect(undone == RecoverUndoView(changes: 3, refused: []))
            #expect(try await ben.titles() == ["Duomo"])
            #expect(
                try await ben.service.call(\.trips.recovery.orphans, ScopeFilter()).map(\.count)
                    == [3])
        }
    }

    @Test("A recovery is one action: `undo` reverts all of it, and `redo` brings it back")
    func undone() async throws {
        try await lived { _, ben, _ in
            // given
            _ = try await ben.service.call(\.trips.recovery.recoverOrphans, RecoverRequest())
            let recovered = try await ben.titles()
            #expect(recovered.count == 4)
            // when
            let view = try await undo(ben)
            // then
            #expect(view.commits == 3)
            #expect(try await ben.titles() == ["Duomo"])
            try await redo(ben)
            #expect(try await ben.titles() == recovered)
        }
    }

    @Test("Dismissed changes are no longer reported, but still counted as without effect")
    func dismissed() async throws {
        try await lived { _, ben, _ in
            let left = try await ben.service.call(\.trips.recovery.dismissOrphans, ScopeFilter())
            #expect(left.map(\.count) == [3])
            let status = try await ben.service.call(\.agent.status)
            #expect(!status.problems.contains { $0.kind == .quarantined })
            #expect(try await ben.service.call(\.trips.show, id: "Arezzo").quarantined == 3)
            let report = try await ben.service.call(
                \.trips.recovery.recoverOrphans, RecoverRequest())
            #expect(report.recovered.isEmpty)
            #expect(report.refused == 0 && report.missing.count == 0)
            let device = left[0].device.id
            let named = try await ben.service.call(
                \.trips.recovery.recoverOrphans, RecoverRequest(device: device))
            #expect(named.recovered.map(\.changes) == [3])
        }
    }

    @Test("The device itself continues in a new log, and shows changes recovered by others")
    func goesOn() async throws {
        try await lived { ann, ben, space in
            // given
            let before = try ann.node.store.incarnation()
            try ann.takeAll(space, from: ben)
            #expect(try await ann.titles() == ["Duomo"])
            // when
            try await ann.add("Fortezza")
            _ = try await ben.service.call(
                \.trips.recovery.recoverOrphans, RecoverRequest(trip: "Arezzo"))
            try ann.takeAll(space, from: ben)
            try ben.takeAll(space, from: ann)
            // then
            #expect(try ann.node.store.incarnation() != before)
            let all = ["Casa Vasari", "Duomo", "Fortezza", "Pieve", "San Francesco"]
            #expect(try await ann.titles() == all)
            #expect(try await ben.titles() == all)
            // and both are told of nothing more
            for agent in [ann, ben] {
                #expect(try await agent.service.call(\.trips.show, id: "Arezzo").quarantined == 0)
                #expect(
                    try await agent.service.call(\.trips.recovery.orphans, ScopeFilter()).isEmpty)
                let status = try await agent.service.call(\.agent.status)
                #expect(!status.problems.contains { $0.kind == .quarantined })
            }
        }
    }

    @Test("A viewer sees changes without effect, and cannot recover them")
    func viewer() async throws {
        try await lived(bens: .viewer) { _, ben, _ in
            let error = await #expect(throws: APIError.self) {
                _ = try await ben.service.call(
                    \.trips.recovery.recoverOrphans, RecoverRequest(trip: "Arezzo"))
            }
            #expect(error?.code == .notAllowed)
            let trip = try await ben.service.call(\.trips.show, id: "Arezzo")
            #expect(trip.quarantined == 3)
        }
    }
}

extension TestAgent {
    /// The messages of a session about forked logs: proofs, branches, then every commit.
    fileprivate func takeAll(_ space: SpaceID, from other: TestAgent) throws {
        let store = node.store
        for _ in 0..<2 {
            let listed = store.ledger(of: space)?.forks.points ?? []
            let forks = try other.node.store.log.forks(
                of: space, for: ForkQuestion(listed: listed), byteLimit: .max)
            for proof in forks.proofs {
                let verified = node.work.verifier.verify(proof, in: space, keys: store.keys)
                if let verified { _ = try store.log.apply(verified, to: space) }
            }
            let all = try other.node.store.log.commits(
                of: space, beyond: Watermark(), byteLimit: .max)
            try insert(forks.commits + all.commits.map(\.commit), of: space)
        }
        try store.spaces.setStanding(of: space, to: .active, now: node.clock.wall)
    }

    private func insert(_ commits: [EncodedCommit], of space: SpaceID) throws {
        let decoded = try commits.map { try CommitCodec().decode($0) }
        let verified = node.work.verifier.verify(decoded, keys: node.store.keys).commits
        _ = try node.store.log.apply(verified, to: space, now: node.clock.wall)
    }
}
