package import Encryption
package import SyncCore

/// Takes the files of an archive, and lets it appear whole once all are there.
///
/// An archive that is not finished leaves nothing behind, unless the process is killed: then a hidden
/// folder or file beside its place, `.NAME.….part`.
package protocol ArchiveSink: AnyObject {
    /// Where it is made: a hidden name beside the place where it will appear.
    var part: String { get }
    /// Reads a file of the archive, and hands its pieces to `told` as well, which answers false to stop;
    /// its SHA-256. Blocks. Throws `ArchiveError` and what the input throws.
    func add(
        _ name: ArchiveName, _ input: any ByteInput, told: ([UInt8]) throws -> Bool
    ) throws -> Bytes32
    /// Lets the archive appear, durably. Throws `ArchiveError.alreadyExists` when something else
    /// appeared there.
    func finish(_ told: (_ bytes: Int) throws -> Bool) async throws
}

/// What a killed program left of an archive.
package enum ArchivePart {
    /// Removes the part at this path, if one is there.
    package static func remove(_ path: String) throws { try AtomicDestination.remove(part: path) }
}
