import SyncCore

/// What the world has waiting for its time.
enum Happening {
    /// The replica's engine takes its next event.
    case loop(Int, boot: Int)
    /// The replica does the next piece of work of one kind.
    case work(Int, boot: Int, Replica.Lane)
    case tick(Int, boot: Int, due: UInt64)
    case arrival(link: Int, end: Int)
    /// Events reach the engine late: a thread was slow.
    case post(Int, boot: Int, [EngineEvent])
    case dial(Int, boot: Int)
    case dialBulk(Int, boot: Int, session: UInt64)
    /// A person looks at what is on offer.
    case answer(Int, boot: Int, SpaceID)
    /// Own devices are given what they lack.
    case grantSiblings(Int, boot: Int)
    /// The replica looks whether a key is its to make or to give.
    case keepEpochs(Int, boot: Int, SpaceID)
    case restart(Int, boot: Int)
    /// Connections for blobs between two replicas break.
    case fray(Int, Int)
}
