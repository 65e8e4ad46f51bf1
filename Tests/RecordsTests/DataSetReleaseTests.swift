import Device
import Foundation
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import TestKit
import Testing

@Suite("Values shipped by the versions of a data set")
struct DataSetReleaseTests {
    private static let schema = """
        schema: 1
        name: gym
        version: 1
        collections:
          exercise:
            fields:
              name: { type: text, required: true }
              note: { type: text }
              tips: { type: set, of: { type: text } }
        """
    private static let file = "dataset.released.csv"

    /// Folders with the versions of one set, beside each other.
    private struct Versions {
        let agent: OfflineDevice

        func path(_ version: Int) -> String { agent.folder + "/sets/\(version)" }

        func write(_ text: String, to name: String, _ version: Int) throws {
            try FileManager.default.createDirectory(
                atPath: path(version), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path(version) + "/" + name))
        }

        func make(_ version: Int, _ rows: [String]) throws {
            try write(
                """
                dataset: 1
                name: exercises
                schema: gym
                reference:
                  version: \(version)
                  collections:
                    exercise: { file: exercises.csv, key: code }
                """, to: "dataset.yaml", version)
            try write(
                "code,name,note,tips\n" + rows.map { $0 + "\n" }.joined(), to: "exercises.csv",
                version)
            try write(DataSetReleaseTests.schema, to: "gym.yaml", version)
        }

        func released(_ version: Int) throws -> String {
            let path = path(version) + "/" + DataSetReleaseTests.file
            return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        }

        @discardableResult
        func release(_ version: Int, after earlier: [Int] = []) async throws -> DataSetRelease {
            try await agent.service.call(
                \.schemas.releaseSet,
                DataSetReleaseDraft(path: path(version), earlier: earlier.map(path)))
        }

        /// Each version with the values that it and earlier ones shipped.
        func releaseAll(_ versions: ClosedRange<Int>) async throws {
            for version in versions {
                try await release(
                    version, after: version == versions.lowerBound ? [] : [version - 1])
            }
        }

        func check(_ version: Int) async throws -> DataSetCheck {
            try await agent.service.call(
                \.schemas.checkSet, DataSetSource(path: path(version)))
        }

