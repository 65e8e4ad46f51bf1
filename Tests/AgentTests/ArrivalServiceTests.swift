import Device
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Late changes and mass deletions of a device are reported on the others")
struct ArrivalServiceTests {
    private static let weeks: UInt64 = 21 * 86_400_000

    private func arrivals(
        _ agent: TestAgent, _ filter: ChangeFilter = ChangeFilter()
    ) async throws -> [ArrivalView] {
        try await agent.service.call(\.changes.list, filter).arrivals
    }

    /// The problem in status.
    private func told(_ agent: TestAgent) async throws -> [ProblemView] {
        try await agent.service.call(\.agent.status).problems.filter {
            [.lateChanges, .manyDeletions].contains($0.kind)
        }
    }

    private func look(_ agent: TestAgent) async throws {
        let log = try await agent.service.call(\.changes.list, ChangeFilter())
        _ = try await agent.service.call(\.changes.look, ChangeLook(trip: nil, place: log.place))
    }

    private func delete(_ agent: TestAgent, _ numbers: Range<Int>) async throws {
        for number in numbers {
            _ = try await agent.service.call(\.memories.delete, id: "Day \(number)")
        }
    }

    /// Deletes so many days, as one group of commits.
    private func delete(
        _ agent: TestAgent, _ count: Int, inGroupOf commits: Int, _ space: SpaceID
    ) async throws {
        let days = try await agent.service.call(\.memories.list, MemoryFilter()).filter {
            $0.title.hasPrefix("Day ")
        }
        let deletions = try days.prefix(count).map { day in
            let id = try #require(bytes(hexadecimal: day.id).flatMap { RecordID(bytes: $0) })
            return RecordOperation(
                collection: "memory", record: id, writes: [.deletion(true)])
        }
        let size = count / commits
        try await agent.node.write(
            (0..<commits).map {
                ChangeSet(operations: Array(deletions[$0 * size..<($0 + 1) * size]))
            }, to: space)
    }

    /// Ann's trip with forty days in it, which Ben has, too.
    private func household(
        _ body: (_ ann: TestAgent, _ ben: TestAgent, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            for number in 0..<40 { try await ann.add("Day \(number)") }
            try ben.receive(space, from: ann)
            try ann.receive(space, from: ben)
            try await look(ann)
            try await body(ann, ben, space)
        }
    }

