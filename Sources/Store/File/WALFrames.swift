internal import CSQLite
internal import SyncCore

/// What a WAL holds of committed transactions (SQLite file format, 4.1 to 4.3).
struct WALFrames {
    /// Where the latest content of each page starts in the WAL.
    private var latest: [UInt32: UInt64] = [:]
    /// The size of the database after the last transaction, in pages; nil without one.
    private(set) var pages: UInt32?
    /// Where every page starts that the WAL holds or held, whether or not it is what was written.
    private(set) var all: [UInt64] = []
    /// Whether transactions stand behind bytes that are not what was written: those had reached the
    /// disk, as each was synced before the next began. A power cut spoils the last one only; what an
    /// earlier one spoiled may still stand behind it, and does not go on from it.
    private(set) var isBroken = false

    private static let headBytes = 32
    private static let frameHeadBytes = 24

    init(_ place: any StorePlace) throws(StoreError) {
        let head = try place.read("-wal", at: 0, WALFrames.headBytes)
        guard head.count == WALFrames.headBytes else { return }
        let isBigEndian: Int32 = head[3] & 1 == 0 ? 0 : 1
        var sums: (UInt32, UInt32) = (0, 0)
        var isSound = head.starts(with: [0x37, 0x7F, 0x06]) && head[3] & 0xFE == 0x82
        WALFrames.add(head[0..<24], isBigEndian, to: &sums)
        isSound = isSound && WALFrames.are(sums, in: head[24..<32])
        isBroken = !isSound && head.contains { $0 != 0 }
        var offset = UInt64(WALFrames.headBytes)
        var pending: [UInt32: UInt64] = [:]
        // Of those behind that go on from each other.
        var commitsBehind = 0
        var sumsBefore = head[24..<32]
        while true {
            let length = WALFrames.frameHeadBytes + PageFile.pageBytes
            let frame = try place.read("-wal", at: offset, length)
            guard frame.count == length else { break }
            let content = offset + UInt64(WALFrames.frameHeadBytes)
            all.append(content)
            offset += UInt64(length)
            let size = UInt32(bigEndian: frame[4..<8])
            let isOfThis = frame[8..<16] == head[16..<24]
            if !isSound {
                sums = (
                    UInt32(bigEndian: sumsBefore.prefix(4)), UInt32(bigEndian: sumsBefore.suffix(4))
                )
            }
            sumsBefore = frame[16..<24]
            WALFrames.add(frame[0..<8], isBigEndian, to: &sums)
            WALFrames.add(frame[24...], isBigEndian, to: &sums)
            let goesOn = isOfThis && WALFrames.are(sums, in: frame[16..<24])
            isSound = isSound && goesOn
            guard isSound else {
                if !goesOn { commitsBehind = 0 }
                if isOfThis, size > 0 { commitsBehind += 1 }
                if commitsBehind > 1 { isBroken = true }
                continue
            }
            pending[UInt32(bigEndian: frame[0..<4])] = content
            guard size > 0 else { continue }
            latest.merge(pending) { $1 }
            pending = [:]
            pages = size
        }
        check()
    }

    private func check() {
        precondition(
            (pages == nil) == latest.isEmpty, "\(latest.count) pages are of no transaction")
        Invariants.check(
            Set(latest.values).isSubset(of: all), "a page is read from where none was looked at")
        Invariants.check(
            Set(latest.values).count == latest.count, "two pages are read from one place")
    }

    func has(_ page: UInt32) -> Bool { latest[page] != nil }

    /// The content of a page; nil when the file has it.
    func page(_ number: UInt32, of place: any StorePlace) throws(StoreError) -> [UInt8]? {
        guard let start = latest[number] else { return nil }
        let bytes = try place.read("-wal", at: start, PageFile.pageBytes)
        return bytes.count == PageFile.pageBytes ? bytes : nil
    }

    private static func add(
        _ bytes: ArraySlice<UInt8>, _ isBigEndian: Int32, to sums: inout (UInt32, UInt32)
    ) {
        unsafe bytes.withUnsafeBytes {
            unsafe peersync_wal_sums($0.baseAddress, $0.count, isBigEndian, &sums.0, &sums.1)
        }
    }

    private static func are(_ sums: (UInt32, UInt32), in bytes: ArraySlice<UInt8>) -> Bool {
        sums.0 == UInt32(bigEndian: bytes.prefix(4))
            && sums.1 == UInt32(bigEndian: bytes.suffix(4))
    }
}
