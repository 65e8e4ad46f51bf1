import Node
import SyncCore

/// The world's pending events.
enum Happening {
    /// The replica's engine takes its next event.
    case loop(Int, boot: Int)
    /// The replica does the next piece of work of one kind.
    case work(Int, boot: Int, Replica.Lane)
    case tick(Int, boot: Int, due: UInt64)
    case arrival(link: Int, end: Int)
    /// The time for both sides to say hello is over.
    case greetingOverdue(link: Int)
    /// Events reach the engine late, as with a slow thread.
    case post(Int, boot: Int, [EngineEvent])
    case dial(Int, boot: Int, due: UInt64)
    /// A call arrives, or fails.
    case call(Int, boot: Int, DialPlan.Call)
    case callFailed(Int, boot: Int, DialPlan.Target)
    /// A replica hears that another one announces itself, or no longer does.
    case found(Int, boot: Int, DiscoveredInstance)
    case lost(Int, boot: Int, String)
    case dialBulk(Int, boot: Int, session: UInt64)
    /// A person looks at an offer.
    case answer(Int, boot: Int, SpaceID)
    /// Work that the replica's node scheduled is due.
    case duties(Int, boot: Int, due: UInt64)
    case duty(Int, boot: Int, Node.Duty)
    /// A person stops waiting for the results of their key.
    case recovered(Int, boot: Int)
    case restart(Int, boot: Int)
    /// Connections for blobs between two replicas break.
    case fray(Int, Int)
}
