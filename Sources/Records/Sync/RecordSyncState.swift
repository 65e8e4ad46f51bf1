package import SyncCore

/// The local knowledge of one record and its files.
package struct RecordSyncState: Sendable {
    /// A file that the record needs.
    package struct File: Hashable, Sendable {
        package let blob: BlobID
        package let isHere: Bool
        /// Of its bytes, verified on this device.
        package let bytesHere: UInt64
        /// All its bytes, by the commit that names it; 0 when unknown.
        package let size: UInt64
        /// It was here, and its bytes are gone or damaged.
        package let wasHere: Bool
        /// When it was freed here; nil where that is not looked up, and for one that was not.
        package let freedAt: Milliseconds?

        package init(
            blob: BlobID, isHere: Bool, bytesHere: UInt64, size: UInt64 = 0, wasHere: Bool = false,
            freedAt: Milliseconds? = nil
        ) {
            (self.blob, self.isHere, self.bytesHere, self.size) = (blob, isHere, bytesHere, size)
            (self.wasHere, self.freedAt) = (wasHere, freedAt)
        }
    }

    /// By author log: every commit whose writes to the record still count.
    package var commits: [LogID: Set<UInt64>] = [:]
    /// By author log: when the last of them was written.
    private(set) var written: [LogID: HybridTime] = [:]
    /// The first commit that wrote to the record, where no other device is known to have any of ``commits``.
    package var origin: (log: LogID, sequence: UInt64)?
    package var isConflicted = false
    package var isDeleted = false
    package var files: [File] = []
    /// Whether the record stands for one file, not for something with files.
    package var isFile = false

    package init() {}

    /// Adds the writes of a state that still count.
    package mutating func add(_ state: RecordState) {
        for write in state.survivors {
            commits[write.log, default: []].insert(write.sequence)
            written[write.log] = max(write.clock, written[write.log] ?? write.clock)
        }
    }

    /// Whether a device that holds this has every change of the record.
    func isCovered(by watermark: Watermark) -> Bool {
        commits.allSatisfy { log, sequences in
            sequences.max().map { watermark.covers(log, $0) } ?? true
        }
    }

    /// Whether a device that holds this has any of its changes.
    func isTouched(by watermark: Watermark) -> Bool {
        commits.contains { log, sequences in
            sequences.min().map { watermark.covers(log, $0) } ?? false
        } || origin.map { watermark.covers($0.log, $0.sequence) } ?? false
    }

    /// How many of its changes are beyond a watermark.
    func count(beyond watermark: Watermark) -> Int {
        commits.reduce(0) { count, entry in
            count + entry.value.count { !watermark.covers(entry.key, $0) }
        }
    }
}
