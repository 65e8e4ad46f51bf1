internal import GRDB
internal import SyncCore

/// How far a log of a space goes.
struct LogEnd: Hashable {
    let space: SpaceID
    let log: LogID
    let sequence: UInt64
    /// The first 8 bytes of the id of the commit there, which tell the branches of a log apart; 0 where they are
    /// not known.
    let idStart: UInt64

    init(space: SpaceID, log: LogID, sequence: UInt64, idStart: UInt64 = 0) {
        (self.space, self.log, self.sequence, self.idStart) = (space, log, sequence, idStart)
    }

    init(space: SpaceID, log: LogID, head: LogHead) {
        self.init(
            space: space, log: log, sequence: head.sequence,
            idStart: LogEnd.idStart(of: head.commit))
    }

    static func idStart(of commit: CommitID) -> UInt64 { UInt64(bigEndian: commit.bytes.prefix(8)) }

    /// Whether it takes the place of what was noted in the row of its log: a log that was longer once stays
    /// noted as that. The loss was told, but an older database may come back after that, too.
    fileprivate func replaces(_ noted: LogEnd?) -> Bool {
        guard let noted, noted.space == space, noted.log == log else { return true }
        guard sequence == noted.sequence else { return sequence > noted.sequence }
        return noted.idStart == 0 && idStart != 0
    }
}

/// The files beside a store that say what it has to hold. Written on the writer's queue, after the
/// transaction that they tell of: they never say more than what was answered.
struct StoreMarkFile: Sendable {
    static let markName = "store.mark"
    static let headsName = "store.heads"
    private static let nextName = "store.mark.next"
    private static let slotBytes = 128

    private let mark: any StorePlace
    private let heads: any StorePlace
    /// What the mark is to be once a transaction is committed.
    private let next: any StorePlace

    init(beside place: any StorePlace) {
        (mark, heads) = (
            place.beside(StoreMarkFile.markName), place.beside(StoreMarkFile.headsName)
        )
        next = place.beside(StoreMarkFile.nextName)
    }

    /// Nil where there is none, or another one than was written, or none that can be read: a store that is
    /// whole opens without it.
    func readable() -> StoreMark? { try? read() }

    /// Nil where there is none, or another one than was written.
    private func read() throws -> StoreMark? { StoreMark(encoded: try mark.contents()) }

    /// Has the mark say what a database holds; `emptied` are spaces of which nothing is left. Returns whether
    /// that was done: where it was not, on a full disk for example, an older mark says less, and nothing
    /// that is not so.
    func keep(_ database: Database, emptied: Set<SpaceID>) -> Bool {
        guard let now = try? current(database, emptied: emptied) else { return false }
        return (try? mark.replace(with: now.encoded)) != nil
    }

    /// Writes what the mark is to be once the transaction at work is committed, durably: then a name is all that is
    /// missing, which takes no room. Throws ``StoreError/diskFull`` without room.
    func prepare(_ database: Database, emptied: Set<SpaceID>) throws {
        try next.replace(with: try current(database, emptied: emptied).encoded)
    }

    /// Has the mark be what was prepared.
    func keepPrepared() throws(StoreError) {
        try next.move("", to: StoreMarkFile.markName)
    }

    /// The transaction did not come about, or its process ended.
    func dropPrepared() { next.remove("") }

    private func current(_ database: Database, emptied: Set<SpaceID>) throws -> StoreMark {
        var now = try StoreMark(of: database, emptied: emptied)
        // One that cannot be read now stays in place: only it has their first commits.
        if !emptied.isEmpty, let before = try read() {
            now.keepGeneses(of: emptied, from: before)
        }
        return now
    }

    /// How far logs went, by their rows, as far as it is not torn and can be read.
    func ends() -> [Int64: LogEnd] {
        let bytes = (try? heads.contents()) ?? []
        let starts = stride(from: 0, to: bytes.count, by: StoreMarkFile.slotBytes)
        return zip(1..., starts).reduce(into: [:]) { ends, slot in
            let (row, start) = slot
            ends[Int64(row)] = LogEnd(slot: Array(bytes[start...].prefix(StoreMarkFile.slotBytes)))
        }
    }

    /// Notes how far logs go after opening, where `noted` says less.
    func note(_ ends: [Int64: LogEnd], over noted: [Int64: LogEnd]) {
        note(ends.filter { $1.replaces(noted[$0]) })
    }

    /// Notes how far logs go, by their rows: each has a place of its own, which a disk writes whole or not at
    /// all. Nothing waits for it to be durable, and what fails says less.
    func note(_ ends: [Int64: LogEnd]) {
        for (row, end) in ends.sorted(by: { $0.key < $1.key }) where row > 0 {
            Invariants.check(LogEnd(slot: end.slot) == end, "an end is read back as another one")
            try? heads.write(end.slot, at: UInt64(row - 1) * UInt64(StoreMarkFile.slotBytes))
        }
    }
}

/// ```
/// space 32, device 32, incarnation 16, sequence 8, the start of the last commit's id 8, hash 32: SHA-256
/// of what comes before
/// ```
/// Before 2026-11-28 there were zeros in place of the id.
extension LogEnd {
    fileprivate var slot: [UInt8] {
        let content =
            space.bytes + log.device.bytes + log.incarnation.bytes + bigEndian(sequence)
            + bigEndian(idStart)
        return content + sha256(content).bytes
    }

    fileprivate init?(slot: [UInt8]) {
        let content = Array(slot.prefix(96))
        guard slot.count == 128, sha256(content).bytes == Array(slot.suffix(32)),
            let space = SpaceID(bytes: Array(content[0..<32])),
            let device = DeviceID(bytes: Array(content[32..<64])),
            let incarnation = Bytes16(Array(content[64..<80]))
        else { return nil }
        self.init(
            space: space, log: LogID(device: device, incarnation: incarnation),
            sequence: UInt64(bigEndian: content[80..<88]),
            idStart: UInt64(bigEndian: content[88..<96]))
    }
}
