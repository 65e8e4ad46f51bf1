package import SyncCore
package import Wire

/// The connections for blobs that are open with other devices.
package protocol BlobConnections: Sendable {
    /// Who is at the other end; nil when the connection is gone.
    func device(of bulk: BulkID) -> DeviceID?
    /// A chunk that a connection brought is being written; call what is returned when it is.
    func beganWriting(_ bulk: BulkID) -> @Sendable () -> Void
    /// Sends an answer in order with the chunks that follow it; false when the connection is gone.
    func answer(_ have: Have, on bulk: BulkID) async -> Bool
    /// Sends a chunk and waits for its share of what may wait to be written; false when the
    /// connection is gone.
    func send(_ chunk: ChunkPayload, on bulk: BulkID) async -> Bool
    /// Ends a connection that broke the protocol.
    func close(_ bulk: BulkID)
    /// Calls once a connection is gone; at once when it is already.
    func whenClosed(_ bulk: BulkID, _ body: @escaping @Sendable () -> Void)
    /// Something of a device went wrong that the next sync's figures are to show.
    func noteError(of device: DeviceID?)
    /// What came from a device was broken, or not what was written.
    func noteMisbehaviour(of device: DeviceID?)
}
