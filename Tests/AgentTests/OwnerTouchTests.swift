import Agent
import Device
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Parts that are written while somebody deletes what they belong to")
struct OwnerTouchTests {
    /// How a memory goes away.
    enum Way: CaseIterable {
        case deleted, moved, merged
    }

    /// The write to a part of it meanwhile.
    enum Work: CaseIterable {
        case photo, track, caption
    }

    private let track = """
        <gpx version="1.1"><trk><trkseg><trkpt lat="43.46" lon="11.88"/></trkseg></trk></gpx>
        """

    /// Ann's trip with Ben has the memories Duomo, with a photo, and Tower; Ben has another trip.
    private func shared(
        _ role: LocalAPI.Role = .editor,
        _ body: (_ ann: TestAgent, _ ben: TestAgent, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await TestAgent.shared(role) { ann, ben, space in
            try await addPhoto("old.bin", ann)
            try await ann.add("Tower")
            try ben.receive(space, from: ann)
            try ben.receiveFiles(of: space, from: ann)
            _ = try await ben.service.call(\.trips.create, TripDraft(name: "Sydney"))
            try await body(ann, ben, space)
        }
    }

    private func exchange(_ space: SpaceID, _ ann: TestAgent, _ ben: TestAgent) throws {
        try ann.receive(space, from: ben)
        try ben.receive(space, from: ann)
    }

    private func edit(
        _ agent: TestAgent, _ change: (inout MemoryChanges) throws -> Void
    ) async throws {
        var changes = MemoryChanges()
        try change(&changes)
        _ = try await agent.service.call(\.memories.edit, id: "Duomo", changes)
    }

    private func addPhoto(_ name: String, _ agent: TestAgent) async throws {
        try await edit(agent) { $0.addPhotoPaths = [try agent.file(name, "bytes of \(name)")] }
    }

    private func carryOut(_ work: Work, _ agent: TestAgent) async throws {
        switch work {
        case .photo: try await addPhoto("new.bin", agent)
        case .track:
            try await edit(agent) { $0.trackPath = try agent.file("walk.gpx", track) }
        case .caption:
            _ = try await agent.service.call(
                \.media.edit, id: "old.bin", MediaChanges(caption: "At noon"))
        }
    }

    private func end(_ way: Way, _ agent: TestAgent) async throws {
        switch way {
        case .deleted: _ = try await agent.service.call(\.memories.delete, id: "Duomo")
        case .moved:
            _ = try await agent.service.call(
                \.memories.move, MoveDraft(memories: ["Duomo"], to: "Sydney", from: "Arezzo"))
        case .merged:
            _ = try await agent.service.call(
                \.memories.merge, MemoryMergeDraft(memories: ["Duomo"], into: "Tower"))
        }
    }

    private func open(_ agent: TestAgent) async throws -> [ConflictView] {
        try await agent.service.call(\.conflicts.list, ScopeFilter())
    }

    private func duomo(_ agent: TestAgent, _ space: SpaceID) throws -> RecordState {
        let all = try agent.node.store.records.list(
            of: space, in: "memory", includeDeleted: true)
        return try #require(
            all.map(\.state).first {
                $0.fields["title"]?.latest?.value == .text("Duomo")
            })
    }

    @Test(
        "A write to a part while its memory goes away is a conflict, on every device",
        arguments: Way.allCases, Work.allCases)
    func conflict(_ way: Way, _ work: Work) async throws {
        try await shared { ann, ben, space in
            // given
            try await carryOut(work, ann)
            try await end(way, ben)
            // when
            try exchange(space, ann, ben)
            // then
            let conflicts = try await open(ann)
            #expect(conflicts.map(\.rule) == [.deletion])
            #expect(try await open(ben).map(\.id) == conflicts.map(\.id))
            let conflict = try #require(conflicts.first)
            #expect(conflict.record.name == "Duomo" && conflict.field == nil)
            #expect(conflict.values.map(\.field) == [nil, nil])
            #expect(conflict.values.map(\.isShown) == [true, false])
            #expect(conflict.values.map(\.author.name) == ["Ben", "Ann"])
            let words =
                switch work {
                case .photo: "added the file “new.bin”"
                case .track: "added the track “walk.gpx”"
                case .caption where way == .merged: "changed something that belongs to it"
                case .caption: "changed caption of the file “old.bin”"
                }
            #expect(conflict.values.map(\.text) == ["deleted", words])
            for agent in [ann, ben] {
                var filter = MemoryFilter()
                filter.trip = "Arezzo"
                let shown = try await agent.service.call(\.memories.list, filter).map(\.title)
                #expect(shown == ["Tower"])
                let texts = try await open(agent).flatMap(\.values).map(\.text)
                #expect(texts == conflict.values.map(\.text))
            }
        }
    }

