internal import GRDB
package import SyncCore

/// The store as it was before its format is raised: a copy beside it, in one file.
struct FormerStore {
    let format: Int64
    private let folder: String
    private let bytesNeeded: UInt64

    /// Copies a store of an older format, before anything of it is changed; nil for one of today's.
    /// Throws ``StoreError/noRoomToUpdate(folder:needed:free:)``.
    ///
    /// A copy has its name only once it is whole and on the disk. One that is there already is made again: an
    /// older program may have written to the store since.
    init?(keeping file: PageFile, at place: any StorePlace) throws(StoreError) {
        guard let format = file.format, format < StoreSchema.format else { return nil }
        self.format = format
        folder = StoreFile.directory(of: place.path)
        bytesNeeded =
            file.byteCount
            * (file.isChecked ? Limits.updateRoom : Limits.updateRoomWithoutChecksums)
        let name = FormerStores.name(of: format)
        let unfinished = place.beside(name + FormerStores.unfinished)
        for copy in [place.beside(name), unfinished] { copy.remove("") }
        if let free = place.freeBytes, free < bytesNeeded { throw noRoom(free: free) }
        do throws(StoreError) {
            try file.write(to: unfinished)
            try unfinished.sync()
            try unfinished.move("", to: name)
        } catch {
            unfinished.remove("")
            throw error == .diskFull ? noRoom(free: nil) : error
        }
    }

    /// Runs what raises the format, in one transaction. Without room for it nothing is changed.
    func updating(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DatabaseError where StoreError(error) == .diskFull {
            throw noRoom(free: nil)
        }
    }

    private func noRoom(free: UInt64?) -> StoreError {
        .noRoomToUpdate(folder: folder, needed: bytesNeeded, free: free)
    }
}

/// The copies beside a store. Nothing opens them, sends them or puts them into a backup; they go once the
/// new format was opened often enough.
struct FormerStores {
    private let place: any StorePlace

    /// How often the store was opened since its format was raised; not there when no copy is kept.
    private static let setting = "openings_since_update"
    static let unfinished = ".new"

    init(beside place: any StorePlace) { self.place = place }

    static func name(of format: Int64) -> String { "\(StoreFile.name).format-\(format)" }

    /// In the transaction that raises the format.
    static func beginCounting(in database: Database) throws {
        try Settings.set(setting, [0], in: database)
    }

    /// Counts an opening that succeeded, that of the update first. Without room for that, the next one counts.
    func countOpening(by connection: StoreConnection) throws {
        let counted = try connection.read {
            try Settings.bytes(FormerStores.setting, in: $0)?.first
        }
        guard let counted else { return }
        let isOver = counted >= Limits.openingsWithFormer
        if isOver, !remove() { return }
        do {
            try connection.write {
                try Settings.set(FormerStores.setting, isOver ? nil : [counted + 1], in: $0)
            }
        } catch StoreError.diskFull {}
    }

    /// Returns whether they are gone for good.
    private func remove() -> Bool {
        for format in 1..<StoreSchema.format {
            let name = FormerStores.name(of: format)
            place.beside(name).remove("")
            place.beside(name + FormerStores.unfinished).remove("")
        }
        return (try? place.beside(FormerStores.name(of: 1)).sync()) != nil
    }

    /// What an opening threw, with the path of the newest copy where there is one.
    func explaining(_ error: any Error) -> any Error {
        switch error {
        case StoreError.failed(let why), StoreError.corrupt(let why), StoreError.rejected(let why):
            newest().map { StoreError.notUpdated(why, former: $0.path) } ?? error
        default: error
        }
    }

    private func newest() -> (any StorePlace)? {
        (1..<StoreSchema.format).reversed().lazy.map { place.beside(FormerStores.name(of: $0)) }
            .first { (try? $0.hasFile(ending: "")) == true }
    }
}

extension Limits {
    /// Bytes that must be free for each byte of a store whose format is raised: one for its copy, and one for
    /// the WAL, in which each of its pages may come to stand.
    package static let updateRoom: UInt64 = 2

    /// The same for pages that get checksums: SQLite makes the whole database once more for that.
    package static let updateRoomWithoutChecksums: UInt64 = 3

    /// Openings of a store beside the copy of its older format, the one of the update included. The next, which
    /// is the second that finds the new format, removes the copy.
    package static let openingsWithFormer: UInt8 = 2
}
