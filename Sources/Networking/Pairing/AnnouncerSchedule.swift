import Discovery
package import Identity
package import SyncCore

/// The devices that a joining one calls, and when, to find the one that shows the code.
///
/// Anybody can announce a nameplate, and what is announced says nothing about who knows the code. So
/// each announcer is called once, in random order. One that answers at once is waited for, as a
/// further honest one with the same nameplate would lose its code to this call; one that keeps silent
/// delays the others by a moment only.
package struct AnnouncerSchedule {
    package typealias Instant = ContinuousClock.Instant

    private let start: Instant
    /// False when there is one address to call and nobody to search for.
    private let searches: Bool
    private var waiting: [[HostPort]] = []
    /// Addresses that are called or were.
    private var tried: Set<HostPort> = []
    private var open = 0
    private var called = 0
    private var lastCall: Instant
    /// When somebody last took part in an exchange and failed.
    private var lastGuess: Instant?
    private var deafSince: Instant?

    /// `address` is the only one to call; without it there are announcers to be heard.
    package init(address: HostPort?, now: Instant) {
        start = now
        lastCall = now
        searches = address == nil
        if let address { waiting = [[address]] }
    }

    package mutating func heard(_ announcers: Announcers, at now: Instant) {
        deafSince = announcers.isDeaf ? deafSince ?? now : nil
        // Two that announce the same address are one.
        var seen = tried
        waiting = announcers.instances.compactMap { instance in
            let new = instance.addresses.filter { seen.insert($0).inserted }
            return new.isEmpty ? nil : Array(new.prefix(Limits.addressesPerCall))
        }
    }

    /// The addresses of the next announcer, to be called one after the other; nil when none is due.
    package mutating func next(
        at now: Instant, random: inout some RandomNumberGenerator
    ) -> [HostPort]? {
        guard canCall, now >= due else { return nil }
        let addresses = waiting.remove(at: Int.random(in: waiting.indices, using: &random))
        tried.formUnion(addresses)
        open += 1
        called += 1
        lastCall = now
        return addresses
    }

    /// A call is over without a pairing.
    package mutating func ended(at now: Instant, _ progress: PairingProgress) {
        open -= 1
        if progress > .opening { lastGuess = now }
    }

    /// Nobody is left to call or to wait for.
    package func isOver(at now: Instant) -> Bool { open == 0 && !canCall && now >= giveUp }

    /// When `next` or `isOver` may answer otherwise by itself.
    package var wake: Instant? {
        if canCall { return due }
        return open == 0 ? giveUp : nil
    }

    private var canCall: Bool { !waiting.isEmpty && called < Limits.announcersCalled }

    private var due: Instant {
        switch open {
        case 0: lastCall
        case 1: lastCall + .milliseconds(Limits.announcerMilliseconds)
        default: lastCall + .milliseconds(Limits.nextAnnouncerMilliseconds)
        }
    }

    private var giveUp: Instant {
        guard searches, called < Limits.announcersCalled else { return start }
        var ends = [start + .seconds(Limits.findHostSeconds)]
        if let lastGuess {
            ends.append(lastGuess + .milliseconds(Limits.lateAnnouncerMilliseconds))
        }
        if let deafSince { ends.append(deafSince + .seconds(Limits.deafSeconds)) }
        return ends.min() ?? start
    }
}

extension Limits {
    /// How long a joining device looks for the one that shows the code.
    package static let findHostSeconds = 20
    /// Announcers of one nameplate that one `join` calls, each of which may test one guess of the
    /// code: 64 in 10^8.
    package static let announcersCalled = 64
    /// What the only announcer that is called has to prove itself before the next one is called; an
    /// exchange takes a few tenths of a second.
    package static let announcerMilliseconds = 1_000
    /// The same once one has kept silent for so long.
    package static let nextAnnouncerMilliseconds = 250
    /// Seconds an announcer has to connect, which one that is there does at once.
    package static let announcerDialSeconds = 5
    /// Seconds an announcer has for each of its messages until it has proven itself. It writes to its
    /// disk meanwhile, which takes long on a busy or slow computer; others are called after a moment
    /// all the same.
    package static let announcerProofSeconds = 20
    /// After somebody took part and did not know the code, how long another may still be heard.
    package static let lateAnnouncerMilliseconds = 1_500
    /// How long Avahi may be away before looking for others has no sense.
    package static let deafSeconds = 3
}
