import LocalAPI

/// The shape of a value in JSON.
indirect enum Shape: Equatable {
    case text, integer, integer64, number, truth
    case list(Shape)
    /// An object with any names.
    case map(Shape)
    /// A type with a name of its own.
    case named(String)
}

/// A type with a name of its own.
enum NamedShape: Equatable {
    struct Property: Equatable {
        let name: String
        let shape: Shape
        var isRequired = true
    }

    case object([Property])
    case choice([String])
    /// Reads and writes its JSON itself, so that the page describes it by hand.
    case custom
}

/// Finds the parts of JSON types, by recording their requests to a decoder.
final class ShapeRecorder {
    private(set) var named: [String: NamedShape] = [:]

    func shape(of type: any Decodable.Type) throws -> Shape {
        switch type {
        case is String.Type, is Message.Type: return .text
        case is Int.Type, is Int32.Type: return .integer
        case is Int64.Type: return .integer64
        case is Double.Type: return .number
        case is Bool.Type: return .truth
        case let list as any ListType.Type: return .list(try shape(of: list.element))
        case let map as any MapType.Type: return .map(try shape(of: map.element))
        default:
            try record(type)
            return .named(Self.name(of: type))
        }
    }

    /// `WhyView.Device`, without the module.
    static func name(of type: any Decodable.Type) -> String {
        String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
    }

    private func record(_ type: any Decodable.Type) throws {
        let name = Self.name(of: type)
        guard named[name] == nil else { return }
        if type == FieldValue.self {
            named[name] = .custom
            let parts: [any Decodable.Type] = [
                Moment.self, Position.self, BlobReference.self, RecordReference.self,
                TypedText.self,
            ]
            for part in parts { try record(part) }
        } else if let choice = type as? any (CaseIterable & RawRepresentable).Type {
            named[name] = .choice(Self.cases(of: choice))
        } else {
            named[name] = .object(try properties(of: type))
        }
    }

    private static func cases<Choice: CaseIterable & RawRepresentable>(
        of type: Choice.Type
    ) -> [String] {
        type.allCases.map { "\($0.rawValue)" }
    }

    /// In the order in which the type reads them.
    func properties(of type: any Decodable.Type) throws -> [NamedShape.Property] {
        let decoder = RecordingDecoder(recorder: self, type: type)
        _ = try type.init(from: decoder)
        return decoder.properties
    }
}

private protocol ListType {
    static var element: any Decodable.Type { get }
}

extension Array: ListType where Element: Decodable {
    fileprivate static var element: any Decodable.Type { Element.self }
}

private protocol MapType {
    static var element: any Decodable.Type { get }
}

extension Dictionary: MapType where Key == String, Value: Decodable {
    fileprivate static var element: any Decodable.Type { Value.self }
}

/// Notes the names and types that one type asks for.
private final class RecordingDecoder: Decoder {
    let recorder: ShapeRecorder
    let type: any Decodable.Type
    var properties: [NamedShape.Property] = []
    /// Names whose absence the type allows.
    var optional: Set<String> = []
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(recorder: ShapeRecorder, type: any Decodable.Type) {
        self.recorder = recorder
        self.type = type
    }

    var isNoObject: SampleMaker.Unmakeable {
        .init(reason: "\(type) is neither an object nor an enum that lists its cases")
    }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Parts(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw isNoObject }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw isNoObject }

    private struct Parts<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: RecordingDecoder
        let codingPath: [any CodingKey] = []
        let allKeys: [Key] = []

        /// Asked before a part that may be absent is read.
        func contains(_ key: Key) -> Bool {
            decoder.optional.insert(key.stringValue)
            return true
        }

        func decodeNil(forKey key: Key) -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let name = key.stringValue
            decoder.properties.append(
                .init(
                    name: name, shape: try decoder.recorder.shape(of: type),
                    isRequired: !decoder.optional.contains(name)))
            // Any value does: the type reads it as a part of itself.
            return try SampleMaker.make(type, .bare)
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
