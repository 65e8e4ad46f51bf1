internal import SyncCore

/// A header block of a tar file (POSIX.1-2017, pax, "ustar Interchange Format").
package struct TarHeader {
    static let blockBytes = 512

    enum Kind {
        case file
        case folder
        /// More about the file that follows.
        case extended
        /// A long name for the file that follows, as GNU tar writes it.
        case longName
        /// More about all files that follow.
        case global
        case other
    }

    var kind: Kind
    var name: String
    /// Bytes of the content that follows, without the padding to a full block.
    var size: UInt64

    /// A size, rounded up to full blocks.
    static func padded(_ size: UInt64) -> UInt64 {
        let block = UInt64(blockBytes)
        return (size + block - 1) / block * block
    }

    // MARK: Writing

    /// The blocks before the content of a file: one, or three or more when name or size need more room.
    /// `modified` is in seconds since 1970.
    package static func blocks(name: String, size: UInt64, modified: UInt64) -> [UInt8] {
        let isPlain = name.utf8.count <= 100 && name.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        var records = ""
        if !isPlain { records += record("path", name) }
        if size > Limits.tarPlainBytes { records += record("size", String(size)) }
        let shown = isPlain ? name : "file"
        guard !records.isEmpty else { return block("0", shown, size, modified) }
        let bytes = Array(records.utf8)
        return block("x", "pax", UInt64(bytes.count), modified) + bytes
            + [UInt8](repeating: 0, count: Int(padded(UInt64(bytes.count))) - bytes.count)
            + block("0", shown, min(size, Limits.tarPlainBytes), modified)
    }

    /// A record of an extended header begins with its own length.
    private static func record(_ key: String, _ value: String) -> String {
        let rest = " \(key)=\(value)\n"
        var length = rest.utf8.count + 1
        while String(length).utf8.count + rest.utf8.count != length { length += 1 }
        return "\(length)\(rest)"
    }

    private static func block(
        _ type: Character, _ name: String, _ size: UInt64, _ modified: UInt64
    ) -> [UInt8] {
        func octal(_ number: UInt64, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text + "\0"
        }
        func filled(_ text: String, _ count: Int) -> String {
            text + String(repeating: "\0", count: count - text.utf8.count)
        }
        let head =
            filled(name, 100) + octal(0o644, 7) + octal(0, 7) + octal(0, 7) + octal(size, 11)
            + octal(modified, 11)
        let tail =
            String(type) + filled("", 100) + "ustar\0" + "00" + filled("", 64) + octal(0, 7)
            + octal(0, 7) + filled("", 167)
        // The checksum is computed with blanks in its own field.
        let sum = (head + "        " + tail).utf8.reduce(0) { $0 + UInt64($1) }
        return Array((head + octal(sum, 6) + " " + tail).utf8)
    }

    // MARK: Reading

    /// Nil for a block of zeros, which ends a tar file. Throws `ArchiveError.notAnArchive`, `damaged`.
    init?(parsing block: [UInt8]) throws(ArchiveError) {
        guard block.count == TarHeader.blockBytes else { throw .damaged }
        if block.allSatisfy({ $0 == 0 }) { return nil }
        guard TarHeader.isSummed(block), let size = TarHeader.number(block[124..<136]) else {
            throw .notAnArchive
        }
        self.size = size
        let prefix =
            block[257..<263].elementsEqual(Array("ustar\0".utf8))
            ? TarHeader.text(block[345..<500]) : ""
        let name = TarHeader.text(block[0..<100])
        self.name = prefix.isEmpty ? name : "\(prefix)/\(name)"
        switch block[156] {
        case UInt8(ascii: "0"), 0: kind = .file
        case UInt8(ascii: "5"): kind = .folder
        case UInt8(ascii: "x"): kind = .extended
        case UInt8(ascii: "g"): kind = .global
        case UInt8(ascii: "L"): kind = .longName
        default: kind = .other
        }
    }

    /// The records of an extended header; of several with one key, the last counts.
    static func records(_ bytes: [UInt8]) throws(ArchiveError) -> [String: String] {
        var records: [String: String] = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let blank = rest.prefix(20).firstIndex(of: UInt8(ascii: " ")),
                let length = Int(String(decoding: rest[..<blank], as: UTF8.self)),
                length > blank - rest.startIndex + 1, length <= rest.count,
                rest[rest.startIndex + length - 1] == UInt8(ascii: "\n")
            else { throw .damaged }
            let record = rest[(blank + 1)..<(rest.startIndex + length - 1)]
            rest = rest.dropFirst(length)
            guard let mark = record.firstIndex(of: UInt8(ascii: "=")),
                let value = String(validating: record[(mark + 1)...], as: UTF8.self)
            else { throw .damaged }
            records[String(decoding: record[..<mark], as: UTF8.self)] = value
        }
        return records
    }

    private static func isSummed(_ block: [UInt8]) -> Bool {
        let sum = block.indices.reduce(UInt64(0)) { sum, index in
            sum + UInt64((148..<156).contains(index) ? UInt8(ascii: " ") : block[index])
        }
        return number(block[148..<156]) == sum
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Octal digits; or, with the first bit set, a binary number, as GNU tar writes large ones.
    private static func number(_ field: ArraySlice<UInt8>) -> UInt64? {
        if let first = field.first, first & 0x80 != 0 {
            guard first == 0x80, field.dropFirst().dropLast(8).allSatisfy({ $0 == 0 }) else {
                return nil
            }
            return field.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        let digits = field.drop { $0 == UInt8(ascii: " ") }
            .prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
        return digits.isEmpty ? 0 : UInt64(String(decoding: digits, as: UTF8.self), radix: 8)
    }
}

extension Limits {
    /// The largest file size that fits eleven octal digits.
    static let tarPlainBytes: UInt64 = (8 << 30) - 1
    /// Bytes of an extended header: a name and a few times.
    static let tarExtendedBytes: UInt64 = 64 * 1024
}