        @discardableResult
        func apply(_ version: Int, on other: OfflineDevice? = nil) async throws
            -> DataSetReport.Level
        {
            try #require(
                try await (other ?? agent).service.call(
                    \.schemas.applySet, DataSetDraft(path: path(version), space: "Gym")
                ).levels.first)
        }
    }

    private func withGym(_ body: (OfflineDevice, Versions) async throws -> Void) async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Gym", document: Self.schema))
            let versions = Versions(agent: agent)
            try versions.make(1, ["sq,Squat,Legs,deep|slow", "be,Bench,Chest,"])
            try versions.make(2, ["sq,Deep squat,Thighs,slow", "be,Bench,Torso,"])
            try versions.make(3, ["sq,Full squat,Quads,slow", "be,Bench,Pecs,"])
            try await body(agent, versions)
        }
    }

    private func add(_ agent: OfflineDevice, _ name: String, note: String) async throws {
        _ = try await agent.service.call(
            \.records.add,
            RecordDraft(
                space: "Gym", collection: "exercise",
                fields: ["name": .text(name), "note": .text(note)]))
    }

    private func set(_ agent: OfflineDevice, _ record: String, note: String) async throws {
        var changes = RecordChanges(space: "Gym", collection: "exercise")
        changes.fields = ["note": .text(note)]
        _ = try await agent.service.call(\.records.change, id: record, changes)
    }

    private func list(_ agent: OfflineDevice) async throws -> [RecordView] {
        try await agent.service.call(
            \.records.list, RecordFilter(space: "Gym", collection: "exercise")
        ).records
    }

    /// The name and note of each exercise.
    private func shown(_ agent: OfflineDevice) async throws -> [String: String] {
        let pairs = try await list(agent).map { ($0.name, note($0)) }
        return Dictionary(pairs) { "\($0), \($1)" }
    }

    private func note(_ record: RecordView) -> String {
        guard case .text(let text)? = record.fields["note"] else { return "" }
        return text
    }

    private func counts(_ level: DataSetReport.Level) -> [DataSetReport.Kind: Int] {
        Dictionary(level.counts.map { ($0.kind, $0.count) }, uniquingKeysWith: +)
    }

    // MARK: Releasing

    @Test("releasing writes the same file in any order of versions, and once")
    func releases() async throws {
        try await withGym { _, versions in
            let first = try await versions.release(1)
            #expect(first.levels.map(\.added) == [6] && first.levels.map(\.released) == [[1]])
            try await versions.release(2, after: [1])
            let third = try await versions.release(3, after: [2])
            #expect(third.levels.map(\.added) == [12] && third.levels.map(\.values) == [12])
            let text = try versions.released(3)
            #expect(text.hasPrefix("level,version,collection,key,field,hash\nreference,1,,,,"))
            #expect(try await versions.release(3).levels.map(\.added) == [0])
            #expect(try versions.released(3) == text)

            // The last one alone, then the earlier ones from the last to the first.
            for version in 1...3 {
                try FileManager.default.removeItem(
                    atPath: versions.path(version) + "/" + Self.file)
            }
            try await versions.release(3)
            try await versions.release(3, after: [2, 1])
            #expect(try versions.released(3) == text)
        }
    }

    @Test("the hash of a value matches the documentation")
    func hash() async throws {
        try await withGym { _, versions in
            try await versions.release(1)
            // Label, a zero byte, then the set, collection and field with their lengths, and the
            // canonical value.
            var message = Array("peersync data set value v1".utf8) + [0]
            for part in ["exercises", "exercise", "note"] {
                message += Array(repeating: 0, count: 7) + [UInt8(part.utf8.count)]
                message += Array(part.utf8)
            }
            message += [1] + Array("Legs".utf8)
            let hash = hexadecimal(sha256(message).bytes.prefix(8))
            #expect(try versions.released(1).contains("reference,1,exercise,sq,note,\(hash)\n"))
        }
    }

    @Test("a check knows which versions were released, and names every bad line")
    func checks() async throws {
        try await withGym { _, versions in
            #expect(try await versions.check(2).levels.first?.released == nil)
            try await versions.release(2)
            #expect(try await versions.check(2).levels.first?.released == [2])
            let good = try versions.released(2)
            try versions.write(
                good + """
                    reference,1,exercise,sq,note,0123456789abcdef
                    reference,2,exercise,sq,note,0123
                    reference,2,exercise,,note,0123456789abcdef
                    reference,9,,,,\(String(repeating: "0", count: 64))
                    other,1,,,,
                    reference,2

                    """, to: Self.file, 2)
            let first = good.split(separator: "\n").count + 1
            let mistakes = try await versions.check(2).mistakes
            #expect(mistakes.allSatisfy { $0.file == Self.file })
            #expect(mistakes.compactMap(\.line) == Array(first..<first + 6))
            await #expect(throws: APIError.self) { try await versions.apply(2) }
            await #expect(throws: APIError.self) { try await versions.release(2) }
            try versions.write("one,two\n", to: Self.file, 2)
            #expect(try await versions.check(2).mistakes.compactMap(\.line) == [1])
        }
    }

    @Test("A missing line of a release is one mistake, with the number of lines that need it")
    func withoutRelease() async throws {
        try await withGym { _, versions in
            // given
            try await versions.release(1)
            var lines = try versions.released(1).split(separator: "\n")
            #expect(lines[1].hasPrefix("reference,1,,,,"))
            lines.remove(at: 1)
            try versions.write(lines.joined(separator: "\n") + "\n", to: Self.file, 1)
            // when
            let found = try await versions.check(1).mistakes
            // then
            #expect(found.map(\.line) == [2])
            #expect(found.first?.reason.contains("\(lines.count - 1) lines") == true)
        }
    }

    @Test("a released version cannot have other rows")
    func released() async throws {
        try await withGym { _, versions in
            try await versions.release(1)
            let text = try versions.released(1)
            try versions.make(1, ["sq,Other,Legs,"])
            #expect(try await versions.check(1).mistakes.compactMap(\.line) == [2])
            await #expect(throws: APIError.self) { try await versions.release(1) }
            #expect(try versions.released(1) == text)
            await #expect(throws: APIError.self) { try await versions.release(2, after: [3]) }
        }
    }

    // MARK: Applying

    @Test("a record from before the set follows it if it has a value of an earlier version")
    func takesOver() async throws {
        try await withGym { agent, versions in
            try await versions.releaseAll(1...3)
            try await add(agent, "Squat", note: "Thighs")
            try await add(agent, "Bench", note: "Mine")
            let level = try await versions.apply(3)
            #expect(counts(level) == [.adopted: 2, .takenOver: 1])
            #expect(level.rows.first { $0.kind == .takenOver }?.fields == ["name", "note"])
            #expect(level.rows.filter { $0.kind == .adopted }.map(\.fields) == [[], ["note"]])
            #expect(try await shown(agent) == ["Full squat": "Quads", "Bench": "Mine"])
        }
    }

    @Test("undoing restores the replaced values, and they are replaced again")
    func undone() async throws {
        try await withGym { agent, versions in
            try await versions.releaseAll(1...3)
            try await add(agent, "Squat", note: "Thighs")
            for _ in 1...2 {
                let level = try await versions.apply(3)
                #expect(counts(level) == [.adopted: 1, .takenOver: 1, .added: 1])
                #expect(try await shown(agent) == ["Full squat": "Quads", "Bench": "Pecs"])
                _ = try await agent.service.call(\.changes.undo, UndoDraft())
                #expect(try await shown(agent) == ["Squat": "Thighs"])
            }
        }
    }

    @Test("without the file, a record from before the set keeps its values")
    func withoutFile() async throws {
        try await withGym { agent, versions in
            try await add(agent, "Squat", note: "Legs")
            try await add(agent, "Bench", note: "Torso")
            #expect(counts(try await versions.apply(3)) == [.adopted: 1, .added: 1])
            #expect(
                try await shown(agent)
                    == ["Full squat": "Quads", "Squat": "Legs", "Bench": "Torso"])
        }
    }

    @Test("elements of a set that a version shipped leave with the set")
    func elements() async throws {
        try await withGym { agent, versions in
            try await versions.releaseAll(1...3)
            _ = try await agent.service.call(
                \.records.add,
                RecordDraft(
                    space: "Gym", collection: "exercise",
                    fields: [
                        "name": .text("Squat"),
                        "tips": .set([.text("deep"), .text("slow"), .text("mine")]),
                    ]))
            try await versions.apply(3)
            let record = try #require(try await list(agent).first { $0.name == "Full squat" })
            guard case .set(let tips)? = record.fields["tips"] else {
                Issue.record("no tips")
                return
            }
            #expect(Set(tips) == [.text("mine"), .text("slow")])
        }
    }

    @Test("nothing is replaced if a name fits several records or several rows")
    func unclear() async throws {
        try await withGym { agent, versions in
            try versions.make(2, ["sq,Deep squat,Thighs,", "be,Bench,Torso,", "ju,Squat,Jump,"])
            try versions.make(3, ["sq,Full squat,Quads,", "be,Press,Pecs,", "ju,Jump,Jump,"])
            try await versions.releaseAll(1...3)
            // One that two rows were named, and two with the same name.
            for name in ["Squat", "Bench", "Bench"] { try await add(agent, name, note: "") }
            #expect(counts(try await versions.apply(3)) == [.added: 3, .similar: 3])
            #expect(try await list(agent).count == 6)
        }
    }

    @Test("a person who returns to an earlier version's value keeps it")
    func goesBack() async throws {
        try await withGym { agent, versions in
            try await versions.releaseAll(1...3)
            try await versions.apply(1)
            try await versions.apply(2)
            try await set(agent, "Deep squat", note: "Legs")
            let level = try await versions.apply(3)
            #expect(counts(level) == [.updated: 2, .conflicting: 1])
            #expect(try await shown(agent) == ["Full squat": "Legs", "Bench": "Pecs"])
        }
    }

    @Test("a value of a skipped version follows the set as if that version had been applied")
    func skipped() async throws {
        try await withGym { agent, versions in
            try await versions.releaseAll(1...3)
            try await versions.apply(1)
            try await set(agent, "Squat", note: "Thighs")
            try await set(agent, "Bench", note: "Mine")
            let level = try await versions.apply(3)
            #expect(counts(level) == [.updated: 2, .takenOver: 1, .conflicting: 1])
            #expect(try await shown(agent) == ["Full squat": "Quads", "Bench": "Mine"])
        }
    }

    // MARK: Two devices

    /// Rows of four versions: notes change with each one, every second name with the third.
    private struct Rows {
        static let count = 16

        /// The ways in which people use a row, by its number.
        enum Story: CaseIterable {
            /// Imported by hand from the first version.
            case imported
            /// The same, with a note of a person.
            case mine
            /// The same, with the note of any version.
            case any
            /// Made by the set; a person may later return to the first note.
            case ofSet
        }

        static func story(_ row: Int) -> Story { Story.allCases[row % Story.allCases.count] }
        static func note(_ row: Int, _ version: Int) -> String { "Note \(row) of \(version)" }
        static func name(_ row: Int, _ version: Int) -> String {
            version >= 3 && row / 4 % 2 == 0 ? "New row \(row)" : "Row \(row)"
        }
        static func all(_ version: Int) -> [String] {
            (0..<count).map { "k\($0),\(name($0, version)),\(note($0, version))," }
        }
    }

    /// Two devices, the last version that each applied, and the values that people wrote.
    private struct Course {
        let agents: [OfflineDevice]
        let space: SpaceID
        var applied = [0, 0]
        var wentBack: Set<Int> = []

        func exchange() throws {
            try agents[0].receive(space, from: agents[1])
            try agents[1].receive(space, from: agents[0])
        }
    }

    private func begin(
        _ agents: [OfflineDevice], _ versions: Versions, _ numbers: inout SeededGenerator
    ) async throws -> Course {
        let made = try await SpaceService(agents[0].node).createSpace(
            SpaceDraft(name: "Gym", document: Self.schema))
        _ = try await MemberService(agents[0].node).grant(
            "Gym", GrantDraft(person: "Ben", role: .admin))
        for version in 1...4 { try versions.make(version, Rows.all(version)) }
        try await versions.releaseAll(1...4)
        for row in 0..<Rows.count {
            let note =
                switch Rows.story(row) {
                case .imported: Rows.note(row, 1)
                case .mine: "Mine \(row)"
                case .any: Rows.note(row, Int.random(in: 1...4, using: &numbers))
                case .ofSet: ""
                }
            if !note.isEmpty { try await add(agents[0], Rows.name(row, 1), note: note) }
        }
        let space = try #require(bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
        try agents[1].receive(space, from: agents[0])
        return Course(agents: agents, space: space)
    }

    private func step(
        _ course: inout Course, _ versions: Versions, _ numbers: inout SeededGenerator
    ) async throws {
        let index = Int.random(in: 0...1, using: &numbers)
        let agent = course.agents[index]
        switch Int.random(in: 0...5, using: &numbers) {
        case 0: try course.exchange()
        case 1 where course.applied[index] >= 2:
            for record in try await list(agent) where Bool.random(using: &numbers) {
                let row = (0..<Rows.count).first { row in
                    [1, 3].contains { Rows.name(row, $0) == record.name }
                }
                guard let row, Rows.story(row) == .ofSet, note(record) != Rows.note(row, 1)
                else { continue }
                try await set(agent, record.id, note: Rows.note(row, 1))
                course.wentBack.insert(row)
            }
        default:
            let version = Int.random(in: 1...4, using: &numbers)
            try await versions.apply(version, on: agent)
            course.applied[index] = max(course.applied[index], version)
        }
    }

    @Test(
        "two devices that apply and skip versions apart, and sync in any order, end alike",
        arguments: UInt64(1)...6)
    func apart(seed: UInt64) async throws {
        try await OfflineDevice.pair { ann, ben in
            // given
            var numbers = SeededGenerator(seed: seed)
            let versions = Versions(agent: ann)
            var course = try await begin([ann, ben], versions, &numbers)

            // when
            for _ in 0..<10 { try await step(&course, versions, &numbers) }
            try course.exchange()
            try await versions.apply(4, on: course.agents[Int.random(in: 0...1, using: &numbers)])
            try course.exchange()

            // then
            let digests = try [ann, ben].map { agent in
                try agent.node.store.records.digest(
                    of: course.space, under: agent.node.requireSchema(of: course.space))
            }
            #expect(digests.first == digests.last)
            let mark = try await ben.service.call(\.schemas.appliedSets, DataSetFilter()).first
            #expect(mark?.version == 4 && mark?.contested == false)
            let notes = try await shown(ben)
            #expect(notes.count == Rows.count)
            for row in 0..<Rows.count {
                let note = notes[Rows.name(row, 4)]
                switch Rows.story(row) {
                case .imported: #expect(note == Rows.note(row, 4))
                case .mine: #expect(note == "Mine \(row)")
                case .any: #expect((1...4).map { Rows.note(row, $0) }.contains(note))
                case .ofSet:
                    let version = course.wentBack.contains(row) ? 1 : 4
                    #expect(note == Rows.note(row, version))
                }
            }
        }
    }

    @Test("A folder without a set is named in whole, for it may be mistyped")
    func mistypedFolder() async throws {
        try await OfflineDevice.with("Ann") { ann in
            // given
            let path = ann.folder + "/nothing"
            // when
            let error = await #expect(throws: APIError.self) {
                _ = try await ann.service.call(\.schemas.checkSet, DataSetSource(path: path))
            }
            // then
            #expect(error == .noSuchFile(path + "/dataset.yaml"))
        }
    }
}
