internal import SyncCore

/// Why a TXT record is not ours, or is unusable.
package enum ServiceRecordError: Error, Equatable {
    case tooLarge
    case noVersion
    case malformedVersion
    case malformedNameplate
}

/// The content of a service instance's TXT record (RFC 6763 section 6): `v`, the newest protocol
/// version it speaks, and, while pairing is open, `pn`, the nameplate of the code. Nothing in it
/// distinguishes one installation from another.
package struct ServiceRecord: Hashable, Sendable {
    /// 1 to 65535.
    package let protocolVersion: Int
    /// The digits before the dash of a pairing code, as `7` in `7-4827-1956`.
    package let nameplate: String?

    /// - Throws: `malformedVersion` or `malformedNameplate` for values no reader would accept.
    package init(protocolVersion: Int, nameplate: String?) throws(ServiceRecordError) {
        guard (1...Int(UInt16.max)).contains(protocolVersion) else { throw .malformedVersion }
        if let nameplate, !Self.isNameplate(Array(nameplate.utf8)) { throw .malformedNameplate }
        self.protocolVersion = protocolVersion
        self.nameplate = nameplate
    }

    /// Reads the strings of a TXT record that came from the network.
    ///
    /// As the RFC demands: keys are compared without case, the first of equal keys counts, and
    /// strings without a key and unknown keys are skipped.
    package init(parsing strings: [[UInt8]]) throws(ServiceRecordError) {
        guard strings.count <= Limits.serviceRecordStrings,
            strings.reduce(0, { $0 + $1.count + 1 }) <= Limits.serviceRecordBytes
        else { throw .tooLarge }
        var values: [[UInt8]: [UInt8]?] = [:]
        for string in strings {
            guard let (key, value) = Self.pair(string), values[key] == nil else { continue }
            values.updateValue(value, forKey: key)
        }
        guard let version = values[Array("v".utf8)] else { throw .noVersion }
        guard let version, let number = Self.version(version) else { throw .malformedVersion }
        protocolVersion = number
        guard let value = values[Array("pn".utf8)] else {
            nameplate = nil
            return
        }
        guard let value, Self.isNameplate(value) else { throw .malformedNameplate }
        nameplate = String(decoding: value, as: UTF8.self)
    }

    /// The strings to publish.
    package var strings: [String] {
        ["v=\(protocolVersion)"] + (nameplate.map { ["pn=\($0)"] } ?? [])
    }

    /// A key in lower case with its value, which is nil without "=". Nil if the string has no valid
    /// key: printable ASCII, at least one character (RFC 6763 section 6.4).
    private static func pair(_ string: [UInt8]) -> (key: [UInt8], value: [UInt8]?)? {
        let end = string.firstIndex(of: UInt8(ascii: "=")) ?? string.endIndex
        let key = string[..<end]
        guard !key.isEmpty, key.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let lowercased = key.map {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0
        }
        return (lowercased, end == string.endIndex ? nil : Array(string[(end + 1)...]))
    }

    private static func version(_ bytes: [UInt8]) -> Int? {
        guard bytes.allSatisfy(isDigit), bytes.first != UInt8(ascii: "0"),
            let number = UInt16(String(decoding: bytes, as: UTF8.self))
        else { return nil }
        return Int(number)
    }

    private static func isNameplate(_ bytes: [UInt8]) -> Bool {
        (1...Limits.nameplateDigits).contains(bytes.count) && bytes.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
