import FoundationEssentials

/// The encoding of an input in a query: texts, numbers and booleans literally, times and circles as
/// ``QueryText``, everything else as JSON.
enum QueryCoding {
    /// The parts that are not nil, in the order of the type.
    static func encode(_ input: some Encodable) throws -> [(name: String, value: String)] {
        let query = QueryEncoder()
        try input.encode(to: query)
        return query.pairs
    }

    /// Throws `DecodingError`, and ``APIError`` for a mistake within a JSON value.
    static func decode<Input: Decodable>(
        _ type: Input.Type, from query: [String: String]
    ) throws -> Input {
        try Input(from: QueryDecoder(query: query))
    }
}

/// A value that is a single word in a query.
package protocol QueryText {
    init?(queryText: String)
    var queryText: String { get }
}

/// Milliseconds since 1970 (UTC).
extension Moment: QueryText {
    package init?(queryText: String) {
        guard let milliseconds = Int64(queryText) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    package var queryText: String { String(milliseconds) }
}

/// `LATITUDE,LONGITUDE,METRES`.
extension MemoryFilter.Near: QueryText {
    package init?(queryText: String) {
        let numbers = queryText.split(separator: ",").map { Double($0) }
        guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1],
            let radius = numbers[2], abs(latitude) <= 90, abs(longitude) <= 180, radius > 0
        else { return nil }
        self.init(latitude: latitude, longitude: longitude, radius: radius)
    }

    package var queryText: String { "\(latitude),\(longitude),\(radius)" }
}

private struct QueryDecoder: Decoder {
    let query: [String: String]
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Parts(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw isNoQuery }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw isNoQuery }

    fileprivate var isNoQuery: DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "a query has named parts"))
    }

    private struct Parts<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: QueryDecoder
        let codingPath: [any CodingKey] = []
        var allKeys: [Key] { decoder.query.keys.compactMap { Key(stringValue: $0) } }

        func contains(_ key: Key) -> Bool { decoder.query[key.stringValue] != nil }
        func decodeNil(forKey key: Key) -> Bool { !contains(key) }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let context = DecodingError.Context(codingPath: [key], debugDescription: "in a query")
            guard let text = decoder.query[key.stringValue] else {
                throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: ""))
            }
            let value: Any?
            switch type {
            case let type as any QueryText.Type: value = type.init(queryText: text)
            case let type as any LosslessStringConvertible.Type: value = type.init(text)
            default:
                do {
                    return try JSONCoding.decode(type, from: Data(text.utf8))
                } catch let error as DecodingError {
                    throw APIError.unreadableRequest(
                        detail: "\(key.stringValue): \(error.shortDescription)")
                }
            }
            guard let value = value as? Value else {
                throw DecodingError.typeMismatch(type, context)
            }
            return value
        }

        func nestedContainer<Nested>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw decoder.isNoQuery }
        func nestedUnkeyedContainer(
            forKey key: Key
        ) throws -> any UnkeyedDecodingContainer { throw decoder.isNoQuery }
        func superDecoder() throws -> any Decoder { throw decoder.isNoQuery }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw decoder.isNoQuery }
    }
}

/// Collects the named parts of a value; only for ``QueryCoding``, one per value.
private final class QueryEncoder: Encoder {
    private(set) var pairs: [(name: String, value: String)] = []
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Parts(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        preconditionFailure("an input of a query is a list")
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        preconditionFailure("an input of a query is a single value")
    }

    private struct Parts<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: QueryEncoder
        let codingPath: [any CodingKey] = []

        func encodeNil(forKey key: Key) {}

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            let text =
                switch value {
                case let value as any QueryText: value.queryText
                case let value as any LosslessStringConvertible: value.description
                default: String(decoding: try JSONCoding.encode(value), as: UTF8.self)
                }
            encoder.pairs.append((key.stringValue, text))
        }

        func nestedContainer<Nested>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { encoder.container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            encoder.unkeyedContainer()
        }
        func superEncoder() -> any Encoder { encoder }
        func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }
}