    @Test(
        "A first sync is not reported as late, even if it is old and deletes much"
    )
    func firstSync() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            for number in 0..<25 { try await ann.add("Day \(number)") }
            try await delete(ann, 0..<25)
            try ben.receive(space, from: ann, later: Self.weeks)
            #expect(try await arrivals(ben).isEmpty)
            #expect(try await told(ben).isEmpty)
        }
    }

    @Test("Late changes are reported with their undo command until a person looks at them")
    func late() async throws {
        try await household { ann, ben, space in
            // given: only Ben is away
            try await delete(ben, 0..<3)
            try await ben.add("Ben's")
            try await ann.add("Meanwhile")
            try ann.receive(space, from: ben, later: Self.weeks)
            try await ben.add("Later")
            try ann.receive(space, from: ben, later: Self.weeks + 1_200_000)

            // when
            let arrival = try #require(try await arrivals(ann).first)

            // then
            #expect(try await arrivals(ann).count == 1)
            #expect(arrival.kind == .late && arrival.space?.name == "Arezzo")
            #expect([arrival.changes, arrival.deletions, arrival.conflicts] == [4, 3, 0])
            #expect(
                Sentence.Arrival.line(arrival)
                    == "laptop (Ben) brought 4 changes to “Arezzo”, up to 21 days old: 3 deletions."
            )
            #expect(try await told(ann).map(\.sentence) == [Sentence.Arrival.line(arrival)])
            #expect(try await told(ann).allSatisfy { !$0.urgent })
            #expect(try await arrivals(ann, ChangeFilter(since: arrival.received)).count == 1)
            try await look(ann)
            #expect(try await told(ann).isEmpty)
            #expect(try await arrivals(ann).isEmpty)

            let undone = try await ann.service.call(\.changes.undo, arrival.undo)
            #expect(undone.commits == 4)
            let titles = try await ann.titles()
            #expect(titles.contains("Day 0") && titles.contains("Later"))
            #expect(!titles.contains("Ben's"))
            // No notice is left here.
            #expect(try await arrivals(ann, ChangeFilter(since: arrival.received)).isEmpty)
        }
    }

    @Test("A device that was off itself only lists the changes of the others")
    func ownAbsence() async throws {
        try await household { ann, ben, space in
            try await delete(ben, 0..<3)
            try ann.receive(space, from: ben, later: Self.weeks)
            #expect(try await arrivals(ann).isEmpty)
            #expect(try await told(ann).isEmpty)
        }
    }

    @Test("A conflict is counted until somebody decides it")
    func conflicts() async throws {
        try await household { ann, ben, space in
            for (agent, title) in [(ben, "Ben's"), (ann, "Ann's")] {
                var changes = MemoryChanges()
                changes.title = title
                _ = try await agent.service.call(\.memories.edit, id: "Day 0", changes)
            }
            try ann.receive(space, from: ben, later: Self.weeks)
            #expect(try await arrivals(ann).map(\.conflicts) == [1])
            let conflict = try #require(
                try await ann.service.call(\.conflicts.list, ScopeFilter()).first)
            _ = try await ann.service.call(
                \.conflicts.resolve, id: conflict.id, ConflictDecision(take: 1))
            #expect(try await arrivals(ann).isEmpty)
        }
    }

    @Test("Twenty deletions at once are reported, however new, with the command that restores them")
    func deletions() async throws {
        try await household { ann, ben, space in
            try await delete(ben, 0..<19)
            try ann.receive(space, from: ben)
            #expect(try await arrivals(ann).isEmpty)
            try await delete(ben, 19..<25)
            try await ben.add("Ben's")
            try ann.receive(space, from: ben)
            let arrival = try #require(try await arrivals(ann).first)
            #expect(arrival.kind == .deletions && arrival.deletions == 25)
            #expect(try await told(ann).map(\.kind) == [.manyDeletions])
            #expect(
                Sentence.Arrival.line(arrival) == "laptop (Ben) deleted 25 records in “Arezzo”.")
            #expect(try await arrivals(ben).isEmpty)

            let undone = try await ann.service.call(\.changes.undo, arrival.undo)
            #expect(undone.recordCount == 25)
            #expect(try await ann.titles().count == 42)
            try ben.receive(space, from: ann)
            #expect(try await ben.titles() == ann.titles())
            // Restoring deletes nothing.
            #expect(try await arrivals(ben).isEmpty)
        }
    }

    @Test("The undo command tells two devices of one name apart")
    func names() async throws {
        try await household { ann, ben, space in
            try await delete(ben, 0..<20)
            try ann.receive(space, from: ben)
            let arrival = try #require(try await arrivals(ann).first)
            // Both are called laptop.
            #expect(arrival.undo.device == arrival.device.shortID)
            #expect(arrival.undo.space == "Arezzo")
        }
    }

    @Test("All of a group that came in two parts is counted and undone, once it is whole")
    func group() async throws {
        try await household { ann, ben, space in
            // given: Ben deletes thirty days in three commits, of which one comes first
            try await delete(ben, 30, inGroupOf: 3, space)
            try await ann.add("Meanwhile")
            try ann.receive(space, from: ben, later: Self.weeks, limit: 1)
            #expect(try await arrivals(ann).isEmpty)
            try await look(ann)

            // when
            try ann.receive(space, from: ben, later: Self.weeks + 3_600_000)

            // then
            let arrival = try #require(try await arrivals(ann).first)
            #expect([arrival.changes, arrival.deletions] == [3, 30])
            #expect(try await told(ann).count == 1)
            let undone = try await ann.service.call(\.changes.undo, arrival.undo)
            #expect(undone.commits == 3 && undone.recordCount == 30)
            #expect(try await ann.titles().count == 42)
        }
    }

    @Test("Parts of a group that came earlier count for the limit of an undo")
    func groupTooLarge() async throws {
        try await household { ann, ben, space in
            // given: more came between than is read at once
            try await delete(ben, 30, inGroupOf: 3, space)
            try ann.receive(space, from: ben, later: Self.weeks, limit: 1)
            for number in 0..<32 { try await ann.add("Meanwhile \(number)") }
            try ann.receive(space, from: ben, later: Self.weeks + 3_600_000)
            var draft = try #require(try await arrivals(ann).first).undo
            draft.preview = true
            // when
            let fits = try await UndoService(ann.node, limit: 3).undo(draft)
            // then
            #expect(fits.commits == 3)
            await #expect {
                try await UndoService(ann.node, limit: 2).undo(draft)
            } throws: {
                ($0 as? APIError)?.code == .tooLarge
            }
        }
    }

    @Test("Changes since a time are also those that came before it, of a group that was whole then")
    func groupSince() async throws {
        try await household { ann, ben, space in
            // given
            try await delete(ben, 30, inGroupOf: 3, space)
            try ann.receive(space, from: ben, limit: 1)
            for number in 0..<20 { try await ann.add("Later \(number)") }
            let since = Moment(
                milliseconds: Int64(ann.node.clock.wall.value + Self.weeks - 3_600_000))
            // when
            try ann.receive(space, from: ben, later: Self.weeks)
            // then
            let log = try await ann.service.call(\.changes.list, ChangeFilter(since: since))
            #expect(log.entries.count == 3)
            #expect(log.entries.allSatisfy { $0.received.milliseconds >= since.milliseconds })
        }
    }

    @Test("Deletions of a group that came in two parts are counted together")
    func deletionsOfGroup() async throws {
        try await household { ann, ben, space in
            // given
            try await delete(ben, 24, inGroupOf: 2, space)
            try ann.receive(space, from: ben, limit: 1)
            // when
            try ann.receive(space, from: ben, later: 3_600_000)
            // then
            #expect(try await arrivals(ann).map(\.deletions) == [24])
        }
    }

    /// Ann undoes all that Ben's device wrote since a time, or only its deletions.
    private func undo(
        _ agent: TestAgent, since: Moment, of ben: TestAgent, deletions: Bool = false
    ) async throws {
        var draft = UndoDraft()
        (draft.since, draft.deletions) = (since, deletions)
        draft.device = agent.node.reference(ben.node.identity.deviceID).id
        _ = try await agent.service.call(\.changes.undo, draft)
    }

    @Test(
        "Changes written before an undo of their device are offered when they arrive after it, however few and new"
    )
    func afterUndo() async throws {
        try await household { ann, ben, space in
            // given: one of Ben's changes comes only after the undo
            let since = Moment(ann.node.clock.wall)
            try await ben.add("First")
            try ann.receive(space, from: ben)
            try await look(ann)
            try await ben.add("Second")
            try await undo(ann, since: since, of: ben)
            #expect(try await arrivals(ann).isEmpty)
            // when
            try ann.receive(space, from: ben, later: 3_600_000)
            // then
            let arrival = try #require(try await arrivals(ann).first)
            #expect(arrival.kind == .afterUndo && arrival.changes == 1)
            let line =
                "laptop (Ben) brought 1 change to “Arezzo”, written before you undid its changes."
            #expect(Sentence.Arrival.line(arrival) == line)
            #expect(try await told(ann).map(\.kind) == [.lateChanges])
            #expect(try await told(ann).map(\.sentence) == [line])
            // It is merged as always, and the offered command undoes it.
            #expect(try await ann.titles().contains("Second"))
            let undone = try await ann.service.call(\.changes.undo, arrival.undo)
            #expect(undone.commits == 1)
            #expect(try await !ann.titles().contains("Second"))
            #expect(try await arrivals(ann).isEmpty)
        }
    }

    @Test(
        "Changes written after an undo are not offered, nor those that arrive once it was reverted")
    func notOffered() async throws {
        try await household { ann, ben, space in
            // given
            let since = Moment(ann.node.clock.wall)
            try await ben.add("First")
            try ann.receive(space, from: ben)
            try await look(ann)
            try await undo(ann, since: since, of: ben)
            // when
            try ben.receive(space, from: ann)
            try await ben.add("Later")
            try ann.receive(space, from: ben)
            // then
            #expect(try await arrivals(ann).isEmpty)

            // given
            try await ben.add("Second")
            try await undo(ann, since: since, of: ben)
            _ = try await ann.service.call(\.changes.redo, UndoDraft())
            // when
            try ann.receive(space, from: ben)
            // then
            #expect(try await arrivals(ann).isEmpty)
        }
    }

    @Test("After an undo of deletions, one deletion that comes later is offered")
    func afterUndoOfDeletions() async throws {
        try await household { ann, ben, space in
            // given
            let since = Moment(ann.node.clock.wall)
            try await delete(ben, 0..<2)
            try ann.receive(space, from: ben)
            try await look(ann)
            try await delete(ben, 2..<3)
            try await ben.add("Second")
            try await undo(ann, since: since, of: ben, deletions: true)
            // when
            try ann.receive(space, from: ben, later: 3_600_000)
            // then
            let arrival = try #require(try await arrivals(ann).first)
            #expect(try await arrivals(ann).count == 1)
            #expect(arrival.kind == .deletions && arrival.deletions == 1)
            _ = try await ann.service.call(\.changes.undo, arrival.undo)
            let titles = try await ann.titles()
            #expect(titles.contains("Day 2") && titles.contains("Second"))
        }
    }
}