    @Test(
        "One decision brings the memory back with the photo, or leaves it deleted",
        arguments: [1, 2])
    func decided(number: Int) async throws {
        try await shared { ann, ben, space in
            // given
            try await addPhoto("new.bin", ann)
            try await end(.deleted, ben)
            try exchange(space, ann, ben)
            let conflict = try #require(try await open(ben).first)
            // when
            _ = try await ben.service.call(
                \.conflicts.resolve, id: conflict.id, ConflictDecision(take: number))
            try exchange(space, ann, ben)
            // then
            for agent in [ann, ben] {
                #expect(try await open(agent).isEmpty)
                let files = try await agent.media().map(\.fileName)
                #expect(files == (number == 1 ? [] : ["old.bin", "new.bin"]))
            }
        }
    }

    @Test("All parts that a deletion had not seen are told, also those of earlier commits")
    func several() async throws {
        try await shared { ann, ben, space in
            // given
            for name in ["one.bin", "two.bin"] { try await addPhoto(name, ann) }
            try await end(.deleted, ben)
            // when
            try exchange(space, ann, ben)
            // then
            let texts = try await open(ben).flatMap(\.values).map(\.text)
            #expect(texts.count == 2)
            #expect(texts.last?.hasPrefix("added 2 files") == true)
            for name in ["one.bin", "two.bin"] { #expect(texts.last?.contains(name) == true) }
        }
    }

    @Test("A deletion that had seen the photo is no conflict, nor is one of a photo beside it")
    func seen() async throws {
        try await shared { ann, ben, space in
            // given
            try await addPhoto("new.bin", ann)
            try exchange(space, ann, ben)
            try await edit(ann) { $0.removeMedia = ["new.bin"] }
            // when
            try await end(.deleted, ben)
            try exchange(space, ann, ben)
            // then
            for agent in [ann, ben] { #expect(try await open(agent).isEmpty) }
        }
    }

    @Test("Photos that come to a memory by a merge are a conflict with its deletion")
    func mergedInto() async throws {
        try await shared { ann, ben, space in
            // given
            _ = try await ann.service.call(
                \.memories.merge, MemoryMergeDraft(memories: ["Duomo"], into: "Tower"))
            _ = try await ben.service.call(\.memories.delete, id: "Tower")
            // when
            try exchange(space, ann, ben)
            // then
            let conflicts = try await open(ben)
            #expect(conflicts.map(\.record.name) == ["Tower"])
            #expect(
                conflicts.flatMap(\.values).map(\.text) == ["deleted", "added the file “old.bin”"])
        }
    }

    @Test("A touch is no change of the memory: not of its author and time, its history or the log")
    func unsaid() async throws {
        try await shared { ann, ben, space in
            // given
            let before = try await ann.service.call(\.memories.show, id: "Duomo")
            let scope = WhyScope(space: nil)
            let history = try await ann.service.call(\.records.history, id: "Duomo", scope)
            let said = try duomo(ann, space).statements
            // when
            try await addPhoto("new.bin", ben)
            try exchange(space, ann, ben)
            // then
            let after = try await ann.service.call(\.memories.show, id: "Duomo")
            #expect(after.media.count == 2 && after.author == before.author)
            #expect(after.changed == before.changed && after.seen == before.seen)
            #expect(
                try await ann.service.call(\.records.history, id: "Duomo", scope).changes
                    == history.changes)
            #expect(Set(try duomo(ann, space).statements) == Set(said))
            #expect(try duomo(ann, space).touches.count == 1)
            let log = try await ann.service.call(\.changes.list, ChangeFilter())
            let last = try #require(log.entries.first { $0.author.name == "Ben" })
            #expect(
                Sentence.Changes.text(last.changes)
                    == "added the file “new.bin” to the memory “Duomo”")
        }
    }

    @Test("Undoing the addition of a photo removes it, and leaves the memory alone")
    func undone() async throws {
        try await shared { ann, ben, space in
            // given
            try await addPhoto("bens.bin", ben)
            try ann.receive(space, from: ben)
            try await addPhoto("new.bin", ann)
            // when
            let done = try await undo(ann)
            // then
            #expect(done.records.map(\.kind) == [.removed] && done.kept.isEmpty)
            #expect(try await ann.media().map(\.fileName).sorted() == ["bens.bin", "old.bin"])
            try await redo(ann)
            #expect(try await ann.media().count == 3)
            #expect(try await ann.titles() == ["Duomo", "Tower"])
        }
    }

    @Test("A photo that was added and removed again does not keep a memory from being undone")
    func undoneMaking() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            try await addPhoto("bens.bin", ben)
            try await edit(ben) { $0.removeMedia = ["bens.bin"] }
            try ann.receive(space, from: ben)
            let history = try await ann.service.call(
                \.records.history, id: "Duomo", WhyScope(space: nil))
            let made = try #require(history.changes.first)
            // when
            let done = try await undo(ann) { $0.commit = made.id }
            // then
            #expect(done.records.map(\.kind) == [.removed] && done.kept.isEmpty)
        }
    }

    @Test("A photo that an undo brings back is a conflict with a deletion of its memory")
    func broughtBack() async throws {
        try await shared { ann, ben, space in
            // given
            try await edit(ann) { $0.removeMedia = ["old.bin"] }
            try exchange(space, ann, ben)
            try await undo(ann)
            try await end(.deleted, ben)
            // when
            try exchange(space, ann, ben)
            // then
            #expect(try await open(ben).map(\.rule) == [.deletion])
        }
    }

    // MARK: Records of other schemas

    private static let schema = """
        schema: 1
        name: plans
        version: 1
        collections:
          plan:
            fields:
              name: { type: text, required: true }
          step:
            fields:
              plan: { type: reference, to: plan, on_delete: cascade, required: true }
              name: { type: text, required: true }
          note:
            fields:
              step: { type: reference, to: step, on_delete: cascade, required: true }
              text: { type: text }
        """

    /// The touches of each record of a collection, by name.
    private func touches(
        _ collection: String, _ agent: TestAgent, _ space: SpaceID
    ) throws -> [Value: Int] {
        let all = try agent.node.store.records.list(of: space, in: collection, includeDeleted: true)
        return Dictionary(
            uniqueKeysWithValues: all.map {
                ($0.state.fields["name"]?.latest?.value ?? .null, $0.state.touches.count)
            })
    }

    @Test("A record touches what it belongs to at every level, whether it comes alone or with many")
    func levels() async throws {
        try await TestAgent.with { agent in
            // given
            let made = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Home", document: Self.schema))
            let space = try #require(SpaceID(hexadecimal: made.id))
            func add(_ collection: String, _ fields: [String: FieldValue]) async throws {
                _ = try await agent.service.call(
                    \.records.add,
                    RecordDraft(space: "Home", collection: collection, fields: fields))
            }
            func named(_ name: String) -> FieldValue { .reference(RecordReference(id: name)) }
            for plan in ["Roof", "Garden"] { try await add("plan", ["name": .text(plan)]) }
            try await add("step", ["plan": named("Roof"), "name": .text("Nail")])
            #expect(try touches("plan", agent, space) == [.text("Roof"): 1, .text("Garden"): 0])
            try await add("step", ["plan": named("Garden"), "name": .text("Dig")])
            let before = try touches("step", agent, space)
            #expect(before == [.text("Nail"): 0, .text("Dig"): 0])
            let roof = try agent.node.store.records.list(of: space, in: "plan").map(\.state)
            // when
            let report = try await agent.service.call(
                \.records.addBatch,
                RecordBatchDraft(
                    space: "Home", collection: "note",
                    records: (0..<3).map {
                        .init(fields: ["step": named("Nail"), "text": .text("\($0)")])
                    }))
            // then
            #expect(report.ids.count == 3 && report.commits == 1)
            #expect(try touches("step", agent, space) == [.text("Nail"): 1, .text("Dig"): 0])
            #expect(try touches("plan", agent, space) == [.text("Roof"): 1, .text("Garden"): 1])
            let now = try agent.node.store.records.list(of: space, in: "plan").map(\.state)
            #expect(zip(roof, now).count { $0.touches != $1.touches } == 1)
            // One undo takes all of it back.
            let done = try await undo(agent)
            #expect(done.records.count == 3 && done.kept.isEmpty)
        }
    }
}
