internal import LocalAPI
internal import Store
internal import SyncCore

/// The order in which a list of records comes in parts, and where a part begins.
struct RecordParts {
    /// The whole order.
    private let all: IndexSpan
    /// What comes after the part before.
    private let rest: IndexSpan
    private let limit: Int
    private let collection: CollectionSchema

    /// Nil for a list that comes whole: without a limit, by words, or in the order that people gave.
    init?(_ filter: RecordFilter, of collection: CollectionSchema) throws {
        guard let limit = filter.limit else { return nil }
        guard 1...LocalLimits.recordsOfPart ~= limit else {
            throw RecordErrors.badLimit(LocalLimits.recordsOfPart)
        }
        guard filter.text == nil, let all = RecordParts.order(of: collection) else { return nil }
        (self.all, self.limit, self.collection) = (all, limit, collection)
        rest = try filter.after.map { try RecordParts.rest(of: all, after: $0) } ?? all
    }

    /// As ``RecordService/sorted(_:in:_:)`` sorts, but for what the index does not hold.
    private static func order(of collection: CollectionSchema) -> IndexSpan? {
        if collection.orderField != nil { return nil }
        guard collection.isListedByName else { return .allTimesAndIDs }
        return collection.titleField == nil ? .allIDs : .allNames
    }

    /// The wanted records of this part, in no certain order, and the beginning of the next one; nil for the last
    /// part. Records without a name come with the first part, those without a time with the last one.
    func entries(
        in reader: RecordReader, where isWanted: (ShownEntry) throws -> Bool
    ) throws -> (entries: [ShownEntry], next: String?) {
        let name = collection.name
        // Unfinished ones are read first, as in RecordReader.state.
        let unfinished = try reader.unfinished(in: name, where: isWanted)
        let indexed = IndexedRecords(reader, name, includeDeleted: true)
        let (part, behind) = try indexed.part(rest, limit: limit, where: isWanted)
        let hasUnplaced = isByTime ? behind == nil : rest == all
        var found = part
        if hasUnplaced { found += try indexed.outside(all, where: isWanted) }
        found += unfinished.filter { entry in
            guard let isAhead = rest.holds(entry.id, entry.state, in: collection) else {
                return hasUnplaced
            }
            return isAhead && behind?.holds(entry.id, entry.state, in: collection) != true
        }
        return (found, behind.map(RecordParts.mark))
    }

    private var isByTime: Bool { if case .timesAndIDs = all { true } else { false } }

    // MARK: Marks

    /// The place that a part begins behind, after a letter for its order: the same bytes are another place in another
    /// order.
    private static func mark(_ rest: IndexSpan) -> String {
        switch rest {
        case .times(let after, _): "t\(after)"
        case .timesAndIDs(let after, _): "t\(after.time).\(hexadecimal(after.id))"
        case .names(let after, _): "n\(hexadecimal(after))"
        case .ids(let after, _): "i\(hexadecimal(after))"
        }
    }

    private static func rest(of all: IndexSpan, after mark: String) throws -> IndexSpan {
        let place = mark.dropFirst()
        let rest: IndexSpan? =
            switch (all, mark.first) {
            case (.timesAndIDs(_, let through), "t"):
                timePlace(place).map { .timesAndIDs(after: $0, through: through) }
            case (.names(_, let through), "n"):
                bytes(hexadecimal: place).map { .names(after: $0, through: through) }
            case (.ids(_, let through), "i"):
                RecordID(hexadecimal: place).map { .ids(after: $0.bytes, through: through) }
            default: nil
            }
        guard let rest else {
            throw APIError(
                code: .badInput, sentence: "There is no such place in this list.",
                hint: "Use the value that came with the part before.")
        }
        return rest
    }

    private static func timePlace(_ text: Substring) -> IndexSpan.TimePlace? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let time = Int64(parts[0]),
            let id = RecordID(hexadecimal: parts[1])
        else { return nil }
        return IndexSpan.TimePlace(time: time, id: id.bytes)
    }
}

extension CollectionSchema {
    /// Records with a time and without a name, such as purchases, are listed by their time.
    var isListedByName: Bool {
        timeField == nil || ["title", "name"].contains { field($0) != nil }
    }
}
