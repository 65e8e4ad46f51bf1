internal import ArgumentParser
internal import LocalAPI

/// Reads what was typed for a field as a value of its type.
struct TypedText {
    private let time = TimeInput()

    /// `type` as the schema calls it; what is wrong with the text is said of the field.
    func value(_ text: String, _ type: String, of field: String) throws -> FieldValue {
        // An empty text is a text; of other types it is no value.
        if text.isEmpty, type != "text", type != "set" { return .null }
        switch type {
        case "integer":
            guard let number = Int64(text) else { throw APIError.wrongType(field, type: type) }
            return .integer(number)
        case "decimal": return .decimal(text)
        case "boolean":
            guard let flag = TypedText.flag(text) else {
                throw APIError.wrongType(field, type: type)
            }
            return .boolean(flag)
        case "time": return .time(try TypedText.usage { try time.moment(text) })
        case "position": return .position(try TypedText.position(text, field))
        case "json": return .json(text)
        case "blob":
            return .blob(
                BlobReference(
                    id: nil, bytes: nil, here: nil, path: try InputPath.existingFile(text)))
        case "reference": return .reference(RecordReference(id: text))
        default: return .text(text)
        }
    }

    private static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "on": true
        case "no", "false", "off": false
        default: nil
        }
    }

    /// Degrees north and east, then if known the radius and the altitude in metres.
    private static func position(_ text: String, _ field: String) throws -> Position {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard (2...4).contains(parts.count) else {
            throw APIError.wrongType(field, type: "position")
        }
        let place = try usage { try PositionInput(parts.prefix(2).joined(separator: ",")) }
        let rest = try parts.dropFirst(2).map { part in
            guard let metres = Double(part.trimmedLine) else {
                throw APIError.wrongType(field, type: "position")
            }
            return metres
        }
        return Position(
            latitude: place.latitude, longitude: place.longitude, radius: rest.first,
            altitude: rest.dropFirst().first)
    }

    /// What is wrong with a value is said like every other failure.
    private static func usage<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as ValidationError {
            throw APIError(code: .badInput, sentence: error.message)
        }
    }
}
