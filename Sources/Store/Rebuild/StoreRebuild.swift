package import SyncCore

/// Rebuilds a store whose file is damaged. A page in which one bit is wrong is as it was: its checksum shows
/// which. Parts that prove themselves are kept wherever they stand: commits by signature and hash, small blobs
/// by hash. Everything else is read from pages whose checksums hold, and from the mark beside the store. What is
/// shown is made from the log; what is missing of
/// the log is fetched from others.
struct StoreRebuild {
    let place: any StorePlace
    /// Those of the last closing, where they hold.
    var sums: PageSums?

    private static let fresh = "store.new.sqlite"
    private static let ready = "store.ready.sqlite"

    /// What damaged databases are called when they are kept.
    private static var names: [String] {
        (1...Limits.damagedDatabases).map { "store.damaged.\($0).sqlite" }
    }

    /// Damaged databases that are kept.
    func copies() throws(StoreError) -> [String] {
        var found: [String] = []
        for name in StoreRebuild.names where try place.beside(name).hasFile(ending: "") {
            found.append(name)
        }
        return found
    }

    /// Whether a rebuilt store waits to take the place of the damaged one.
    func isReady() throws(StoreError) -> Bool {
        try place.beside(StoreRebuild.ready).hasFile(ending: "")
    }

    /// Whether the store has to be rebuilt: a page of it, or the WAL, is not what was written, or a reader
    /// found something impossible.
    func isNeeded() throws -> Bool {
        guard try place.hasFile(ending: "") else { return false }
        let file = try PageFile(place)
        guard !file.isNewer else { return false }
        if try RebuildRequest(beside: place).isMade() { return true }
        return try file.isChecked && (file.wal.isBroken || !file.damagedPages(since: sums).isEmpty)
    }

    func run(
        decoder: any CommitDecoding, verifier: any CommitVerifying,
        random: inout some RandomNumberGenerator,
        schemas: @escaping @Sendable (SchemaPin) -> Schema?
    ) throws -> RebuiltStore {
        var file = try PageFile(place)
        let damaged = try file.damagedPages(since: sums)
        try file.judge(damaged)
        let new = place.beside(StoreRebuild.fresh)
        for suffix in ["", "-wal", "-shm", "-journal"] { new.remove(suffix) }
        _ = try new.prepare()
        try StoreOpening.create(new.path)
        let mark = StoreMarkFile(beside: place)
        let salvage = try Salvage(file, into: new.path, mark.readable(), decoder)
        try salvage.note(fingerprint: new.fingerprint())
        let opened = try OpenedStore(new, nil, decoder, verifier, random: &random)
        // Nothing can be taken into it; the damaged store is still in its place.
        guard !opened.isReadOnly else { throw StoreError.diskFull }
        let store = try SyncStore(opened, nil, nil, schemas)
        try store.stranded.readmitAll(salvage.forks)
        let isOwnLogWhole = try store.stranded.noteLost(
            salvage.heads + store.stranded.ends + mark.ends().values)
        if !isOwnLogWhole || !salvage.isWhole || file.wal.isBroken {
            // Others may know more of the log: going on with it would fork it.
            _ = try store.startNewIncarnation(random: &random)
        }
        try store.close()
        // Without room in the file the WAL stays, which does not move with it.
        guard try !new.hasFile(ending: "-wal") else { throw StoreError.diskFull }
        for suffix in ["-wal", "-shm"] { new.remove(suffix) }
        try new.move("", to: StoreRebuild.ready)
        let copy = try finish()
        RebuildRequest(beside: place).withdraw()
        return RebuiltStore(copy: copy ?? "", damagedPages: damaged.count)
    }

    /// Puts a rebuilt store in the place of the damaged one, which is kept. A crash in
    /// between leaves the rest to the next opening. Returns the name of the damaged one's copy.
    @discardableResult
    func finish() throws(StoreError) -> String? {
        guard try isReady() else { return nil }
        let taken = try copies()
        guard let name = StoreRebuild.names.first(where: { !taken.contains($0) }) else {
            throw .failed("too many files store.damaged")
        }
        for suffix in ["-wal", ""] where try place.hasFile(ending: suffix) {
            try place.move(suffix, to: name + suffix)
        }
        place.remove("-shm")
        place.remove("-journal")
        try place.beside(StoreRebuild.ready).move("", to: StoreFile.name)
        return name
    }
}

extension Limits {
    /// Copies of damaged databases that are kept: a disk that damages each new one is named instead.
    package static let damagedDatabases = 8
}
