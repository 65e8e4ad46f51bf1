/// The result of one sync with one device, since the two differed.
package struct SyncRunView: Codable, Sendable, Equatable {
    /// Grows with every run.
    package let id: Int64
    package let device: Reference
    package let started: Moment
    package let ended: Moment
    package let durationMilliseconds: Int64
    /// Thumbnails are no files of their own; the bytes are with them.
    package let sent: WaitingCount
    package let received: WaitingCount
    /// Over the network, all of it.
    package let bytesSent: Int64
    package let bytesReceived: Int64
    /// Records that are in conflict since.
    package let conflicts: Int
    /// Files that were not kept, chunks that were wrong, changes that were refused.
    package let errors: Int
    package let details: Details

    package init(
        id: Int64, device: Reference, started: Moment, ended: Moment, sent: WaitingCount,
        received: WaitingCount, bytesSent: Int64, bytesReceived: Int64, conflicts: Int,
        errors: Int, details: Details
    ) {
        (self.id, self.device, self.started, self.ended) = (id, device, started, ended)
        durationMilliseconds = max(0, ended.milliseconds - started.milliseconds)
        (self.sent, self.received, self.bytesSent) = (sent, received, bytesSent)
        (self.bytesReceived, self.conflicts) = (bytesReceived, conflicts)
        (self.errors, self.details) = (errors, details)
    }

    package struct Details: Codable, Sendable, Equatable {
        /// Both were equal at the end; else the connection ended before.
        package var complete = false
        /// Of files, each way.
        package var fileBytesSent: Int64 = 0
        package var fileBytesReceived: Int64 = 0
        /// How long files were moving.
        package var fileMilliseconds: Int64 = 0
        /// Processor time of the whole agent meanwhile.
        package var processorMilliseconds: Int64 = 0
        /// By collection: records that the changes that came were about.
        package var records: [String: Int] = [:]
        /// Records that were checked afterwards: the synced ones, and those that refer to them.
        package var checked = 0
        /// By kind (see ``SpaceCheckView/Kind``): flaws among them.
        package var flaws: [String: Int] = [:]

        package init() {}
    }
}

/// How many runs to tell of.
package struct SyncRunFilter: Codable, Sendable, Hashable {
    /// The latest; 20 when absent.
    package let limit: Int?

    package init(limit: Int?) { self.limit = limit }
}
