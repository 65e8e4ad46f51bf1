import SyncCore
import Testing

@Suite struct RegisterTests {
    private let one = TestDevice(1, person: 1)
    private let two = TestDevice(2, person: 2)

    /// A write of `device`'s n-th commit.
    private func write(
        _ device: TestDevice, _ sequence: UInt64, _ text: String, clock: UInt64 = 1,
        precedence: Precedence = .user
    ) -> SurvivingWrite {
        let commit = CommitID(sha256(device.id.bytes + bigEndian(sequence)))
        return SurvivingWrite(
            id: WriteID(commit: commit, index: 0), log: device.log, sequence: sequence,
            clock: HybridTime(raw: clock), precedence: precedence.rawValue, value: .text(text))
    }

    private func seeing(_ known: [LogID: UInt64]) -> (LogID) -> UInt64 {
        { known[$0] ?? 0 }
    }

    @Test("A write supersedes what its commit had seen, however far ahead the other's clock was")
    func causalityFirst() {
        var register = Register()
        register.apply(
            write(one, 1, "2099", clock: 4_000_000), replaces: nil, seen: seeing([one.log: 1]))
        register.apply(
            write(two, 1, "later", clock: 1), replaces: nil,
            seen: seeing([one.log: 1, two.log: 1]))
        #expect(register.writes.map(\.value) == [.text("later")])
        #expect(!register.isConflicted)
    }

    @Test("A commit that writes a register over and over leaves its last writes beside the others")
    func repetitions() {
        let commit = CommitID(sha256([7]))
        func said(_ index: UInt32) -> SurvivingWrite {
            SurvivingWrite(
                id: WriteID(commit: commit, index: index), log: one.log, sequence: 2,
                clock: HybridTime(raw: 1), precedence: Precedence.user.rawValue,
                value: .integer(Int64(index)))
        }
        var register = Register()
        register.apply(write(two, 1, "b"), replaces: nil, seen: seeing([two.log: 1]))
        for index in 0..<UInt32(1_000) {
            register.apply(said(index), replaces: [], seen: seeing([one.log: 2]))
        }
        let own = register.writes.filter { $0.id.commit == commit }
        let kept = UInt32(Limits.writesOfOneCommit)
        #expect(own.map(\.id.index) == Array(1_000 - kept..<1_000))
        #expect(register.writes.count == own.count + 1)
    }

    @Test("Concurrent writes survive together; the greater clock shows")
    func concurrent() {
        var register = Register()
        register.apply(write(one, 1, "a", clock: 5), replaces: nil, seen: seeing([one.log: 1]))
        register.apply(write(two, 1, "b", clock: 9), replaces: nil, seen: seeing([two.log: 1]))
        #expect(register.writes.count == 2)
        #expect(register.latest?.value == .text("b"))
        #expect(register.isConflicted)
    }

    @Test("Concurrent writes of one value are no conflict, of values that only look alike they are")
    func equalValues() {
        var register = Register()
        register.apply(write(one, 1, "caf\u{E9}"), replaces: nil, seen: seeing([one.log: 1]))
        register.apply(write(two, 1, "caf\u{E9}"), replaces: nil, seen: seeing([two.log: 1]))
        #expect(!register.isConflicted)
        let three = TestDevice(3, person: 3)
        register.apply(write(three, 1, "cafe\u{301}"), replaces: nil, seen: seeing([three.log: 1]))
        #expect(register.isConflicted)
    }

    @Test("Equal clocks are decided by the author, the same on every device")
    func tie() {
        let writes = [write(one, 1, "a"), write(two, 1, "b")]
        let winner = one.id < two.id ? "b" : "a"
        for order in [writes, writes.reversed()] {
            var register = Register()
            for write in order {
                register.apply(write, replaces: nil, seen: seeing([write.log: 1]))
            }
            #expect(register.latest?.value == .text(winner))
        }
    }

    @Test("With replaces exactly the named writes go: what arrived while typing stays")
    func replaces() {
        let shown = write(one, 1, "shown")
        let arrived = write(two, 1, "arrived")
        var register = Register([shown, arrived])
        register.apply(
            write(one, 2, "saved"), replaces: [shown.id],
            seen: seeing([one.log: 2, two.log: 1]))
        #expect(Set(register.writes.map(\.value)) == [.text("arrived"), .text("saved")])
    }

    @Test("A write that names none replaces none; one that names what it had not seen neither")
    func replacesNothing() {
        let existing = write(one, 1, "here")
        var register = Register([existing])
        register.apply(
            write(two, 1, "beside"), replaces: [], seen: seeing([one.log: 1, two.log: 1]))
        #expect(register.writes.count == 2)
        register.apply(
            write(two, 2, "blind"), replaces: [existing.id], seen: seeing([two.log: 2]))
        #expect(register.writes.contains(existing))
    }

    @Test("What a higher precedence outranks is kept, and told with who outranks it")
    func outranked() {
        let official = write(one, 1, "official", clock: 1, precedence: .authority)
        let first = write(two, 1, "first", clock: 5)
        #expect(Register([official]).outranked == nil)
        #expect(Register([first, write(one, 1, "other", clock: 6)]).outranked == nil)
        let found = Register([official, first, write(two, 2, "later", clock: 9)]).outranked
        #expect(found?.write.value == .text("later") && found?.by == official)
        // Who says the same is not overruled.
        #expect(Register([official, write(two, 1, "official", clock: 9)]).outranked == nil)
    }

