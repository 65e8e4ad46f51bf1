import LocalAPI

/// Makes a value of any type of the API, by answering all that the type asks of a decoder: an operation needs no sample
/// written by hand.
final class SampleMaker {
    enum Extent: CaseIterable {
        /// All that may be absent is there, lists have an element, and texts are hard to encode.
        case whole
        /// Nothing that may be absent is there, and lists are empty.
        case bare
    }

    private let extent: Extent
    /// Counts the parts, so that no two texts or numbers of one value are the same.
    private var count = 0
    private var depth = 0

    private init(_ extent: Extent) { self.extent = extent }

    struct Unmakeable: Error {
        let reason: String
    }

    static func make<Value: Decodable>(
        _ type: Value.Type, _ extent: Extent = .whole
    ) throws -> Value {
        try SampleMaker(extent).value(type)
    }

    fileprivate func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        count += 1
        let isWhole = extent == .whole
        let value: Any? =
            switch type {
            case is String.Type: text
            case is Message.Type: Message(verbatim: text)
            case is Int.Type: isWhole ? count : 0
            case is Int32.Type: Int32(isWhole ? count : 0)
            case is Int64.Type: Int64(isWhole ? 5_000_000_000 + count : 0)
            case is Double.Type: Double(isWhole ? 0.1 + Double(count % 80) : 0)
            case is Bool.Type: isWhole
            // A query has no time zone.
            case is Moment.Type:
                Moment(milliseconds: isWhole ? Samples.moment.milliseconds + Int64(count) : 0)
            case is FieldValue.Type: isWhole ? FieldValue.set(Samples.fieldValues) : .null
            case let list as any ListType.Type: try list.list(from: self, isEmpty: isEmpty)
            case let map as any MapType.Type: try map.map(from: self, isEmpty: isEmpty)
            case let choice as any CaseIterable.Type: Self.choice(of: choice, count)
            default: try object(type)
            }
        guard let value = value as? Value else {
            throw Unmakeable(reason: "there is no value of \(type)")
        }
        return value
    }

    private var text: String { extent == .whole ? "\(Samples.hardName)\(count)" : "" }

    /// Types that contain themselves end somewhere.
    private var isEmpty: Bool { extent == .bare || depth > 12 }

    fileprivate func mayBeThere() -> Bool { !isEmpty }

    private func object<Value: Decodable>(_ type: Value.Type) throws -> Value {
        depth += 1
        defer { depth -= 1 }
        return try type.init(from: SampleDecoder(maker: self, type: type))
    }

    private static func choice<Choice: CaseIterable>(of type: Choice.Type, _ count: Int) -> Any? {
        let cases = Array(type.allCases)
        return cases.isEmpty ? nil : cases[count % cases.count]
    }
}

private protocol ListType {
    static func list(from maker: SampleMaker, isEmpty: Bool) throws -> Any
}

extension Array: ListType where Element: Decodable {
    fileprivate static func list(from maker: SampleMaker, isEmpty: Bool) throws -> Any {
        isEmpty ? [Element]() : [try maker.value(Element.self)]
    }
}

private protocol MapType {
    static func map(from maker: SampleMaker, isEmpty: Bool) throws -> Any
}

extension Dictionary: MapType where Key == String, Value: Decodable {
    fileprivate static func map(from maker: SampleMaker, isEmpty: Bool) throws -> Any {
        isEmpty ? [String: Value]() : [Samples.hardName: try maker.value(Value.self)]
    }
}

/// Answers what one type asks for.
private struct SampleDecoder: Decoder {
    let maker: SampleMaker
    let type: any Decodable.Type
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    var isNoObject: SampleMaker.Unmakeable {
        .init(reason: "\(type) is neither an object nor an enum that lists its cases")
    }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Parts(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw isNoObject }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw isNoObject }

    private struct Parts<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: SampleDecoder
        let codingPath: [any CodingKey] = []
        let allKeys: [Key] = []

        /// Asked before a part that may be absent is read.
        func contains(_ key: Key) -> Bool { decoder.maker.mayBeThere() }
        func decodeNil(forKey key: Key) -> Bool { !decoder.maker.mayBeThere() }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try decoder.maker.value(type)
        }

        func nestedContainer<Nested>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw decoder.isNoObject }
        func nestedUnkeyedContainer(
            forKey key: Key
        ) throws -> any UnkeyedDecodingContainer { throw decoder.isNoObject }
        func superDecoder() throws -> any Decoder { throw decoder.isNoObject }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw decoder.isNoObject }
    }
}
