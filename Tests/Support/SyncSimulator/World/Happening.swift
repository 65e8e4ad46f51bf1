import Node
import SyncCore

/// What the world has waiting for its time.
enum Happening {
    /// The replica's engine takes its next event.
    case loop(Int, boot: Int)
    /// The replica does the next piece of work of one kind.
    case work(Int, boot: Int, Replica.Lane)
    case tick(Int, boot: Int, due: UInt64)
    case arrival(link: Int, end: Int)
    /// Both sides have had the time to say hello.
    case greetingOverdue(link: Int)
    /// Events reach the engine late: a thread was slow.
    case post(Int, boot: Int, [EngineEvent])
    case dial(Int, boot: Int, due: UInt64)
    /// A call arrives, or comes to nothing.
    case call(Int, boot: Int, DialPlan.Call)
    case callFailed(Int, boot: Int, DialPlan.Target)
    /// A replica hears that another one announces itself, or does so no longer.
    case found(Int, boot: Int, DiscoveredInstance)
    case lost(Int, boot: Int, String)
    case dialBulk(Int, boot: Int, session: UInt64)
    /// A person looks at what is on offer.
    case answer(Int, boot: Int, SpaceID)
    /// Something that the replica's node waits for is due.
    case duties(Int, boot: Int, due: UInt64)
    case duty(Int, boot: Int, Node.Duty)
    /// A person stops waiting for what their key brings back.
    case recovered(Int, boot: Int)
    case restart(Int, boot: Int)
    /// Connections for blobs between two replicas break.
    case fray(Int, Int)
}
