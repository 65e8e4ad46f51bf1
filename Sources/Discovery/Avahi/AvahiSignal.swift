internal import SyncCore
internal import Synchronization

/// The reports of Avahi's callbacks: copies that do not use its memory.
enum AvahiSignal: Sendable {
    /// The daemon serves us and its host name is established.
    case running
    /// The daemon is choosing a host name: nothing may be published yet.
    case settling
    /// There is no daemon; Avahi reports when one starts.
    case waiting
    /// The connection is unusable, as when the daemon went away.
    case broken(DiscoveryOutage)
    case appeared(Sighting)
    case vanished(Sighting)
    /// `text` is nil if the TXT record is larger than the limit.
    case resolved(Sighting, HostPort, text: [[UInt8]]?)
    case unresolved(Sighting)
    case published
    /// Another machine has our instance name.
    case nameTaken
    /// Posted by ourselves: time to retry the sightings that did not resolve.
    case resolveAgain
}

/// Callbacks leave their signals here, in order, for one loop.
final class AvahiSignals: Sendable {
    let stream: AsyncStream<AvahiSignal>
    private let continuation: AsyncStream<AvahiSignal>.Continuation
    private let lostSome = Atomic(false)

    init() {
        (stream, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Limits.discoverySignals))
    }

    /// Whether signals were lost in a flood: the known state of the network is then out of date.
    var haveOverflowed: Bool { lostSome.load(ordering: .relaxed) }

    func post(_ signal: AvahiSignal) {
        if case .dropped = continuation.yield(signal) { lostSome.store(true, ordering: .relaxed) }
    }
}
