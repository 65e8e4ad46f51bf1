import SyncCore
import TestKit
import Testing

@Suite("Which records are shown") struct PresenceTests {
    /// Records that belong to others, need others and are deleted.
    private struct Graph: RecordGraph {
        var records: [RecordKey: ShownRecord] = [:]

        static let schema = Schema(
            id: SchemaID(.zero), name: "parts", version: 1,
            collections: [
                CollectionSchema(
                    name: "part",
                    fields: [
                        field("one", .reference(collection: "part", onDelete: .cascade)),
                        field("other", .reference(collection: "part", onDelete: .cascade)),
                        field("needed", .reference(collection: "part", onDelete: .restrict)),
                        field(
                            "used", .set(of: .reference(collection: "part", onDelete: .restrict))),
                        field("near", .reference(collection: "part", onDelete: .detach)),
                    ])
            ])

        private static func field(_ name: String, _ type: FieldType) -> FieldSchema {
            FieldSchema(name: name, type: type, strategy: .lastWrite, isSearched: false)
        }

        static func key(_ number: UInt64) -> RecordKey {
            RecordKey(collection: "part", record: RecordID(number))
        }

        mutating func add(_ number: UInt64, isDeleted: Bool = false, _ fields: [String: UInt64]) {
            let values = fields.mapValues { target -> ShownValue in
                .value(.reference(RecordID(target)), writes: [], isConflicted: false)
            }
            records[Graph.key(number)] = ShownRecord(values: values, isDeleted: isDeleted)
        }

        func shown(_ key: RecordKey) -> ShownRecord? { records[key] }

        func users(of key: RecordKey) -> [RecordKey] {
            records.filter { _, record in
                record.value("needed")?.reference == key.record
                    || record.elements("used").contains(.reference(key.record))
            }.keys.sorted()
        }

        /// Asked in this order.
        func presences(_ order: [RecordKey]) throws -> [RecordKey: Presence] {
            var presences = Presences(of: Graph.schema)
            var found: [RecordKey: Presence] = [:]
            for key in order { found[key] = try presences.presence(of: key, in: self) }
            return found
        }

        /// By the definition alone: all are shown, and what cannot be is taken out, until all that
        /// is left can.
        var byDefinition: [RecordKey: Presence] {
            var left = Set(records.keys)
            func isWhole(_ record: ShownRecord) -> Bool {
                !record.isDeleted
                    && ["one", "other"].allSatisfy { field in
                        guard let owner = record.value(field)?.reference else { return true }
                        let key = RecordKey(collection: "part", record: owner)
                        return records[key] == nil || left.contains(key)
                    }
            }
            func isNeeded(_ key: RecordKey) -> Bool {
                users(of: key).contains { left.contains($0) }
            }
            while true {
                let gone = left.filter { !isWhole(records[$0] ?? .nothing) && !isNeeded($0) }
                if gone.isEmpty { break }
                left.subtract(gone)
            }
            return Dictionary(
                uniqueKeysWithValues: records.map { key, record in
                    let rest: Presence = record.isDeleted ? .deleted : .hidden
                    return (key, isWhole(record) ? .shown : isNeeded(key) ? .held : rest)
                })
        }
    }

    @Test("what belongs to a deleted record is hidden, whichever is asked about first")
    func askedFirst() throws {
        // given: who asks whether something needs 1 asks about 3, and so about 2
        var graph = Graph()
        graph.add(1, isDeleted: true, [:])
        graph.add(2, ["one": 1])
        graph.add(3, ["one": 2, "other": 4, "needed": 1])
        graph.add(4, isDeleted: true, [:])
        let keys = (1...4).map { Graph.key($0) }
        for order in [keys, keys.reversed()] {
            // when
            let found = try graph.presences(order)
            // then
            #expect(keys.map { found[$0] } == [.deleted, .hidden, .hidden, .deleted])
        }
    }

    @Test("records that were put into each other at the same time are hidden with what holds them")
    func circle() throws {
        // given
        var graph = Graph()
        graph.add(1, ["one": 2, "other": 3])
        graph.add(2, ["one": 1])
        graph.add(3, isDeleted: true, [:])
        graph.add(4, ["one": 5])
        graph.add(5, ["one": 4])
        let keys = (1...5).map { Graph.key($0) }
        for order in [keys, keys.reversed()] {
            // when
            let found = try graph.presences(order)
            // then
            #expect(keys.map { found[$0] } == [.hidden, .hidden, .deleted, .shown, .shown])
        }
    }

    @Test("what is not here yet hides nothing, and what needs a record keeps it shown")
    func pending() throws {
        var graph = Graph()
        graph.add(1, ["one": 9, "near": 8])
        graph.add(2, isDeleted: true, [:])
        graph.add(3, ["needed": 2])
        let found = try graph.presences([9, 1, 2, 3].map { Graph.key($0) })
        #expect(found[Graph.key(9)] == .pending)
        #expect(found[Graph.key(1)] == .shown)
        #expect(found[Graph.key(2)] == .held)
    }

    @Test("it is as defined, in whatever order one asks", arguments: TestSeeds.some(300))
    func definition(seed: UInt64) throws {
        // given
        var random = SeededGenerator(seed: seed)
        var graph = Graph()
        let count = UInt64.random(in: 2...9, using: &random)
        for number in 1...count {
            var fields: [String: UInt64] = [:]
            for field in ["one", "other", "needed", "near"]
            where UInt8.random(in: 0..<10, using: &random) < 4 {
                fields[field] = UInt64.random(in: 1...count + 1, using: &random)
            }
            graph.add(number, isDeleted: UInt8.random(in: 0..<10, using: &random) < 3, fields)
        }
        let expected = graph.byDefinition
        for _ in 0..<4 {
            // when
            let found = try graph.presences(graph.records.keys.sorted().shuffled(using: &random))
            // then
            #expect(found == expected)
        }
    }
}

extension ShownRecord {
    fileprivate static let nothing = ShownRecord(values: [:], isDeleted: true)
}
