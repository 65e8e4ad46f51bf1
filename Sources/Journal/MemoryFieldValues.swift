internal import LocalAPI
internal import Records
internal import SyncCore

/// Turns a draft or an edit of a memory into values of fields.
enum MemoryFieldValues {
    typealias Field = JournalSchema.Field

    /// The values of a new memory; empty ones are left out, but a record needs at least one.
    static func values(of draft: MemoryDraft) throws -> [(field: String, value: Value)] {
        var changes = MemoryChanges()
        (changes.title, changes.text) = (draft.title, draft.text)
        (changes.at, changes.position) = (draft.at, draft.position)
        (changes.locationName, changes.weather) = (draft.locationName, draft.weather)
        return try values(of: changes).filter { $0.field == Field.title || $0.value != .text("") }
    }

    /// The values of an edit; a cleared field gets null.
    static func values(of changes: MemoryChanges) throws -> [(field: String, value: Value)] {
        var values: [(field: String, value: Value)] = []
        func add<Given>(_ field: String, _ given: Given?, _ value: (Given) throws -> Value) throws {
            if let given { values.append((field, try value(given))) }
        }
        try add(Field.title, changes.title) { .text(try InputCheck.line($0, .title)) }
        try add(Field.text, changes.text) { .text(try InputCheck.text($0)) }
        try add(Field.at, changes.at) { .time(try InputCheck.moment($0)) }
        try add(Field.position, changes.position) { .position(try InputCheck.position($0)) }
        try add(Field.locationName, changes.locationName) {
            .text(try InputCheck.line($0, .locationName))
        }
        try add(Field.weather, changes.weather) { .text(try InputCheck.line($0, .weather)) }
        return values + changes.clear.compactMap(cleared).map { ($0, .null) }
    }

    /// Nil for the track, which is a separate record.
    private static func cleared(_ field: MemoryChanges.ClearableField) -> String? {
        switch field {
        case .at: Field.at
        case .position: Field.position
        case .locationName: Field.locationName
        case .weather: Field.weather
        case .bucketItem: Field.bucketItem
        case .track: nil
        }
    }
}
