package import FoundationEssentials

/// The JSON encoding of all values in this API: keys sorted, absent values left out.
package enum JSONCoding {
    /// One line.
    package static func encode(_ value: some Encodable) throws -> Data {
        try encoder([.sortedKeys, .withoutEscapingSlashes]).encode(value)
    }

    /// Indented, for people who read JSON.
    package static func encodeIndented(_ value: some Encodable) throws -> Data {
        try encoder([.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]).encode(value)
    }

    /// Throws `DecodingError`.
    package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws
        -> Value
    {
        try JSONDecoder().decode(type, from: data)
    }

    private static func encoder(_ formatting: JSONEncoder.OutputFormatting) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        return encoder
    }
}

extension DecodingError {
    /// The mistake and its place, in a few words.
    var shortDescription: String {
        switch self {
        case .keyNotFound(let key, let context):
            return "\(Self.path(context.codingPath + [key])) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(Self.path(context.codingPath)) has the wrong type"
        case .dataCorrupted(let context) where context.codingPath.isEmpty: return "it is not JSON"
        case .dataCorrupted(let context):
            return "\(Self.path(context.codingPath)) has a value that is not known"
        @unknown default: return "it is not what was expected"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map(\.stringValue).joined(separator: ".")
    }
}
