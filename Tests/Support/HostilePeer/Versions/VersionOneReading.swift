/// Reads the parts of messages that version 1 knows, and skips the rest. As old as ``VersionOne``,
/// and never changed either.
struct OldFields {
    enum Content {
        case number(UInt64)
        case bytes([UInt8])
    }

    private var fields: [(number: UInt64, content: Content)] = []

    /// Nil if the bytes are not a message.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let key = OldFields.varint(&rest) else { return nil }
            switch key & 7 {
            case 0:
                guard let number = OldFields.varint(&rest) else { return nil }
                fields.append((key >> 3, .number(number)))
            case 1:
                guard rest.count >= 8 else { return nil }
                let number = rest.prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                fields.append((key >> 3, .number(number)))
                rest = rest.dropFirst(8)
            case 2:
                guard let length = OldFields.varint(&rest), length <= UInt64(rest.count) else {
                    return nil
                }
                fields.append((key >> 3, .bytes(Array(rest.prefix(Int(length))))))
                rest = rest.dropFirst(Int(length))
            default: return nil
            }
        }
    }

    private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    func all(_ number: UInt64) -> [[UInt8]] {
        fields.compactMap { field in
            if field.number == number, case .bytes(let bytes) = field.content { bytes } else { nil }
        }
    }

    func bytes(_ number: UInt64) -> [UInt8]? { all(number).last }

    func message(_ number: UInt64) -> OldFields? { bytes(number).flatMap { OldFields($0) } }

    /// 0 if the field is missing.
    func number(_ number: UInt64) -> UInt64 {
        fields.last { $0.number == number }.map { field in
            if case .number(let value) = field.content { value } else { 0 }
        } ?? 0
    }

    func text(_ number: UInt64) -> String? {
        bytes(number).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension VersionOne.Position {
    init?(_ fields: OldFields) {
        guard let device = fields.bytes(1), let incarnation = fields.bytes(2),
            let head = fields.bytes(4)
        else { return nil }
        self.init(
            device: device, incarnation: incarnation, sequence: fields.number(3), head: head)
    }
}

extension VersionOne.Commit {
    init?(_ fields: OldFields) {
        guard let header = fields.bytes(1), let signature = fields.bytes(2),
            let clear = fields.bytes(3), let operations = fields.bytes(4)
        else { return nil }
        self.init(header: header, signature: signature, clear: clear, operations: operations)
    }

    var position: VersionOne.Position? {
        guard let header = OldFields(header), let device = header.bytes(3),
            let incarnation = header.bytes(4)
        else { return nil }
        return VersionOne.Position(
            device: device, incarnation: incarnation, sequence: header.number(5), head: id)
    }

    /// The index of a grant to the device with this key among the facts; nil if there is none.
    func grant(to key: [UInt8]) -> UInt64? {
        let facts = OldFields(clear)?.all(2) ?? []
        let place = facts.lastIndex { bytes in
            let chain = OldFields(bytes)?.message(1)?.message(1)
            let card = chain?.all(1).last.flatMap { OldFields($0) }?.message(1)
            return card?.bytes(2) == key
        }
        return place.map { UInt64($0) }
    }

    /// The texts of one field of one collection.
    func texts(of collection: String, _ field: String) -> [String] {
        (OldFields(operations)?.all(1) ?? []).compactMap { OldFields($0) }
            .filter { $0.text(1) == collection }.flatMap { $0.all(3) }
            .compactMap { OldFields($0) }.filter { $0.text(1) == field }
            .compactMap { $0.message(3)?.text(2) }
    }
}
