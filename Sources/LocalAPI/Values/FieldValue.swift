/// The value of one field of a record, of any schema.
///
/// As JSON a text is a string, an integer a number, a boolean true or false, a set an array, and
/// nothing is null. Everything else is an object with one name that says what it is: `decimal` and
/// `json` with their digits or text as a string, byte for byte; `time`, `position`, `blob` and
/// `reference`; `unknown`, for kinds of newer programs, with its bytes in hexadecimal. Only in what is
/// given, `typed` is what a person typed, for the agent to read as the type of the field says.
package indirect enum FieldValue: Codable, Sendable, Hashable {
    case null
    case text(String)
    case integer(Int64)
    case decimal(String)
    case boolean(Bool)
    case time(Moment)
    case position(Position)
    case json(String)
    case blob(BlobReference)
    case reference(RecordReference)
    case set([FieldValue])
    case unknown(String)
    case typed(TypedText)

    private enum Kind: String, CodingKey {
        case decimal, time, position, json, blob, reference, unknown, typed
    }

    package init(from decoder: any Decoder) throws {
        // The most frequent kinds first: each wrong guess costs an error.
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let text = try? single.decode(String.self) {
            self = .text(text)
        } else if let object = try? decoder.container(keyedBy: Kind.self) {
            self = try FieldValue.read(object)
        } else if let number = try? single.decode(Int64.self) {
            self = .integer(number)
        } else if let flag = try? single.decode(Bool.self) {
            self = .boolean(flag)
        } else {
            self = .set(try single.decode([FieldValue].self))
        }
    }

    private static func read(_ object: KeyedDecodingContainer<Kind>) throws -> FieldValue {
        guard let kind = object.allKeys.first, object.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: object.codingPath, debugDescription: "one kind of value"))
        }
        switch kind {
        case .decimal: return .decimal(try object.decode(String.self, forKey: kind))
        case .time: return .time(try object.decode(Moment.self, forKey: kind))
        case .position: return .position(try object.decode(Position.self, forKey: kind))
        case .json: return .json(try object.decode(String.self, forKey: kind))
        case .blob: return .blob(try object.decode(BlobReference.self, forKey: kind))
        case .reference: return .reference(try object.decode(RecordReference.self, forKey: kind))
        case .unknown: return .unknown(try object.decode(String.self, forKey: kind))
        case .typed: return .typed(try object.decode(TypedText.self, forKey: kind))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var single = encoder.singleValueContainer()
            try single.encodeNil()
        case .text(let text): try FieldValue.single(text, encoder)
        case .integer(let number): try FieldValue.single(number, encoder)
        case .boolean(let flag): try FieldValue.single(flag, encoder)
        case .set(let elements): try FieldValue.single(elements, encoder)
        case .decimal(let digits): try FieldValue.object(.decimal, digits, encoder)
        case .time(let moment): try FieldValue.object(.time, moment, encoder)
        case .position(let position): try FieldValue.object(.position, position, encoder)
        case .json(let text): try FieldValue.object(.json, text, encoder)
        case .blob(let blob): try FieldValue.object(.blob, blob, encoder)
        case .reference(let record): try FieldValue.object(.reference, record, encoder)
        case .unknown(let bytes): try FieldValue.object(.unknown, bytes, encoder)
        case .typed(let text): try FieldValue.object(.typed, text, encoder)
        }
    }

    private static func single(_ value: some Encodable, _ encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        try single.encode(value)
    }

    private static func object(
        _ kind: Kind, _ value: some Encodable, _ encoder: any Encoder
    ) throws {
        var object = encoder.container(keyedBy: Kind.self)
        try object.encode(value, forKey: kind)
    }
}

/// A file that a record names.
package struct BlobReference: Codable, Sendable, Hashable {
    /// Its hash; absent in input.
    package let id: String?
    package let bytes: Int64?
    /// Whether its bytes are on this device.
    package let here: Bool?
    /// Absolute path of the file to add; only in input.
    package let path: String?

    package init(id: String?, bytes: Int64?, here: Bool?, path: String? = nil) {
        (self.id, self.bytes, self.here, self.path) = (id, bytes, here, path)
    }
}

/// A record that another one refers to.
package struct RecordReference: Codable, Sendable, Hashable {
    /// In input: its name, or the beginning of its id.
    package let id: String
    package let shortID: String?
    package let name: String?
    package let state: State?

    /// The state of the target.
    package enum State: String, Codable, Sendable, CaseIterable {
        case shown
        /// It has not arrived yet.
        case pending
        case deleted
    }

    package init(id: String, shortID: String? = nil, name: String? = nil, state: State? = nil) {
        (self.id, self.shortID, self.name, self.state) = (id, shortID, name, state)
    }
}
