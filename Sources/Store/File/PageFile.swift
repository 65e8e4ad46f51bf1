internal import CSQLite
internal import SyncCore

/// The pages of a database as they lie on the disk, read without SQLite: those of its file, and in
/// their place those of committed transactions that its WAL has (SQLite file format 1.3 and 4).
struct PageFile {
    static let pageBytes = Int(peersync_page_bytes)
    static let checksumBytes = Int(peersync_checksum_bytes)

    private let place: any StorePlace
    let wal: WALFrames
    /// Whether each page of the file carries a checksum.
    let isChecked: Bool
    /// The number of the database's format; nil when the head is damaged, or not ours.
    let format: Int64?
    /// Whether the head is whole and says that a newer peersync wrote the file.
    let isNewer: Bool
    /// Pages of the database, by its own count; 0 when that is damaged.
    private let stated: UInt32
    /// Damaged pages whose one wrong bit is known, as they were.
    private var mended: [UInt32: [UInt8]] = [:]
    /// Pages whose content is an older one.
    private var older: Set<UInt32> = []

    /// Bytes of the database, without what its file has beyond the end.
    var byteCount: UInt64 { UInt64(stated) * UInt64(PageFile.pageBytes) }

    /// Reads the heads of file and WAL. Throws ``StoreError/failed(_:)`` only.
    init(_ place: any StorePlace) throws(StoreError) {
        self.place = place
        wal = try WALFrames(place)
        let header = try place.read("", at: 0, PageFile.pageBytes)
        var latest: (bytes: [UInt8], holds: Bool) = (header, PageFile.holds(header, 1))
        if let newer = try wal.page(1, of: place) { latest = (newer, true) }
        let reserved = latest.bytes.count > 20 ? Int(latest.bytes[20]) : 0
        isChecked =
            if latest.holds { reserved == PageFile.checksumBytes } else {
                try PageFile.hasChecksum(beyondHead: place)
            }
        // Without checksums nothing says that the head is damaged.
        let isWhole = latest.holds || !isChecked && latest.bytes.count == PageFile.pageBytes
        format =
            isWhole && latest.bytes.starts(with: Array("SQLite format 3\0".utf8))
            ? Int64(UInt32(bigEndian: latest.bytes[60..<64])) : nil
        isNewer = latest.holds && (format ?? 0) > StoreSchema.format
        stated = isWhole ? wal.pages ?? UInt32(bigEndian: latest.bytes[28..<32]) : 0
    }

    /// Whether this is a store of ours although its head does not say so.
    private static func hasChecksum(beyondHead place: any StorePlace) throws(StoreError) -> Bool {
        var number: UInt32 = 2
        while true {
            let page = try place.read("", at: offset(of: number), pageBytes)
            guard page.count == pageBytes else { return false }
            if holds(page, number) { return true }
            number += 1
        }
    }

    static func offset(of page: UInt32) -> UInt64 {
        (UInt64(max(page, 1)) - 1) * UInt64(pageBytes)
    }

    private static func holds(_ page: [UInt8], _ number: UInt32) -> Bool {
        guard page.count == pageBytes else { return false }
        return unsafe page.withUnsafeBytes {
            unsafe peersync_page_holds($0.baseAddress, UInt64(number)) != 0
        }
    }

    /// A page, and whether it is what was written as far as that can be told; nil beyond the end.
    func page(_ number: UInt32) throws(StoreError) -> (bytes: [UInt8], holds: Bool)? {
        if let newer = try wal.page(number, of: place) { return (newer, true) }
        if let mended = mended[number] { return (mended, true) }
        let bytes = try place.read("", at: PageFile.offset(of: number), PageFile.pageBytes)
        guard bytes.count == PageFile.pageBytes else { return nil }
        return (bytes, !isChecked || !older.contains(number) && PageFile.holds(bytes, number))
    }

    /// Takes damaged pages for what they are: an older content, whose checksum is right, for no page, and the
    /// others with the one bit turned back that is wrong of them, as far as their checksums show which. The
    /// file stays as it is.
    mutating func judge(_ damaged: [UInt32]) throws(StoreError) {
        var tried = 0
        for number in damaged {
            var bytes = try place.read("", at: PageFile.offset(of: number), PageFile.pageBytes)
            guard bytes.count == PageFile.pageBytes else { continue }
            if PageFile.holds(bytes, number) {
                older.insert(number)
                continue
            }
            tried += 1
            guard tried <= Limits.mendedPages else { continue }
            let isMended = unsafe bytes.withUnsafeMutableBytes {
                unsafe peersync_mend_page($0.baseAddress, UInt64(number)) != 0
            }
            if isMended { mended[number] = bytes }
        }
    }

