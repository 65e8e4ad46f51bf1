package import SyncCore

/// Why a text is no pairing link.
package enum PairingLinkError: Error, Hashable {
    case notAPairingLink
    /// "at", "device" or "secret" is missing or stands there twice.
    case missingOrRepeated(String)
    /// Neither HOST:PORT nor [ADDRESS]:PORT.
    case badAddress
    case badDevice(DeviceIDTextError)
    case badSecret
}

/// All that `join` needs where no multicast works, as a link or QR code:
/// `peersync:pair?at=HOST:PORT&device=ID&secret=SECRET`.
package struct PairingLink: Hashable, Sendable {
    /// A DNS name, an IPv4 address, or an IPv6 address without brackets, with its zone if any.
    package let host: String
    package let port: UInt16
    /// The device that must answer there.
    package let device: DeviceID
    /// 128 random bits.
    package let secret: Bytes16

    private static let start = "peersync:pair?"

    /// - Throws: ``PairingLinkError/badAddress`` for a host or port that no link can carry.
    package init(
        host: String, port: UInt16, device: DeviceID, secret: Bytes16
    ) throws(PairingLinkError) {
        let isIPv6 = host.contains(":")
        let isGood = isIPv6 ? Self.isIPv6(host) : Self.isName(host)
        guard isGood, port != 0 else { throw .badAddress }
        (self.host, self.port, self.device, self.secret) = (host, port, device, secret)
    }

    package var text: String {
        let zoned = host.split(separator: "%", maxSplits: 1).joined(separator: "%25")
        let address = host.contains(":") ? "[\(zoned)]" : host
        let secret = String(decoding: Base32.encode(self.secret.bytes), as: UTF8.self)
        return "\(Self.start)at=\(address):\(port)&device=\(DeviceIDText.text(of: device))"
            + "&secret=\(secret)"
    }

    /// Reads a link; unknown parts are left alone, so that later versions may add some.
    package init(parsing text: String) throws(PairingLinkError) {
        guard text.utf8.count <= Limits.pairingLinkBytes, text.utf8.allSatisfy({ $0 < 0x80 }),
            text.lowercased().hasPrefix(Self.start)
        else { throw .notAPairingLink }
        let parts = text.dropFirst(Self.start.count).split(separator: "&")
        let (host, port) = try Self.address(try Self.value(of: "at", in: parts))
        let deviceText = try Self.value(of: "device", in: parts)
        let secretText = try Self.value(of: "secret", in: parts)
        let device: DeviceID
        do {
            device = try DeviceIDText.parse(deviceText)
        } catch {
            throw .badDevice(error)
        }
        guard let typed = try? Base32.normalise(secretText),
            let bytes = Base32.decode(typed), let secret = Bytes16(bytes)
        else { throw .badSecret }
        try self.init(host: host, port: port, device: device, secret: secret)
    }

    private static func value(
        of name: String, in parts: [Substring]
    ) throws(PairingLinkError) -> Substring {
        let found = parts.filter { $0.hasPrefix(name + "=") }
        guard let part = found.first, found.count == 1 else { throw .missingOrRepeated(name) }
        return part.dropFirst(name.count + 1)
    }

    private static func address(_ text: Substring) throws(PairingLinkError) -> (String, UInt16) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { throw .badAddress }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { throw .badAddress }
        } else if host.contains(":") {
            throw .badAddress
        }
        // RFC 6874 writes the zone's percent sign as %25; people paste it bare.
        let pieces = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard pieces.count == 2, pieces[1].hasPrefix("25") else { return (String(host), port) }
        return ("\(pieces[0])%\(pieces[1].dropFirst(2))", port)
    }

    private static func isName(_ host: String) -> Bool {
        (1...253).contains(host.utf8.count) && host.utf8.allSatisfy(isNameCharacter)
    }

    private static func isIPv6(_ host: String) -> Bool {
        let pieces = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = pieces.first, (2...45).contains(address.utf8.count),
            address.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
        else { return false }
        guard pieces.count == 2 else { return true }
        return (1...15).contains(pieces[1].utf8.count) && pieces[1].utf8.allSatisfy(isNameCharacter)
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
