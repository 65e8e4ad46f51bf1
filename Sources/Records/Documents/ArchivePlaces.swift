internal import LocalAPI
internal import SyncCore

/// The positions of an archive's records, as waypoints for map programs (GPX 1.1).
enum ArchivePlaces {
    static func gpx(of records: [RecordView], _ schema: Schema, called name: String) -> [UInt8] {
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            """
            <gpx version="1.1" creator="peersync" xmlns="http://www.topografix.com/GPX/1/1">
            """, "<metadata><name>\(Markup.escaped(name))</name></metadata>",
        ]
        for record in records {
            guard let collection = schema.collection(record.collection) else { continue }
            let values = collection.fields.compactMap { record.fields[$0.name] }
            guard let position = values.lazy.compactMap(\.position).first else { continue }
            var parts = position.altitude.map { ["<ele>\($0)</ele>"] } ?? []
            if let time = values.lazy.compactMap(\.time).first {
                let utc = Moment(milliseconds: time.milliseconds, offsetMinutes: 0)
                parts.append("<time>\(utc.text)</time>")
            }
            parts.append("<name>\(Markup.escaped(record.name))</name>")
            lines.append(
                "<wpt lat=\"\(position.latitude)\" lon=\"\(position.longitude)\">"
                    + parts.joined() + "</wpt>")
        }
        return Array((lines + ["</gpx>", ""]).joined(separator: "\n").utf8)
    }
}

extension FieldValue {
    var position: Position? { if case .position(let position) = self { position } else { nil } }
    var time: Moment? { if case .time(let moment) = self { moment } else { nil } }
}

/// Text in XML and HTML.
enum Markup {
    /// Escaped for text and quoted attributes; drops characters that neither format allows.
    static func escaped(_ text: String) -> String {
        var safe = ""
        for scalar in ShownText.lines(text).unicodeScalars {
            switch scalar {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            case "'": safe += "&#39;"
            case "\u{FFFE}", "\u{FFFF}": continue
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    /// A path within the archive, as the address of a link.
    static func address(_ path: String) -> String {
        var address = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: "/"):
                address.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                address += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return address
    }
}
