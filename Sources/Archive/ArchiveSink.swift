package import Encryption
package import SyncCore

/// Receives the files of an archive, and makes it appear, whole, once all are there.
///
/// An unfinished archive leaves nothing behind, unless the process is killed: then a hidden folder or file
/// stays beside its place, `.peersync-….part`.
package protocol ArchiveSink: AnyObject {
    /// The path while it is made: a hidden name beside its destination.
    var part: String { get }
    /// Reads a file into the archive, and hands each piece to `told` as well, which answers false to stop.
    /// Returns its SHA-256. Blocks. Throws `ArchiveError` and what the input throws.
    func add(
        _ name: ArchiveName, _ input: any ByteInput, told: ([UInt8]) throws -> Bool
    ) throws -> Bytes32
    /// Makes the archive appear, durably. Throws `ArchiveError.alreadyExists` when something else appeared
    /// there meanwhile.
    func finish(_ told: (_ bytes: Int) throws -> Bool) async throws
}

/// The remains of an archive after the program was killed.
package enum ArchivePart {
    /// Removes the part at this path, if one is there.
    package static func remove(_ path: String) throws { try AtomicDestination.remove(part: path) }
}
