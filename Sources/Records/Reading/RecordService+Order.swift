internal import LocalAPI
internal import Store
package import SyncCore

/// The order of records in a list.
extension RecordService {
    /// By the order that people gave, or else by title or name, then by time; record ids decide between
    /// equal ones.
    package static func sorted(
        _ entries: [ShownEntry], in collection: CollectionSchema, _ reader: RecordReader
    ) -> [ShownEntry] {
        let order = collection.orderField?.name
        let time = collection.timeField?.name
        let isNamed = collection.isListedByName
        return entries.map { entry in
            let name = isNamed ? reader.title(entry.record, in: collection.name) : ""
            let folded = Array(Lookup.fold(name).utf8)
            let title = isNamed ? collection.titleField : nil
            let text = title.flatMap { entry.record.value($0.name)?.text }
            return ListPlace(
                position: order.flatMap { entry.record.value($0)?.text }
                    .flatMap { PositionKey($0) },
                indexed: text.flatMap { NameKey.key(of: $0) } ?? [], name: folded,
                time: time.flatMap { entry.record.value($0)?.time?.milliseconds } ?? .max,
                entry: entry)
        }.sorted { $0.isBefore($1) }.map(\.entry)
    }

    /// The position of a record in a list.
    private struct ListPlace {
        let position: PositionKey?
        /// The beginning of its name, as the store's index orders names; empty without one.
        let indexed: [UInt8]
        let name: [UInt8]
        let time: Int64
        let entry: ShownEntry

        func isBefore(_ other: ListPlace) -> Bool {
            switch (position, other.position) {
            case (let left?, let right?) where left != right: return left < right
            case (.some, nil): return true
            case (nil, .some): return false
            default: break
            }
            if indexed != other.indexed {
                return indexed.lexicographicallyPrecedes(other.indexed)
            }
            if name != other.name { return name.lexicographicallyPrecedes(other.name) }
            if time != other.time { return time < other.time }
            return entry.id < other.entry.id
        }
    }
}

extension [ShownEntry] {
    /// The last position that people gave one of them, by an order field; nil for none.
    package func lastPosition(in field: String) -> PositionKey? {
        compactMap { $0.record.value(field)?.text }.compactMap { PositionKey($0) }.max()
    }
}
