internal import GRDB
internal import Glibc
package import SyncCore

/// What became of a store of which bytes were not what was written.
package struct RebuiltStore: Hashable, Sendable {
    /// The name, in the home directory, of the file as it was.
    package let copy: String
    /// Pages of it that were damaged.
    package let damagedPages: Int
}

/// Makes a store anew whose file is damaged. What proves itself is taken wherever it stands: commits
/// by signature and hash, small blobs by hash. Everything else is read from pages whose checksums
/// hold. What is shown is made from the log; what is missing of the log is fetched from others.
struct StoreRebuild {
    let place: any StorePlace
    let home: String
    let decoder: any CommitDecoding
    let verifier: any CommitVerifying
    let schemas: @Sendable (SchemaPin) -> Schema?

    private static let fresh = "/store.new.sqlite"
    private static let ready = "/store.ready.sqlite"
    private static let suspect = "/store.suspect"

    /// What damaged databases are called when they are kept.
    static var names: [String] {
        (1...Limits.damagedDatabases).map { "store.damaged.\($0).sqlite" }
    }

    /// Asks for a store to be made anew when it is opened next.
    static func request(in home: String) {
        let file = unsafe open(home + suspect, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        // Without room for it the damage is found again.
        if file >= 0 { close(file) }
    }

    /// Whether a store that was made anew waits to take its place.
    static func isReady(in home: String) -> Bool { StoreFile.isThere(home + ready) }

    /// Whether the store has to be made anew: a page of it, or the WAL, is not what was written, or
    /// somebody came upon something that cannot be.
    func isNeeded() throws -> Bool {
        guard try place.hasFile(ending: "") else { return false }
        let file = try PageFile(place)
        guard !file.isNewer else { return false }
        if StoreFile.isThere(home + StoreRebuild.suspect) { return true }
        return try file.isChecked && (file.wal.isBroken || !file.damagedPages().isEmpty)
    }

    func run(random: inout some RandomNumberGenerator) throws -> RebuiltStore {
        let file = try PageFile(place)
        let damaged = try file.damagedPages().count
        for suffix in ["", "-wal", "-shm", "-journal"] {
            unsafe unlink(home + StoreRebuild.fresh + suffix)
        }
        let new = FilePlace(path: home + StoreRebuild.fresh)
        _ = try new.prepare()
        try StoreOpening.create(new.path)
        let salvage = try Salvage(file, into: new.path, decoder)
        let fingerprint = try new.fingerprint()
        try salvage.note(fingerprint: fingerprint)
        let store = try SyncStore(
            holding: new, decoder: decoder, verifier: verifier, random: &random, schemas: schemas)
        try store.readmitAll(salvage.forks)
        let isOwnLogWhole = try store.noteLost(salvage.heads)
        if !isOwnLogWhole || !salvage.isWhole || file.wal.isBroken {
            // Others may know more of the log: going on with it would fork it.
            _ = try store.startNewIncarnation(random: &random)
        }
        try store.close()
        // Without room in the file the WAL stays, which does not move with it.
        guard try !new.hasFile(ending: "-wal") else { throw StoreError.diskFull }
        for suffix in ["-wal", "-shm"] { unsafe unlink(new.path + suffix) }
        try StoreRebuild.rename(new.path, home + StoreRebuild.ready)
        let copy = try StoreRebuild.finish(in: home)
        unsafe unlink(home + StoreRebuild.suspect)
        return RebuiltStore(copy: copy ?? "", damagedPages: damaged)
    }

    /// Puts a store that was made anew in the place of the damaged one, which is kept. A crash in
    /// between leaves the rest to the next opening. Returns the name of the damaged one's copy.
    @discardableResult
    static func finish(in home: String) throws(StoreError) -> String? {
        guard isReady(in: home) else { return nil }
        let path = StoreFile.path(in: home)
        guard let name = names.first(where: { !StoreFile.isThere(home + "/" + $0) }) else {
            throw .failed("too many files store.damaged")
        }
        for suffix in ["-wal", ""] where StoreFile.isThere(path + suffix) {
            try rename(path + suffix, home + "/" + name + suffix)
        }
        unsafe unlink(path + "-shm")
        unsafe unlink(path + "-journal")
        try rename(home + ready, path)
        return name
    }

    private static func rename(_ from: String, _ to: String) throws(StoreError) {
        guard unsafe Glibc.rename(from, to) == 0 else {
            throw .failed(StoreFile.lastError(from))
        }
        try StoreFile.syncDirectory(of: to)
    }
}

/// A store on a file of its own.
private struct FilePlace: StorePlace {
    let path: String
}

extension Limits {
    /// Copies of damaged databases that are kept: a disk that damages each new one is named instead.
    package static let damagedDatabases = 8
}
