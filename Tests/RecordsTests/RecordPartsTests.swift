import Device
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Lists of records come in parts")
struct RecordPartsTests {
    private static let schema = """
        schema: 1
        name: shop
        version: 1
        collections:
          product:
            finished_by: price
            fields:
              name: { type: text }
              price: { type: integer }
          visit:
            fields:
              remark: { type: text }
              at: { type: time }
          count:
            fields:
              pieces: { type: integer }
          shelf:
            fields:
              name: { type: text }
              place: { type: order }
        """

    private func shop(_ body: (OfflineDevice) async throws -> Void) async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Shop", document: Self.schema))
            try await body(agent)
        }
    }

    private func add(
        _ collection: String, _ fields: [String: FieldValue], in agent: OfflineDevice
    ) async throws -> RecordView {
        try await agent.service.call(
            \.records.add, RecordDraft(space: "Shop", collection: collection, fields: fields))
    }

    private func filter(
        _ collection: String, _ change: (inout RecordFilter) -> Void = { _ in }
    ) -> RecordFilter {
        var filter = RecordFilter(space: "Shop", collection: collection)
        change(&filter)
        return filter
    }

    /// The ids of each part.
    private func parts(
        of first: RecordFilter, by limit: Int, in agent: OfflineDevice
    ) async throws -> [[String]] {
        var parts: [[String]] = []
        var next: RecordFilter? = first
        next?.limit = limit
        while let filter = next {
            let part = try await agent.service.call(\.records.list, filter)
            parts.append(part.records.map(\.id))
            next = filter.next(behind: part)
        }
        return parts
    }

    private func expectParts(of filter: RecordFilter, in agent: OfflineDevice) async throws {
        let whole = try await agent.service.call(\.records.list, filter)
        #expect(whole.next == nil)
        for limit in 1...whole.records.count + 1 {
            let parts = try await parts(of: filter, by: limit, in: agent)
            #expect(parts.flatMap(\.self) == whole.records.map(\.id), "parts of \(limit)")
        }
    }

    @Test("by name: none is missing and none comes twice, whatever the names")
    func names() async throws {
        try await shop { agent in
            // Given equal names, none, one that is not shown as it is written, long ones, an unfinished record,
            // and a deleted one
            let long = String(repeating: "m", count: 60)
            let names = [
                "Milk", "milk", "Bread", nil, "Ma\u{200B}te", "\(long)b", "\(long)a", "Ab", "Aba",
                "Äpfel", nil,
            ]
            for name in names {
                var fields = ["price": FieldValue.integer(1)]
                fields["name"] = name.map { .text($0) }
                _ = try await add("product", fields, in: agent)
            }
            _ = try await add("product", ["name": .text("Cheese")], in: agent)
            let gone = try await add(
                "product", ["name": .text("Butter"), "price": .integer(2)], in: agent)
            _ = try await agent.service.call(
                \.records.delete, id: gone.id, RecordScope(space: "Shop", collection: "product"))

            // Then all parts together are the whole list, with conditions too
            try await expectParts(of: filter("product"), in: agent)
            try await expectParts(
                of: filter("product") { $0.fields = ["name": .text("milk")] }, in: agent)
            try await expectParts(of: filter("product") { $0.deleted = true }, in: agent)
            let parts = try await parts(of: filter("product"), by: 3, in: agent)
            #expect(parts.count > 2)
        }
    }

    @Test("by time or by id where there is no name; those without a time come last")
    func timesAndIDs() async throws {
        try await shop { agent in
            // Given visits of different times, of the same time, and without one
            for at in [3000, 1000, nil, 2000, 2000, nil, -5] as [Int64?] {
                var fields = ["remark": FieldValue.text("z\(at ?? 0)")]
                fields["at"] = at.map { .time(Moment(milliseconds: $0)) }
                _ = try await add("visit", fields, in: agent)
            }
            for pieces in 0..<5 as Range<Int64> {
                _ = try await add("count", ["pieces": .integer(pieces)], in: agent)
            }

            // Then all parts together are the whole list, and those of one time come in several
            try await expectParts(of: filter("visit"), in: agent)
            try await expectParts(of: filter("count"), in: agent)
            let visits = try await parts(of: filter("visit"), by: 1, in: agent)
            #expect(visits.map(\.count) == [1, 1, 1, 1, 3])
            #expect(
                try await parts(of: filter("count"), by: 2, in: agent).map(\.count) == [2, 2, 1])
        }
    }

    @Test("a list in the order that people gave comes whole, and so do records found by text")
    func whole() async throws {
        try await shop { agent in
            // Given
            for name in ["b", "a", "c"] {
                _ = try await add("shelf", ["name": .text(name)], in: agent)
            }

            // When
            let part = try await agent.service.call(
                \.records.list, filter("shelf") { $0.limit = 1 })

            // Then
            #expect(part.records.map(\.name) == ["b", "a", "c"])
            #expect(part.next == nil)
        }
    }

    @Test(
        "the place of one order is refused in another one",
        arguments: ["product", "visit", "count"])
    func places(collection: String) async throws {
        try await shop { agent in
            // Given the first part of each list, and the place of the next one
            var places: [String: String] = [:]
            for (name, fields) in [
                "product": ["name": FieldValue.text("12"), "price": .integer(1)],
                "visit": ["at": .time(Moment(milliseconds: 12))],
                "count": ["pieces": .integer(12)],
            ] {
                var more = fields
                if name == "product" { more["name"] = .text("34") }
                if name == "visit" { more["at"] = .time(Moment(milliseconds: 34)) }
                for fields in [fields, more] { _ = try await add(name, fields, in: agent) }
                places[name] = try await agent.service.call(
                    \.records.list, filter(name) { $0.limit = 1 }
                ).next
            }
            #expect(places.count == 3)

            // Then only its own leads on
            for (name, place) in places {
                func list() async throws -> RecordList {
                    try await agent.service.call(
                        \.records.list, filter(collection) { ($0.limit, $0.after) = (1, place) })
                }
                if name == collection {
                    let part = try await list()
                    #expect(part.records.count == 1 && part.next == nil)
                } else {
                    await #expect {
                        try await list()
                    } throws: {
                        ($0 as? APIError)?.sentence == "There is no such place in this list."
                    }
                }
            }
        }
    }

    @Test(
        "short ids tell a record from all others of its collection, also from those of other parts")
    func shortIDs() async throws {
        try await shop { agent in
            // Given two records whose ids begin alike, and another one
            let space = try #require(
                try agent.node.store.spaces.all().map(\.space).first {
                    $0 != agent.node.identity.homeSpace
                })
            let operations = try [(0xAA, 0x10), (0xAA, 0x20), (0xBB, 0x10)].map {
                (first: UInt8, fifth: UInt8) in
                let id =
                    Array(repeating: first, count: 4) + [fifth]
                    + Array(repeating: 0, count: 11)
                return RecordOperation(
                    collection: "count", record: try #require(RecordID(bytes: id)),
                    writes: [Write(field: "pieces", value: .integer(1))])
            }
            try await agent.node.write(ChangeSet(operations: operations), to: space)

            // When the list comes one by one
            var parts: [RecordList] = []
            var next: RecordFilter? = filter("count") { $0.limit = 1 }
            while let filter = next {
                let part = try await agent.service.call(\.records.list, filter)
                parts.append(part)
                next = filter.next(behind: part)
            }

            // Then
            #expect(
                parts.flatMap(\.records).map(\.shortID) == ["aaaaaaaa1", "aaaaaaaa2", "bbbbbbbb"])
        }
    }

    @Test(
        "a limit or a place that cannot be is refused",
        arguments: [(0, nil), (-1, nil), (1_001, nil), (1, "x")] as [(Int, String?)])
    func refused(limit: Int, after: String?) async throws {
        try await shop { agent in
            await #expect {
                try await agent.service.call(
                    \.records.list, filter("product") { ($0.limit, $0.after) = (limit, after) })
            } throws: {
                ($0 as? APIError)?.code == .badInput
            }
        }
    }
}
