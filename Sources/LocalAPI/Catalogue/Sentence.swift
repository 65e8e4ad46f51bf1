/// Texts that several targets use, grouped by topic in this folder. Any other text stands where it is
/// used.
package enum Sentence {
    /// The commands that start an agent: permanently, or while a window is open.
    package static let startAgent: Message = tr(
        "peersync service install, or in a window: peersync run")

    /// `1 trip`, `14 trips`.
    package static func count(_ number: Int, _ one: String, _ many: String) -> String {
        tr(number, Message(counting: number, one), Message(counting: number, many))
    }

    /// A name in quotation marks, made safe to show.
    package static func name(_ name: String) -> String {
        Language.current.quoted(Printable.line(name))
    }

    /// `“Arezzo” or “Arezo”`.
    package static func names(_ names: [String]) -> String {
        names.map { name($0) }.joined(separator: tr(" or "))
    }

    /// A name without quotation marks, made safe to show.
    package static func plain(_ name: String) -> String {
        Printable.line(name)
    }

    /// A name to type into a shell, safe to print: in quotes when it has more than plain letters.
    package static func quoted(_ name: String) -> String {
        let plain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        if plain && !name.isEmpty { return name }
        return "'" + Printable.line(name).replacing("'", with: "'\\''") + "'"
    }

    /// Waiting items in words: `3 changes and 2 files (1.4 MB)`.
    package static func waiting(_ waiting: WaitingCount) -> String {
        var parts: [String] = []
        if waiting.changes > 0 { parts.append(count(waiting.changes, "change", "changes")) }
        if waiting.files > 0 {
            // Their size may be unknown.
            let size = waiting.bytes > 0 ? " (\(size(waiting.bytes)))" : ""
            parts.append(count(waiting.files, "file", "files") + size)
        } else if waiting.bytes > 0 {
            // The rest of a file that was moved in part.
            parts.append(tr("\(size(waiting.bytes)) of a file"))
        }
        return parts.isEmpty ? tr("nothing") : parts.joined(separator: tr(" and "))
    }

    /// Bytes in decimal units, as file managers show them: `0 bytes`, `870 kB`, `3.2 MB`.
    package static func size(_ bytes: Int64) -> String {
        if bytes < 1000 { return count(Int(bytes), "byte", "bytes") }
        var value = Double(bytes) / 1000
        var unit = tr("kB")
        for next in [tr("MB"), tr("GB"), tr("TB")] where value >= 999.5 {
            value /= 1000
            unit = next
        }
        if value >= 9.95 { return "\(Int(value.rounded())) \(unit)" }
        let tenths = Int((value * 10).rounded())
        return "\(Language.current.decimal(tenths: tenths)) \(unit)"
    }

    /// Metres for people: `240 m`, `3.4 km`, `18 km`.
    package static func distance(_ metres: Double) -> String {
        guard metres.isFinite, metres < 1e8 else { return "?" }
        if metres < 999.5 { return "\(Int(metres.rounded())) m" }
        if metres >= 9_950 { return tr("\(Int((metres / 1000).rounded())) km") }
        let tenths = Int((metres / 100).rounded())
        return tr("\(Language.current.decimal(tenths: tenths)) km")
    }
}
