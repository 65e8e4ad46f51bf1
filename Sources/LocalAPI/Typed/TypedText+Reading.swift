internal import Foundation

extension TypedText {
    /// The value as a type of the schema. Throws ``APIError``, which names the field.
    package func value(as type: String, of field: String) throws -> FieldValue {
        // An empty text is a value only for texts and sets.
        if text.isEmpty, type != "text", type != "set" { return .null }
        switch type {
        case "integer":
            guard let number = Int64(text) else { throw APIError.wrongType(field, type: type) }
            return .integer(number)
        case "decimal":
            return .decimal(try NumberInput.plain(text, decimalComma: decimalComma == true))
        case "boolean":
            guard let flag else { throw APIError.wrongType(field, type: type) }
            return .boolean(flag)
        case "time":
            let zone = TimeZone(identifier: zone) ?? .current
            let language: Language = decimalComma == true ? .german : .current
            return .time(try TimeInput(zone: zone, language: language).start(text))
        case "position": return .position(try position(field))
        case "json": return .json(text)
        case "blob":
            return .blob(
                BlobReference(
                    id: nil, bytes: nil, here: nil, path: try FilePath.existing(text, in: folder)))
        case "reference": return .reference(RecordReference(id: text))
        default: return .text(text)
        }
    }

    private var flag: Bool? {
        switch text.lowercased() {
        case "yes", "true", "on", "ja": true
        case "no", "false", "off", "nein": false
        default: nil
        }
    }

    /// Degrees north and east, then if known the radius and the altitude in metres.
    private func position(_ field: String) throws -> Position {
        let parts = PositionInput.parts(of: text)
        guard (2...4).contains(parts.count) else {
            throw APIError.wrongType(field, type: "position")
        }
        let place = try PositionInput(parts[0], parts[1])
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
}
