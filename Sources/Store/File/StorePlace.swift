/// Where a store lies, and what is done with its file, and with small files beside it, without SQLite.
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
    /// Up to `count` bytes of the file, or of one beside it whose name ends so: SQLite's rollback
    /// journal "-journal", or its WAL "-wal". Fewer at its end, none of a file that is not there.
    func read(
        _ suffix: String, at offset: UInt64, _ count: Int
    ) throws(StoreError) -> [UInt8]
    /// What tells the file from a copy of it, as text; the same for as long as the file is there.
    func fingerprint() throws(StoreError) -> String

    /// When the file, or one beside it whose name ends so, was changed last, as text; nil when it is not there, or
    /// when that is not known.
    func lastChange(_ suffix: String) -> String?

    /// The place of a file of another name in the same directory.
    func beside(_ name: String) -> any StorePlace
    /// Writes into the file, which is made when it is not there. Nothing says when that is durable.
    func write(_ bytes: [UInt8], at offset: UInt64) throws(StoreError)
    /// Has the file hold these bytes and no others: whenever the power goes, these, or those of before.
    func replace(with bytes: [UInt8]) throws(StoreError)
    /// Makes durable what was written into the file, where it is there, and the names in its directory.
    func sync() throws(StoreError)
    /// Bytes that may still be written to the disk; nil when it cannot be asked.
    var freeBytes: UInt64? { get }
    /// Gives the file, or one beside it whose name ends so, another name in the same directory, durably.
    func move(_ suffix: String, to name: String) throws(StoreError)
    /// Deletes the file, or one beside it whose name ends so, when it is there.
    func remove(_ suffix: String)
    /// Why the store in use must not be written to any more: it was deleted, so that writes vanish with the last
    /// process that has it open, its lock was, or its folder was moved. Nil while it is where it was opened.
    var absence: StoreError? { get }
    /// Lets others open the store: it is closed.
    func release()
}

extension StorePlace {
    package var absence: StoreError? { nil }

    package func release() {}

    func hasFile(ending suffix: String) throws(StoreError) -> Bool {
        try !read(suffix, at: 0, 1).isEmpty
    }

    /// The whole of a small file; empty without one.
    func contents() throws(StoreError) -> [UInt8] {
        let piece = 1 << 16
        var bytes: [UInt8] = []
        while true {
            let more = try read("", at: UInt64(bytes.count), piece)
            bytes += more
            if more.count < piece { return bytes }
        }
    }

    /// Throws when the header in the file's first 100 bytes is not that of a store this version can
    /// open (SQLite file format 1.3: application id at 68, user version at 60, big endian). It only
    /// reads: such a file stays as it is.
    func refuseStrange() throws(StoreError) {
        let length = 100
        let header = try read("", at: 0, length)
        guard header.count == length, header.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw .foreign
        }
        guard Int64(bigEndian: header[68..<72]) == StoreSchema.applicationID else { throw .foreign }
        let format = Int64(bigEndian: header[60..<64])
        guard format <= StoreSchema.format else { throw .newer(format: format) }
    }
}
