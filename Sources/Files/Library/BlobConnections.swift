package import SyncCore
package import Wire

/// The open connections with other devices that carry blobs.
package protocol BlobConnections: Sendable {
    /// The device at the other end; nil when the connection is gone.
    func device(of bulk: BulkID) -> DeviceID?
    /// Says that a chunk from a connection is being written; call the returned function when that is done.
    func beganWriting(_ bulk: BulkID) -> @Sendable () -> Void
    /// Sends an answer, in order with the chunks that follow it; false when the connection is gone.
    func answer(_ have: Have, on bulk: BulkID) async -> Bool
    /// Sends a chunk, after waiting for room among the bytes that may wait to be written; false when the
    /// connection is gone. The figures of a sync count no thumbnail as a file.
    func send(_ chunk: ChunkPayload, isThumbnail: Bool, on bulk: BulkID) async -> Bool
    /// Ends a connection that broke the protocol.
    func close(_ bulk: BulkID)
    /// Calls `body` once a connection is gone; at once if it is gone already.
    func whenClosed(_ bulk: BulkID, _ body: @escaping @Sendable () -> Void)
    /// Counts an error of a device, for the figures of the next sync.
    func noteError(of device: DeviceID?)
    /// Reports that a device sent something invalid.
    func noteMisbehaviour(of device: DeviceID?)
}
