/// Where a store lies, and what is done with its file without SQLite.
///
/// A store in use is at a ``StoreLock``, on real files. Tests have one on a disk in memory whose power
/// can be cut: there, `path` leads to SQLite by a VFS of their own.
package protocol StorePlace: Sendable {
    /// The database's path, for SQLite.
    var path: String { get }
    /// What tells this machine from others, as text; empty when it is not known.
    var machineID: String { get }

    /// Makes an empty file when there is none. Returns whether a file with content was there.
    func prepare() throws(StoreError) -> Bool
    /// Whether a file with content lies beside the database whose name ends so: SQLite's rollback
    /// journal "-journal", or its WAL "-wal".
    func hasFile(ending suffix: String) -> Bool
    /// The file's first `count` bytes, fewer when it is shorter.
    func head(_ count: Int) throws(StoreError) -> [UInt8]
    /// What tells the file from a copy of it, as text; the same for as long as the file is there.
    func fingerprint() throws(StoreError) -> String
}

extension StorePlace {
    /// Throws when the header in the file's first 100 bytes is not that of a store this version can
    /// open (SQLite file format 1.3: application id at 68, user version at 60, big endian). It only
    /// reads: such a file stays as it is.
    func refuseStrange() throws(StoreError) {
        let length = 100
        let header = try head(length)
        guard header.count == length, header.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw .foreign
        }
        guard number(header[68..<72]) == StoreSchema.applicationID else { throw .foreign }
        let format = number(header[60..<64])
        guard format <= StoreSchema.format else { throw .newer(format: format) }
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}
