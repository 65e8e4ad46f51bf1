internal import SyncCore

/// The checksums of a database's pages as it was closed, kept beside it: by them a page is known whose older content
/// came back, with a checksum that is right for it.
///
/// They hold for one state of the files alone. A program that opened the database since, an older one too, has changed
/// that of the WAL; a database, or what lies beside it, that was put back has another one.
///
/// ```
/// head       16 bytes: "peersync sums 1\n"
/// state      32 bytes: SHA-256 of the database's fingerprint, the WAL's, `store.heads` and `store.mark`, each
///            preceded by its length
/// count      8 bytes: pages
/// checksums  8 bytes of each page, as they stand at its end
/// hash       32 bytes: SHA-256 of everything before
/// ```
struct PageSums {
    static let name = "store.sums"
    private static let head = Array("peersync sums 1\n".utf8)
    private static let headBytes = 16 + 32 + 8

    private let sums: [UInt8]

    /// Nil where there are none that were kept of the database as it is, and for a file of another program: of that
    /// no older content can have come back.
    init?(of place: some StorePlace) {
        let size = PageFile.checksumBytes
        guard (try? place.refuseStrange()) != nil, let state = PageSums.state(of: place),
            let bytes = try? place.beside(PageSums.name).contents(),
            bytes.count >= PageSums.headBytes, bytes.starts(with: PageSums.head),
            bytes[16..<48].elementsEqual(state.bytes),
            let pages = Int(exactly: UInt64(bigEndian: bytes[48..<56])),
            pages <= bytes.count / size
        else { return nil }
        // What is behind is of a database that was larger.
        let content = bytes.prefix(PageSums.headBytes + size * pages)
        let hash = bytes.dropFirst(content.count).prefix(32)
        guard sha256(Array(content)).bytes.elementsEqual(hash) else { return nil }
        sums = Array(content.dropFirst(PageSums.headBytes))
    }

    /// As the database's file is now; nil for one of more pages than `most`.
    private init?(reading place: some StorePlace, atMost most: Int) throws(StoreError) {
        let size = PageFile.pageBytes
        var sums: [UInt8] = []
        while true {
            let offset = UInt64(sums.count / PageFile.checksumBytes * size)
            let chunk = try place.read("", at: offset, 256 * size)
            for end in stride(from: size, through: chunk.count, by: size) {
                sums += chunk[(end - PageFile.checksumBytes)..<end]
            }
            guard sums.count / PageFile.checksumBytes <= most else { return nil }
            guard chunk.count == 256 * size else { break }
        }
        self.sums = sums
    }

    var pageCount: Int { sums.count / PageFile.checksumBytes }

    /// Whether a page, by the checksum at its end, is another one than was written.
    func differ(from checksum: some Sequence<UInt8>, of page: UInt32) -> Bool {
        let start = (Int(page) - 1) * PageFile.checksumBytes
        guard start >= 0, start < sums.count else { return false }
        return !sums[start..<start + PageFile.checksumBytes].elementsEqual(checksum)
    }

    /// What tells the files as they are from the same files at another time; nil without a WAL that is empty,
    /// and where it cannot be told.
    private static func state(of place: some StorePlace) -> Bytes32? {
        guard let wal = place.lastChange("-wal"), (try? place.hasFile(ending: "-wal")) == false,
            let database = try? place.fingerprint(),
            let heads = try? place.beside(StoreMarkFile.headsName).contents(),
            let mark = try? place.beside(StoreMarkFile.markName).contents()
        else { return nil }
        return sha256(
            lengthPrefixed(Array(database.utf8)) + lengthPrefixed(Array(wal.utf8))
                + lengthPrefixed(heads) + lengthPrefixed(mark))
    }

    /// Keeps them of a database that was just closed: `known` where nothing was written since they held. Otherwise its
    /// file is read, when it has no more than `most` pages. After an error none are valid.
    static func keep(of place: some StorePlace, known: PageSums?, readingAtMost most: Int) {
        guard let state = state(of: place),
            let sums = try? known ?? PageSums(reading: place, atMost: most)
        else { return }
        try? place.beside(name).write(sums.encoded(for: state), at: 0)
    }

    private func encoded(for state: Bytes32) -> [UInt8] {
        precondition(
            sums.count.isMultiple(of: PageFile.checksumBytes),
            "\(sums.count) bytes are no checksums")
        let content = PageSums.head + state.bytes + bigEndian(UInt64(pageCount)) + sums
        return content + sha256(content).bytes
    }
}

extension Limits {
    /// Pages that are read when a store is closed that was open for a moment only, as a command without an agent
    /// opens it: 8 MiB, some milliseconds.
    static let pagesReadAtClosing = 2_048
    /// Seconds after which a store that is closed is read whole, however large it is.
    static let secondsOfMoment = 10
    /// Pages of a database whose older content may have come back: with more of them, it is another database.
    static func olderPages(of pages: Int) -> Int { max(8, pages / 8) }
}
