internal import SyncCore

/// A text that a record had before its latest one, as what differs from that: most often that are few bytes, and
/// a row that grows by more often has to be moved to another page.
package enum FormerText {
    /// How many bytes both begin and end with, and what the former one has between them.
    package static func encode(_ former: String, before text: String) -> [UInt8] {
        let (former, text) = (Array(former.utf8), Array(text.utf8))
        let start = zip(former, text).prefix { $0 == $1 }.count
        let end = zip(former[start...].reversed(), text[start...].reversed())
            .prefix { $0 == $1 }.count
        var writer = ByteWriter(capacity: 16)
        writer.append(number: UInt64(start))
        writer.append(number: UInt64(end))
        writer.append(prefixed: former[start..<(former.count - end)])
        Invariants.check(
            (try? decode(writer.bytes, before: String(decoding: text, as: UTF8.self)).utf8)
                .map { $0.elementsEqual(former) } == true, "a former text is read back as another")
        return writer.bytes
    }

    package static func decode(
        _ bytes: [UInt8], before text: String
    ) throws(RecordCodec.Malformed) -> String {
        var reader = ByteReader(bytes)
        let text = Array(text.utf8)
        let (start, end) = (try reader.number(), try reader.number())
        let middle = try reader.prefixed()
        guard reader.isAtEnd, start <= text.count, end <= UInt64(text.count) - start,
            let former = String(
                validating: text.prefix(Int(start)) + middle + text.suffix(Int(end)), as: UTF8.self)
        else { throw RecordCodec.Malformed() }
        return former
    }
}