    @Test("Nothing supersedes a higher precedence, and the higher precedence shows")
    func precedence() {
        let authority = write(one, 1, "official", clock: 1, precedence: .authority)
        var register = Register([authority])
        register.apply(
            write(two, 1, "mine", clock: 99), replaces: nil,
            seen: seeing([one.log: 1, two.log: 1]))
        #expect(register.writes.contains(authority))
        #expect(register.latest == authority)
        register.apply(
            write(one, 2, "new", precedence: .authority), replaces: nil,
            seen: seeing([one.log: 2, two.log: 1]))
        #expect(register.writes.map(\.value) == [.text("new")])
    }

    @Test("A register is the same whatever order its survivors were given in")
    func canonicalOrder() {
        let writes = [write(one, 1, "a"), write(two, 1, "b"), write(one, 2, "c")]
        #expect(Register(writes) == Register(writes.reversed()))
    }

    @Test("The later write of one commit to one field is the one that counts")
    func sameCommit() {
        var state = RecordState()
        state.apply(
            RecordOperation(1, [title("first"), title("second")]), firstIndex: 4,
            of: applied(one, 1, seen: [:]))
        #expect(state.fields["title"]?.writes.map(\.value) == [.text("second")])
        #expect(state.fields["title"]?.latest?.id.index == 5)
    }

    @Test("Adding and removing different tags at the same time both hold; one tag's latest wins")
    func union() {
        func tag(_ name: String, _ isIn: Bool) -> Write {
            Write(field: "tags", element: .text(name), value: .boolean(isIn))
        }
        var state = RecordState()
        let start = applied(one, 1, seen: [:])
        state.apply(
            RecordOperation(1, [tag("sea", true), tag("sun", true)]), firstIndex: 0, of: start)
        state.apply(
            RecordOperation(1, [tag("sea", false)]), firstIndex: 0, of: applied(one, 2, seen: [:]))
        state.apply(
            RecordOperation(1, [tag("food", true)]), firstIndex: 0,
            of: applied(two, 1, seen: [one.log: 1]))
        #expect(state.elements(of: "tags") == [.text("sun"), .text("food")].sorted(by: bytes))
    }

    @Test("A deletion hides a record and a later restoring shows it again")
    func deletion() {
        var state = RecordState()
        #expect(!state.isDeleted)
        state.apply(
            RecordOperation(1, [.deletion(true)]), firstIndex: 0, of: applied(one, 1, seen: [:]))
        #expect(state.isDeleted)
        state.apply(
            RecordOperation(1, [.deletion(false)]), firstIndex: 0,
            of: applied(two, 1, seen: [one.log: 1]))
        #expect(!state.isDeleted)
    }

    @Test("What a schema shows: winners, conflicts, sets in order, nothing it does not know")
    func shown() throws {
        let schema = Schema(
            id: TestCommit.schema.schema, name: "test", version: 1,
            collections: [
                CollectionSchema(
                    name: "memory",
                    fields: [
                        FieldSchema(
                            name: "title", type: .text, strategy: .lastWrite, isSearched: true),
                        FieldSchema(
                            name: "note", type: .text, strategy: .lastWrite, isSearched: false),
                        FieldSchema(
                            name: "tags", type: .set(of: .text), strategy: .union,
                            isSearched: false),
                    ])
            ])
        var state = RecordState()
        state.apply(
            RecordOperation(
                1,
                [
                    title("a"), Write(field: "secret", value: .integer(1)),
                    Write(field: "tags", element: .text("b"), value: .boolean(true)),
                    Write(field: "tags", element: .text("a"), value: .boolean(true)),
                ]), firstIndex: 0, of: applied(one, 1, seen: [:]))
        state.apply(
            RecordOperation(1, [title("b")]), firstIndex: 0,
            of: applied(two, 1, seen: [:], clock: 99))
        let record = try #require(schema.shown(state, in: "memory"))
        #expect(record.value("title") == .text("b"))
        #expect(record.writes("title").count == 2)
        #expect(record.elements("tags") == [.text("a"), .text("b")])
        #expect(record.values["note"] == nil)
        #expect(record.values["secret"] == nil)
        #expect(!record.isDeleted)
        guard case .value(_, _, let isConflicted) = record.values["title"] else {
            Issue.record("no title")
            return
        }
        #expect(isConflicted)
        #expect(schema.shown(state, in: "nothing") == nil)
    }

    private func bytes(_ left: Value, _ right: Value) -> Bool {
        left.canonicalBytes.lexicographicallyPrecedes(right.canonicalBytes)
    }

    private func applied(
        _ device: TestDevice, _ sequence: UInt64, seen: [LogID: UInt64], clock: UInt64 = 1
    ) -> AppliedCommit {
        let header = CommitHeader(
            space: .zero, log: device.log, sequence: sequence, previous: .zero,
            clock: HybridTime(raw: clock), seen: [], grant: .none,
            schema: TestCommit.schema.schema, schemaVersion: 1, clearHash: .zero,
            operationsHash: .zero)
        let id = CommitID(sha256(device.id.bytes + bigEndian(sequence)))
        return AppliedCommit(id: id, header: header, clock: header.clock, seen: seen)
    }
}
