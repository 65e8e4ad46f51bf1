internal import SyncCore
internal import Synchronization

/// What Avahi's callbacks report: copies, free of its memory.
enum AvahiSignal: Sendable {
    /// The daemon serves us and its host name is established.
    case running
    /// The daemon is choosing a host name: nothing may be published now.
    case settling
    /// There is no daemon; we are told when one comes.
    case waiting
    /// The connection is of no use any more, as when the daemon went away.
    case broken(DiscoveryOutage)
    case appeared(Sighting)
    case vanished(Sighting)
    /// `text` is nil when the TXT record is larger than we read.
    case resolved(Sighting, HostPort, text: [[UInt8]]?)
    case unresolved(Sighting)
    case published
    /// Somebody else has our instance name.
    case nameTaken
    /// Posted by ourselves: time to try again what did not resolve.
    case resolveAgain
}

/// Where callbacks leave their signals, in order, for one loop to act on.
final class AvahiSignals: Sendable {
    let stream: AsyncStream<AvahiSignal>
    private let continuation: AsyncStream<AvahiSignal>.Continuation
    private let lostSome = Atomic(false)

    init() {
        (stream, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Limits.discoverySignals))
    }

    /// Whether a flood overran us: what we know of the network is then no longer right.
    var haveOverflowed: Bool { lostSome.load(ordering: .relaxed) }

    func post(_ signal: AvahiSignal) {
        if case .dropped = continuation.yield(signal) { lostSome.store(true, ordering: .relaxed) }
    }
}
