import Identity
package import SyncCore
internal import Synchronization

/// The actions that this device asks of the parts around it.
package protocol NodeOutputs: Sendable {
    /// Sends a message on a session.
    func send(_ message: PeerMessage, on session: SessionID)
    /// Ends a session, because the peer broke the rules.
    func end(_ session: SessionID)
    /// Some devices are not trusted any more: closes their connections.
    func closeUntrusted()
    /// Dials: there may be new devices.
    func callAgain() async
    /// From now on this device shows another card.
    func identityChanged(_ card: UnverifiedCard)
    /// Nothing can be written any more: ends sync.
    func storageFailed()
    /// The disk is full, or has room again.
    func setDiskFull(_ isFull: Bool)
    /// Starts to check whether there is room again.
    func awaitRoom()
    /// Tells ``AgentNode/peers`` for how long each connected device has confirmed nothing.
    func noteSilences() async
    /// A device, or an unknown one, broke the rules.
    func noteError(of device: DeviceID?, _ why: String, as event: String)
}

/// The outputs of a node, which may need the node in turn: ``AgentNode`` sets them once, before
/// anybody else has it.
final class LateOutputs: Sendable {
    private let outputs = Mutex<(any NodeOutputs)?>(nil)

    /// Nil only while the node is being made.
    var made: (any NodeOutputs)? { outputs.withLock { $0 } }

    func set(_ made: any NodeOutputs) { outputs.withLock { $0 = made } }
}
