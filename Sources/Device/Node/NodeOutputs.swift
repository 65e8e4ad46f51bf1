import Identity
package import SyncCore

/// What this device wants done by the parts around it.
package protocol NodeOutputs: Sendable {
    /// Something is said on a session.
    func send(_ message: PeerMessage, on session: SessionID)
    /// A session ends, because the peer broke the rules.
    func end(_ session: SessionID)
    /// Some devices are not trusted any more: their connections must end.
    func closeUntrusted()
    /// There may be new devices to dial.
    func callAgain() async
    /// This device shows another card from now on.
    func identityChanged(_ card: UnverifiedCard)
    /// Nothing can be written any more: sync must end.
    func storageFailed()
    /// The disk is full, or has room again.
    func setDiskFull(_ isFull: Bool)
    /// Somebody has to look whether there is room again.
    func awaitRoom()
    /// A device, or nobody knows whose, did what is wrong.
    func noteError(of device: DeviceID?, _ why: String, as event: String)
}
