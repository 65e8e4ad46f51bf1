package import SyncCore

/// A name for a file in a directory of the user: one path component, harmless on every common file system
/// and in a terminal.
package struct ExportName: Hashable, Sendable, CustomStringConvertible {
    package let value: String
    /// The bytes for the file system: the original name, where all of it is kept.
    package let bytes: [UInt8]
    package var description: String { value }

    /// Makes a name from the one in a record, which may be hostile, odd or missing.
    ///
    /// Replaces or drops characters that separate paths, control a terminal, reverse its text or are
    /// invalid on other systems; shortens the name to ``Limits/exportNameBytes``, but keeps its ending. If
    /// nothing remains, the name is the blob's id.
    package init(suggested: String?, id: BlobID) {
        let scalars = (suggested ?? "").unicodeScalars.prefix(4 * Limits.exportNameBytes)
        var clean = String(String.UnicodeScalarView(scalars.compactMap(ExportName.permitted)))
        clean = ExportName.trimmed(clean)
        clean = ExportName.trimmed(ExportName.shortened(clean))
        if ExportName.reservedStems.contains(ExportName.split(clean).stem.uppercased()) {
            clean = "_" + clean
        }
        value = clean.isEmpty ? String(id.description.prefix(16)) : clean
        let suggested = suggested ?? ""
        let isKept = FileNameText.readable(suggested).utf8.elementsEqual(value.utf8)
        bytes = isKept ? FileNameText.bytes(of: suggested) : Array(value.utf8)
    }

    /// A name that the user gave, unchanged; nil unless it is a single path component of at most 255 bytes.
    package init?(exactly name: String) {
        let bytes = Array(name.utf8)
        guard !bytes.isEmpty, bytes.count <= 255, name != ".", name != "..",
            !bytes.contains(UInt8(ascii: "/")), !bytes.contains(0)
        else { return nil }
        (value, self.bytes) = (name, bytes)
    }

    /// The path of a file of this name.
    package func path(in directory: String) -> [UInt8] {
        Array((directory.hasSuffix("/") ? directory : directory + "/").utf8) + bytes
    }

    private static func permitted(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if "/\\:*?\"<>|".unicodeScalars.contains(scalar) { return "_" }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return nil
        case .format:
            // Joiners are needed by emoji and some scripts; other format characters reorder or hide text.
            return scalar.value == 0x200C || scalar.value == 0x200D ? scalar : nil
        default: return scalar
        }
    }

    /// Without leading dots (hidden files), hyphens (command options) and blanks, and without trailing dots
    /// and blanks.
    private static func trimmed(_ name: String) -> String {
        var scalars = name.unicodeScalars[...]
        while let first = scalars.first, first == "." || first == "-" || isBlank(first) {
            scalars.removeFirst()
        }
        while let last = scalars.last, last == "." || isBlank(last) {
            scalars.removeLast()
        }
        return String(scalars)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace
    }

    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > Limits.exportNameBytes else { return name }
        let parts = split(name)
        let budget = Limits.exportNameBytes - parts.ending.utf8.count
        var stem = ""
        var used = 0
        for character in parts.stem {
            used += String(character).utf8.count
            guard used <= budget else { break }
            stem.append(character)
        }
        return stem + parts.ending
    }

    /// The part before the last dot, and the ending with its dot. More than 16 bytes are no ending.
    private static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
            name[dot...].utf8.count <= 16
        else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }

    /// Names of devices on Windows, with any ending.
    private static let reservedStems: Set<String> = [
        "CON", "PRN", "AUX", "NUL", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8",
        "COM9", "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
    ]
}
