import Discovery
import Identity
import LocalAPI
import Media
import SyncCore

/// Short texts: what the network announces, what people type and what others called something.
extension FuzzTarget {
    /// The strings of a TXT record, each behind its length of one byte, as DNS sends them.
    static let textRecord = FuzzTarget("txt-record", words: ["\u{03}v=1", "\u{04}pn=7"]) { input in
        var strings: [[UInt8]] = []
        var rest = input[...]
        while let length = rest.popFirst() {
            strings.append(Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
        guard let record = try? ServiceRecord(parsing: strings) else { return }
        let published = record.strings.map { Array($0.utf8) }
        try require(
            try ServiceRecord(parsing: published) == record, "a record comes back as published")
        let made = try ServiceRecord(
            protocolVersion: record.protocolVersion, nameplate: record.nameplate)
        try require(made == record, "what is read could be made")
        try require(
            (record.nameplate ?? "1").utf8.count <= Limits.nameplateDigits, "nameplates are short")
    }

    /// Whatever a person can type to pair: link, code, address, device ID, recovery key.
    static let pairingText = FuzzTarget(
        "pairing-text", longestInput: 1024,
        words: ["peersync:pair?", "at=", "device=", "secret=", "PEERSYNC-RECOVERY-1-", "%25", "["]
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        if let link = try? PairingLink(parsing: text) {
            try require(
                try PairingLink(parsing: link.text) == link, "a link comes back as it was shown")
            try require(link.text.utf8.count <= Limits.pairingLinkBytes, "a link is short")
        }
        if let code = try? PairingCode(parsing: text) {
            try require(
                try PairingCode(parsing: code.text) == code, "a code comes back as it was shown")
        }
        if let place = try? HostPort(parsing: text, defaultPort: Limits.defaultPort) {
            let again = try HostPort(parsing: place.description, defaultPort: 1)
            try require(again == place, "an address comes back as it was shown")
        }
        if let device = try? DeviceIDText.parse(text) {
            let shown = DeviceIDText.text(of: device)
            try require(try DeviceIDText.parse(shown) == device, "a device ID comes back")
        }
        if let key = try? PersonKey(recoveryText: text) {
            try require(
                try PersonKey(recoveryText: key.recoveryText).publicKey == key.publicKey,
                "a recovery key comes back")
        }
    }

    /// A name or text of somebody else's, before it is shown or becomes a file's name.
    static let shownText = FuzzTarget("shown-text", longestInput: 2048) { input in
        let text = String(decoding: input, as: UTF8.self)
        let line = Printable.line(text)
        try require(line.count <= 200, "a line has an end")
        try require(line.unicodeScalars.allSatisfy(isHarmless), "a line drives no terminal")
        let paragraph = Printable.paragraph(text)
        try require(
            paragraph.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || isHarmless($0) },
            "a text drives no terminal")
        let name = ExportName(suggested: text, id: .zero)
        try require((1...255).contains(name.value.utf8.count), "a file's name fits")
        try require(ExportName(exactly: name.value) != nil, "a file's name is no path")
        try require(!name.value.hasPrefix("."), "a file is not hidden")
        try require(!name.value.hasPrefix("-"), "a file's name is no option")
        try require(
            ExportName(suggested: name.value, id: .zero).value == name.value,
            "a harmless name stays as it is")
        if InstanceName.isAcceptable(text) {
            try require(Printable.line(text) == text, "what is announced may be shown")
        }
        if PairingName.isAcceptable(text) {
            try require(text.utf8.count <= Limits.nameBytes, "a person's name fits")
        }
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default:
            !("\u{202A}"..."\u{202E}").contains(scalar)
                && !("\u{2066}"..."\u{2069}").contains(scalar)
        }
    }
}
