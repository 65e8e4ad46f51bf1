import Foundation
import LocalAPI

extension TestedDevice {
    /// Everything that people see on this device, as text: each space with its people, and each
    /// record with its values, its last author and its status. Names replace ids, and ranks replace
    /// times, so that two devices that agree give the same text except for the words of status.
    package func dump() async throws -> String {
        var spaces: [(header: String, collections: [RecordList], problems: [String])] = []
        for trip in try await service.call(\.trips.list) {
            let shown = try await service.call(\.trips.show, id: trip.id)
            var lists: [RecordList] = []
            for collection in shown.collections ?? [] {
                lists.append(
                    try await service.call(
                        \.records.list, RecordFilter(space: trip.id, collection: collection)))
            }
            let people = (shown.members ?? []).sorted { $0.person.name < $1.person.name }
                .map { "\($0.person.name) \($0.role)" }.joined(separator: ", ")
            spaces.append(
                (
                    "\(shown.name) (\(people)): \(shown.state)", lists,
                    shown.problems.map(\.sentence)
                ))
        }
        let records = spaces.flatMap(\.collections).flatMap(\.records)
        let moments = Set(records.map(\.changed)).sorted { $0.milliseconds < $1.milliseconds }
        let names = Dictionary(records.map { ($0.id, $0.name) }) { first, _ in first }
        var lines: [String] = []
        for space in spaces {
            lines.append(space.header)
            lines += space.problems.map { "  ! \($0)" }
            for record in space.collections.flatMap(\.records) {
                let order = (moments.firstIndex(of: record.changed) ?? 0) + 1
                let values = try record.fields.sorted { $0.key < $1.key }.map { field, value in
                    "\(field) \(try Self.text(value, names))"
                }
                lines.append(
                    "  \(record.collection) \(record.name): \(values.joined(separator: ", "));"
                        + " \(record.author.name), \(order). change, \(record.status.rawValue)")
                lines += record.conflicts.map { "    conflict: \($0)" }
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func text(_ value: FieldValue, _ names: [String: String]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return names.reduce(
            String(decoding: try encoder.encode(value), as: UTF8.self)
        ) { $0.replacing($1.key, with: $1.value) }
    }
}