    /// Writes the database, with what its WAL has of it, into a file that needs no WAL.
    func write(to target: any StorePlace) throws(StoreError) {
        var first: UInt32 = 1
        while first <= stated {
            let count = Int(min(stated - first + 1, 256))
            try target.write(
                try pages(from: first, count), at: PageFile.offset(of: first))
            first += UInt32(count)
        }
    }

    private func pages(from first: UInt32, _ count: Int) throws(StoreError) -> [UInt8] {
        let size = PageFile.pageBytes
        var bytes = try place.read("", at: PageFile.offset(of: first), count * size)
        let inFile = bytes.count / size
        bytes += [UInt8](repeating: 0, count: count * size - bytes.count)
        for index in 0..<count {
            let number = first + UInt32(index)
            if let newer = try wal.page(number, of: place) {
                bytes.replaceSubrange(
                    index * size..<(index + 1) * size,
                    with: isChecked ? PageFile.sealed(newer, number) : newer)
            } else if index >= inFile {
                throw .corrupt("page \(number) of the store is missing")
            }
        }
        return bytes
    }

    /// A page as the file has it: in the WAL there is no checksum in it yet.
    private static func sealed(_ page: [UInt8], _ number: UInt32) -> [UInt8] {
        let sum = unsafe page.withUnsafeBufferPointer {
            unsafe peersync_page_checksum($0.baseAddress, UInt64(number))
        }
        let bytes = (0..<checksumBytes).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
        return page.dropLast(checksumBytes) + bytes
    }

    /// Every page in the WAL, older ones too, as it lies there.
    func walPages() throws(StoreError) -> [[UInt8]] {
        var pages: [[UInt8]] = []
        for start in wal.all { pages.append(try place.read("-wal", at: start, PageFile.pageBytes)) }
        return pages
    }

    /// Every page that is not what was written, by its own checksum and by those of the last closing. Of a file
    /// without checksums none is known.
    func damagedPages(since sums: PageSums?) throws(StoreError) -> [UInt32] {
        guard isChecked else { return [] }
        var damaged: [UInt32] = []
        var older: [UInt32] = []
        var count: UInt32 = 0
        while true {
            let chunk = try place.read(
                "", at: PageFile.offset(of: count + 1), PageFile.pageBytes * 256)
            let whole = UInt32(chunk.count / PageFile.pageBytes)
            unsafe chunk.withUnsafeBytes { bytes in
                for place in 0..<whole where !wal.has(count + 1 + place) {
                    let (number, start) = (count + 1 + place, Int(place) * PageFile.pageBytes)
                    let page = unsafe bytes.baseAddress?.advanced(by: start)
                    let end = start + PageFile.pageBytes
                    if unsafe peersync_page_holds(page, UInt64(number)) == 0 {
                        damaged.append(number)
                    } else if let sums,
                        sums.differ(from: chunk[(end - PageFile.checksumBytes)..<end], of: number)
                    {
                        older.append(number)
                    }
                }
            }
            count += whole
            guard whole == 256 else { break }
        }
        if older.count <= Limits.olderPages(of: Int(count)) { damaged += older }
        if stated > 0 { damaged.removeAll { $0 > stated } }
        if stated > count, let gone = (count + 1...stated).first(where: { !wal.has($0) }) {
            damaged.append(gone)
        }
        guard !damaged.isEmpty else { return [] }
        let unused = try unusedPages()
        return damaged.filter { !unused.contains($0) }
    }

    /// Pages that hold nothing, and that SQLite need not have written: those of the list of free
    /// pages that are not the list itself, and the one where locks lie.
    private func unusedPages() throws(StoreError) -> Set<UInt32> {
        var unused: Set<UInt32> = [UInt32((1 << 30) / PageFile.pageBytes + 1)]
        guard let head = try page(1), head.holds else { return unused }
        var trunk = UInt32(bigEndian: head.bytes[32..<36])
        var seen: Set<UInt32> = []
        while trunk != 0, seen.insert(trunk).inserted, let list = try page(trunk), list.holds {
            let leaves = min(
                Int(UInt32(bigEndian: list.bytes[4..<8])), PageFile.pageBytes / 4 - 2)
            for leaf in 0..<leaves {
                unused.insert(UInt32(bigEndian: list.bytes[(8 + 4 * leaf)..<(12 + 4 * leaf)]))
            }
            trunk = UInt32(bigEndian: list.bytes[0..<4])
        }
        return unused
    }
}

extension Limits {
    /// Damaged pages of which a single wrong bit is looked for when a store is rebuilt: 4 ms each.
    static let mendedPages = 256
}
