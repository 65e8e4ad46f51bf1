internal import SyncCore

/// A record whose past is asked for.
struct WrittenRecord {
    let key: RecordKey
    /// The rows of the commits that write to it and count, and perhaps of others, in order; nil when they cannot be
    /// known.
    let writers: [Int64]?
    /// The only fields that are asked for: all are read together.
    let fields: [String]
}

/// The writes to some fields of one record.
struct WrittenPast {
    /// The commit of a write; all records to which it writes share it.
    final class Author {
        let row: Int64
        let id: CommitID
        let log: LogID
        /// The row of its log.
        let logRow: Int64
        let sequence: UInt64
        let clock: HybridTime

        init(
            row: Int64, id: CommitID, log: LogID, logRow: Int64, sequence: UInt64,
            clock: HybridTime
        ) {
            (self.row, self.id, self.log, self.logRow) = (row, id, log, logRow)
            (self.sequence, self.clock) = (sequence, clock)
        }
    }

    /// A write to a field: where it stands in the log.
    struct Place {
        let id: WriteID
        let commit: Author
        let precedence: UInt32
        let replaces: [WriteID]?
    }

    let record: WrittenRecord
    /// By field, in storing order; one more than are merged, and those of the same commit, at most.
    private(set) var places: [String: [Place]] = [:]
    /// Of some of these writes, within ``Limits/keptValueBytes``.
    private(set) var values: [WriteID: Value] = [:]
    /// What it holds: values, and what its writes replace.
    private(set) var bytes = 0
    /// Whether every commit could be read.
    private(set) var isWhole: Bool

    init(of record: WrittenRecord) {
        self.record = record
        isWhole = record.writers != nil
    }

    /// The fields of which it does not have more writes than are merged.
    var openFields: [String] {
        record.fields.filter { places[$0]?.count ?? 0 <= Limits.mergedHistory }
    }

    /// One of its commits cannot be read.
    mutating func noteLoss() { isWhole = false }

    /// Commits are noted in storing order.
    mutating func note(_ written: IndexedWrite, of commit: Author) {
        let (write, id) = (written.write, WriteID(commit: commit.id, index: written.index))
        precondition(
            places[write.field]?.last.map { $0.commit.row <= commit.row } ?? true,
            "the write \(id) is noted after later ones")
        places[write.field, default: []].append(
            Place(id: id, commit: commit, precedence: write.precedence, replaces: write.replaces))
        bytes += (write.replaces?.count ?? 0) * MemoryLayout<WriteID>.size
        let value = write.value.text?.utf8.count ?? write.value.canonicalBytes.count
        guard bytes + value <= Limits.keptValueBytes else { return }
        bytes += value
        values[id] = write.value
    }

    /// Checked once it has all of them.
    func check() {
        Invariants.check(
            places.values.allSatisfy { Set($0.map(\.id)).count == $0.count },
            "a write stands in the log twice")
    }
}

extension Limits {
    /// Bytes of texts that are kept while texts are merged; others are read from their commits again.
    static let keptValueBytes = 8 << 20
}
