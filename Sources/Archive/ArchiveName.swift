internal import SyncCore

/// The name of a file in an archive: a path below its top, separated by slashes. It cannot lead anywhere
/// else, even when an attacker chose it.
package struct ArchiveName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let text: String
    package var description: String { text }

    /// Nil for a path that is absolute, goes up, or has a part that is empty, too long or not printable on
    /// one line.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard text.utf8.count <= Limits.archiveNameBytes, parts.count <= Limits.archiveDepth,
            parts.allSatisfy({ (1...255).contains($0.count) }),
            !parts.contains(where: { [".", ".."].contains(String(Substring($0))) }),
            !text.unicodeScalars.contains(where: { $0 == "\\" || $0.isControl })
        else { return nil }
        self.text = text
    }

    /// The folders that it is in, the outermost first.
    package var folders: [String] {
        let parts = text.split(separator: "/")
        return (1..<parts.count).map { parts.prefix($0).joined(separator: "/") }
    }

    package static func < (left: ArchiveName, right: ArchiveName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    // Swift treats strings with different bytes as equal.
    package static func == (left: ArchiveName, right: ArchiveName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension Limits {
    /// UTF-8 bytes of a name in an archive.
    static let archiveNameBytes = 1024
    /// Parts of a name in an archive; this program writes names of two.
    static let archiveDepth = 8
    /// Bytes of an archive's list of hashes, which is read whole: half a million files.
    static let archiveListBytes: UInt64 = 64 << 20
    /// Files in an archive.
    static let archiveFiles = 1_000_000
    /// Bytes to read of a file at a time.
    static let archivePieceBytes: UInt64 = 1 << 20
}
