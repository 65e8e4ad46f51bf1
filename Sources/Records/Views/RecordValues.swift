import LocalAPI
import SyncCore

/// Turns a person's values into values of the schema's types, or reports the mistake.
struct RecordValues {
    let service: RecordService
    private let place: RecordService.Place
    private let reader: RecordReader

    init(_ service: RecordService, _ place: RecordService.Place, _ reader: RecordReader) {
        (self.service, self.place, self.reader) = (service, place, reader)
    }

    /// The precedence of this device's writes there.
    var precedence: UInt32 { service.replica.precedence(in: place.space.id) }

    /// The field of a name; throws a sentence for an unknown one, and for one that cannot be written by
    /// name.
    func field(_ name: String) throws(APIError) -> FieldSchema {
        if place.collection.derived.contains(where: { $0.name == name }) {
            throw RecordErrors.derivedField(name)
        }
        guard let field = place.collection.field(name) else {
            throw APIError.unknownRecordField(
                ShownText.line(name), of: place.collection.name,
                known: place.collection.fields.map(\.name))
        }
        return field
    }

    /// Values by field, for comparing; adds no files.
    func wanted(
        _ given: [String: FieldValue]
    ) throws -> [(field: FieldSchema, value: Value)] {
        var wanted: [(field: FieldSchema, value: Value)] = []
        for (name, value) in given.sorted(by: { $0.key < $1.key }) {
            let field = try field(name)
            guard !field.isLocal else {
                throw APIError(
                    code: .badInput, sentence: "\(name) belongs to this device alone.",
                    hint: "It is shown with each record, and cannot be asked for.")
            }
            var type = field.type
            if case .set(let element) = type { type = element }
            wanted.append((field, try self.value(value, type, name)))
        }
        return wanted
    }

    /// The value of a field that is not a set; null clears it.
    func value(_ given: FieldValue, of field: FieldSchema) throws -> Value {
        if case .set = field.type { throw RecordErrors.setNeedsElements(field.name) }
        if field.type == .order {
            throw RecordErrors.orderNeedsPlace(field.name)
        }
        let value = try value(given, field.type, field.name)
        if value == .null, field.isRequired {
            throw RecordErrors.requiredField(field.name)
        }
        return value
    }

    /// An element of a set.
    func element(_ given: FieldValue, of field: FieldSchema) throws -> Value {
        guard case .set(let type) = field.type else {
            throw APIError(
                code: .badInput, sentence: "\(field.name) has one value and is no set.",
                hint: "Give it another one: \(field.name)=VALUE")
        }
        let value = try value(given, type, field.name)
        guard value != .null else { throw APIError.wrongType(field.name, type: type.word) }
        return value
    }

    private func value(_ given: FieldValue, _ type: FieldType, _ name: String) throws -> Value {
        let given = try given.read(as: type, of: name)
        guard case (.reference(let target, _), .reference(let record)) = (type, given) else {
            return try given.checked(as: type, of: name)
        }
        return .reference(
            try reader.named(record.id, in: target) {
                let entry = try service.find(record.id, in: target, reader)
                // Others would get a reference to a missing record.
                guard !entry.isUnfinished else {
                    throw APIError(
                        code: .conflict,
                        sentence: """
                            \(Sentence.name(reader.title(entry.record, in: target))) is unfinished and only on this device: nothing can refer to it yet.
                            """,
                        hint: "Finish it first.")
                }
                return entry.id
            })
    }

    /// The path of the file for a field.
    func path(_ given: FieldValue, of field: FieldSchema) throws(APIError) -> String {
        guard case .blob(let blob) = given, let path = blob.path else {
            throw APIError.wrongType(field.name, type: "blob")
        }
        try FileIntake.check(path)
        return path
    }

    /// Adds the file for a field; durable on return.
    func file(_ path: String, of field: FieldSchema) async throws -> NamedBlob {
        var kind = NamedBlobKind.original
        if case .blob(let known) = field.type { kind = known }
        guard
            let added = try await FileIntake(service.replica).add(
                photos: [path], track: nil, into: place.space
            ).photos.first?.original
        else { throw APIError.noSuchFile(ShownText.line(path)) }
        return NamedBlob(blob: added.blob, size: added.size, kind: kind)
    }
}

extension FieldValue {
    /// The value as a type other than a reference. Throws ``APIError`` when it does not fit.
    func checked(as type: FieldType, of name: String) throws -> Value {
        switch (type, self) {
        case (_, .null): return .null
        case (.text, .text(let text)): return .text(try InputCheck.text(text))
        case (.integer, .integer(let number)): return .integer(number)
        case (.decimal, .integer(let number)): return .decimal(String(number))
        case (.decimal, .decimal(let digits)) where ExactDecimal(digits) != nil:
            return .decimal(digits)
        case (.boolean, .boolean(let flag)): return .boolean(flag)
        case (.time, .time(let moment)): return .time(try InputCheck.moment(moment))
        case (.position, .position(let position)):
            return .position(try InputCheck.position(position))
        case (.json, .json(let text)) where JSONSyntax.isValid(text):
            return .json(try InputCheck.text(text))
        default: throw APIError.wrongType(name, type: type.word)
        }
    }
}
