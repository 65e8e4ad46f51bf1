package import SyncCore

/// The list of an archive's files, in the format of `sha256sum`.
package struct Checksums: Sendable {
    package static let fileName = "SHA256SUMS"

    package private(set) var entries: [(name: ArchiveName, hash: Bytes32)] = []

    package init() {}

    package mutating func add(_ name: ArchiveName, _ hash: Bytes32) {
        entries.append((name, hash))
    }

    /// Sorted by name, so that equal archives have equal lists.
    package var bytes: [UInt8] {
        var text = ""
        for entry in entries.sorted(by: { $0.name < $1.name }) {
            text += "\(hexadecimal(entry.hash.bytes))  \(entry.name)\n"
        }
        return Array(text.utf8)
    }

    /// Throws `ArchiveError.notAnArchive`, `unsafeName`, `listedTwice`, `tooLarge`.
    package init(parsing bytes: [UInt8]) throws(ArchiveError) {
        var known: Set<ArchiveName> = []
        for (hash, text) in try Checksums.lines(of: bytes) {
            guard let name = ArchiveName(text) else { throw .unsafeName }
            guard known.insert(name).inserted else { throw .listedTwice(name.text) }
            guard entries.count < Limits.archiveFiles else { throw .tooLarge(Checksums.fileName) }
            entries.append((name, hash))
        }
    }

    /// Hashes and names of a list, without checking the names. Throws `ArchiveError.notAnArchive`.
    static func lines(
        of bytes: [UInt8]
    ) throws(ArchiveError) -> [(hash: Bytes32, name: String)] {
        guard let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("\n") else {
            throw .notAnArchive
        }
        var all: [(hash: Bytes32, name: String)] = []
        for line in text.utf8.dropLast().split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        {
            // `sha256sum` marks a file that it read in binary mode with a star.
            guard line.count > 66, let hash = Checksums.hash(line.prefix(64)),
                line.dropFirst(64).starts(with: "  ".utf8)
                    || line.dropFirst(64).starts(with: " *".utf8)
            else { throw .notAnArchive }
            all.append((hash, String(Substring(line.dropFirst(66)))))
        }
        return all
    }

    private static func hash(_ digits: Substring.UTF8View) -> Bytes32? {
        SyncCore.bytes(hexadecimal: Substring(digits)).flatMap { Bytes32($0) }
    }
}
