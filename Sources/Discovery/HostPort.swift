internal import Glibc
package import SyncCore

/// Why a text is not a host and port.
package enum HostPortError: Error, Equatable {
    case empty
    case malformedHost
    case malformedPort
}

extension HostPort {
    /// Reads the text that a person typed: `host:port`, `host`, `[v6]:port`, `[v6]` or `v6`.
    ///
    /// - Throws: `HostPortError`; port 0 is malformed, too.
    package init(parsing text: String, defaultPort: UInt16) throws(HostPortError) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Limits.hostPortBytes else { throw .malformedHost }
        let host: Substring
        var digits: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw .malformedHost }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard Self.isIPv6(host) else { throw .malformedHost }
            guard rest.isEmpty || rest.hasPrefix(":") else { throw .malformedPort }
            digits = rest.isEmpty ? nil : rest.dropFirst()
        } else if text.utf8.count(where: { $0 == UInt8(ascii: ":") }) > 1 {
            host = Substring(text)
            guard Self.isIPv6(host) else { throw .malformedHost }
        } else {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            host = parts[0]
            digits = parts.count == 2 ? parts[1] : nil
            guard Self.isName(host) else { throw .malformedHost }
        }
        self.init(
            host: String(host), port: try Self.port(digits, default: defaultPort))
    }

    private static func port(
        _ digits: Substring?, default defaultPort: UInt16
    ) throws(HostPortError) -> UInt16 {
        guard let digits else { return defaultPort }
        guard digits.utf8.allSatisfy(isDigit), let port = UInt16(digits), port > 0 else {
            throw .malformedPort
        }
        return port
    }

    private static func isIPv6(_ text: Substring) -> Bool {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            // IFNAMSIZ is 16 with its end; an interface may also be given by number.
            guard (1...15).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy(isNameByte)
            else { return false }
        }
        // C reads up to a zero byte, so text after one would be ignored silently.
        guard parts[0].utf8.allSatisfy({ isNameByte($0) || $0 == UInt8(ascii: ":") }) else {
            return false
        }
        var address = in6_addr()
        return unsafe inet_pton(AF_INET6, String(parts[0]), &address) == 1
    }

    /// A DNS name (RFC 1123, plus the underscore that home networks use) or an IPv4 address. A text
    /// that ends in a number must be an address: `10.0.0` is a typing error, not a name.
    private static func isName(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        let withoutRoot = labels.last == "" ? labels.dropLast() : labels[...]
        guard let last = withoutRoot.last, text.utf8.count <= 253, text.utf8.allSatisfy(isNameByte)
        else { return false }
        if last.utf8.allSatisfy(isDigit) {
            var address = in_addr()
            return unsafe inet_pton(AF_INET, String(text), &address) == 1
        }
        return withoutRoot.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: isDigit(byte)
        }
    }
}
