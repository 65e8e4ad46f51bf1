package import LocalAPI
internal import Records
package import SyncCore

/// What a draft or an edit of a memory says, as values of its fields.
package enum MemoryFieldValues {
    /// Reads what an edit hands back from ``MemoryView/replaces``: by schema field.
    package static func seen(_ tokens: [String: [String]]) throws(APIError) -> [String: [WriteID]] {
        var seen: [String: [WriteID]] = [:]
        for (name, texts) in tokens {
            guard let entry = JournalSchema.memoryFields.first(where: { $0.shown == name }) else {
                throw APIError.unknownField(ShownText.line(name))
            }
            var writes: [WriteID] = []
            for text in texts { writes.append(try WriteToken.parse(text)) }
            seen[entry.field] = writes
        }
        return seen
    }

    /// The values of a new memory; empty ones are left out, but a record needs at least one.
    static func values(of draft: MemoryDraft) throws(APIError) -> [(field: String, value: Value)] {
        var values: [(field: String, value: Value)] = [
            (JournalSchema.Field.title, .text(try InputCheck.line(draft.title, .title)))
        ]
        let text = try InputCheck.text(draft.text)
        if !text.isEmpty { values.append((JournalSchema.Field.text, .text(text))) }
        if let at = draft.at {
            values.append((JournalSchema.Field.at, .time(try InputCheck.moment(at))))
        }
        if let position = draft.position {
            let value = try InputCheck.position(position)
            values.append((JournalSchema.Field.position, .position(value)))
        }
        let place = try InputCheck.line(draft.locationName, .locationName)
        if !place.isEmpty { values.append((JournalSchema.Field.locationName, .text(place))) }
        let weather = try InputCheck.line(draft.weather, .weather)
        if !weather.isEmpty { values.append((JournalSchema.Field.weather, .text(weather))) }
        return values
    }

    /// The values that an edit wants; cleared ones come as null.
    static func values(
        of changes: MemoryChanges
    ) throws(APIError) -> [(field: String, value: Value)] {
        var values: [(field: String, value: Value)] = []
        if let title = changes.title {
            values.append((JournalSchema.Field.title, .text(try InputCheck.line(title, .title))))
        }
        if let text = changes.text {
            values.append((JournalSchema.Field.text, .text(try InputCheck.text(text))))
        }
        if let at = changes.at {
            values.append((JournalSchema.Field.at, .time(try InputCheck.moment(at))))
        }
        if let position = changes.position {
            let value = try InputCheck.position(position)
            values.append((JournalSchema.Field.position, .position(value)))
        }
        if let place = changes.locationName {
            let value = try InputCheck.line(place, .locationName)
            values.append((JournalSchema.Field.locationName, .text(value)))
        }
        if let weather = changes.weather {
            let value = try InputCheck.line(weather, .weather)
            values.append((JournalSchema.Field.weather, .text(value)))
        }
        for field in changes.clear {
            if let name = cleared(field) { values.append((name, .null)) }
        }
        return values
    }

    /// Nil for the track, which is a record of its own.
    private static func cleared(_ field: MemoryChanges.ClearableField) -> String? {
        switch field {
        case .at: JournalSchema.Field.at
        case .position: JournalSchema.Field.position
        case .locationName: JournalSchema.Field.locationName
        case .weather: JournalSchema.Field.weather
        case .bucketItem: JournalSchema.Field.bucketItem
        case .track: nil
        }
    }
}
