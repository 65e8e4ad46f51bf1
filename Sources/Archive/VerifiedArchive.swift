package import Encryption
internal import SyncCore

/// An archive of which every listed file was read and has the listed hash.
package struct VerifiedArchive: Sendable {
    private let source: any ArchiveSource
    private let hashes: [ArchiveName: Bytes32]
    private let lengths: [ArchiveName: UInt64]

    /// Reads all of it. Blocks. Throws `ArchiveError`, including `stopped` once `told` answers false.
    package init(
        verifying archive: UnverifiedArchive, told: (_ files: Int, _ bytes: Int) -> Bool
    ) throws {
        source = archive.source
        var lengths: [ArchiveName: UInt64] = [:]
        for (name, hash) in archive.sums.entries {
            let read = try VerifiedArchive.read(name, of: source) { told(0, $0.count) }
            guard read.hash == hash else { throw ArchiveError.changed(name.text) }
            lengths[name] = read.length
            guard told(1, 0) else { throw ArchiveError.stopped }
        }
        self.lengths = lengths
        hashes = Dictionary(
            uniqueKeysWithValues: archive.sums.entries.map { ($0.name, $0.hash) })
    }

    private static func read(
        _ name: ArchiveName, of source: any ArchiveSource, _ body: ([UInt8]) throws -> Bool
    ) throws -> (hash: Bytes32, length: UInt64) {
        guard let input = try source.open(name.text) else {
            throw ArchiveError.missing(name.text)
        }
        var pieces = HashingReader(input)
        while let piece = try sayingWhat({ try pieces.next() }) {
            guard try body(piece) else { throw ArchiveError.stopped }
        }
        return (pieces.hash(), pieces.length)
    }

    // MARK: Content

    package func length(of name: ArchiveName) -> UInt64? { lengths[name] }

    /// A listed file, for reading parts of it. They are not compared with its hash again: only for callers
    /// that can verify them themselves. Throws `ArchiveError`.
    package func open(_ name: ArchiveName) throws -> any ByteInput {
        guard hashes[name] != nil, let input = try source.open(name.text) else {
            throw ArchiveError.unlisted(name.text)
        }
        return input
    }

    /// All bytes of a listed file. Throws as ``read(_:_:)`` does, and for a file longer than `limit`.
    package func contents(of name: String, upTo limit: UInt64) throws -> [UInt8] {
        guard let name = ArchiveName(name), let length = lengths[name] else {
            throw ArchiveError.unlisted(name)
        }
        guard length <= limit else { throw ArchiveError.tooLarge(name.text) }
        var bytes: [UInt8] = []
        try read(name) { piece in
            bytes += piece
            return true
        }
        return bytes
    }

    /// Hands over the bytes of a listed file, piece by piece, and compares them with its hash again: a
    /// folder may have been changed since. Blocks. Throws `ArchiveError`, what the body throws, and
    /// `stopped` once the body answers false.
    package func read(_ name: ArchiveName, _ body: ([UInt8]) throws -> Bool) throws {
        guard let hash = hashes[name] else { throw ArchiveError.unlisted(name.text) }
        guard try VerifiedArchive.read(name, of: source, body).hash == hash else {
            throw ArchiveError.changed(name.text)
        }
    }
}
