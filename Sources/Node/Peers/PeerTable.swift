package import SyncCore

/// What is known of other devices since the start of this one, beside what the store keeps.
package struct PeerTable: Sendable {
    package struct Peer: Sendable {
        /// Its wall clock minus this one's.
        package fileprivate(set) var clockSkewMilliseconds: Int64?
        /// Nil before it said hello.
        package fileprivate(set) var version: Version?
        /// When both held the same.
        package fileprivate(set) var synced: Milliseconds?
        /// Why it wants no session with this device, since it said so.
        package fileprivate(set) var refusal: ByeReason?
        /// Its disk is full, as it said last.
        package fileprivate(set) var isDiskFull = false
        /// Its person switched sync off, as it said when it ended the last session.
        package fileprivate(set) var isSyncOff = false
        /// For how many milliseconds it had confirmed nothing although it was sent something, at the last look at its
        /// connections; 0 if it owed nothing.
        package fileprivate(set) var silence: UInt64 = 0
        fileprivate var syncKept: Milliseconds?
        /// Something was exchanged since then.
        fileprivate var hasExchanged = false
        /// When it last did what no program of this kind does by mistake, on the monotonic clock.
        fileprivate var misdeeds: [Misdeed: UInt64] = [:]
        /// When the last session with it began, and the one before, on the monotonic clock.
        fileprivate var began: (last: UInt64?, before: UInt64?) = (nil, nil)
        /// When sessions with it last ended as another one took their place, on the monotonic clock.
        fileprivate var displacements: [Copy: [UInt64]] = [:]

        /// Whether two seem to run with one key and to take turns: a device that comes back displaces its
        /// former session once.
        package func runsTwice(_ copy: Copy, at now: UInt64) -> Bool {
            let times = displacements[copy] ?? []
            guard times.count == Limits.displacementsUntold, let first = times.first,
                let last = times.last
            else { return false }
            return now - first < Limits.displacementsMilliseconds
                && now - last < Limits.turnMilliseconds
        }

        /// Whether people are told of it: for a while, as nobody else would see it.
        package func did(_ misdeed: Misdeed, at now: UInt64) -> Bool {
            misdeeds[misdeed].map { now - $0 < Limits.misbehaviourToldMilliseconds } ?? false
        }
    }

    package enum Misdeed: Hashable, Sendable {
        /// It sent what was broken, or not as it was written.
        case sentBrokenData
        /// It wrote what no grant of its own ever covered.
        case wroteBeyondRights
    }

    /// Whose home runs twice.
    package enum Copy: Hashable, Sendable {
        /// That of this device: the other one has a session with a copy instead.
        case here
        case there
    }

    /// Which peersync a device has, as far as it matters: what it says of it is for people, and whether
    /// this one understands it shows in what it sends.
    package struct Version: Sendable {
        /// As the device says; empty when it said nothing.
        package var text = ""
        /// Nil while both understand each other.
        package var isNewer: Bool?
    }

    private var peers: [DeviceID: Peer] = [:]
    /// The disk of this device is full: others are told.
    package private(set) var isDiskFullHere = false

    package init() {}

    package subscript(device: DeviceID) -> Peer { peers[device] ?? Peer() }

    /// Devices that want no session with this one: they are not called before somebody acts.
    package var refusing: Set<DeviceID> { Set(peers.filter { $0.value.refusal != nil }.keys) }

    /// Devices that had confirmed nothing for so many milliseconds at the last look at their connections, be they
    /// connected now or not.
    package func silent(for milliseconds: UInt64) -> Set<DeviceID> {
        Set(peers.filter { $0.value.silence >= milliseconds }.keys)
    }

    // MARK: What happens

    package mutating func greeted(_ device: DeviceID, by hello: Hello, at now: Milliseconds) {
        let isKnown = hello.versions.contains(Limits.protocolVersion)
        let isNewer = hello.versions.lowerBound > Limits.protocolVersion
        change(device) { peer in
            peer.version = Version(text: hello.agentVersion, isNewer: isKnown ? nil : isNewer)
            peer.clockSkewMilliseconds = hello.skew(from: now)
            peer.refusal = nil
            peer.isSyncOff = false
        }
    }

    package mutating func ended(_ device: DeviceID, _ reason: ByeReason) {
        change(device) { $0.isSyncOff = reason == .syncOff }
    }

    /// A session began: a device whose disk is still full says so again.
    package mutating func opened(_ device: DeviceID, at now: UInt64) {
        change(device) { peer in
            peer.isDiskFull = false
            peer.silence = 0
            peer.began = (now, peer.began.last)
        }
    }

    /// Somebody looked at the connections of these devices.
    package mutating func noteSilences(_ silences: [DeviceID: UInt64]) {
        for (device, silence) in silences { change(device) { $0.silence = silence } }
    }

    package mutating func said(_ device: DeviceID, _ condition: Condition) {
        change(device) { $0.isDiskFull = condition.isDiskFull }
    }

    /// One of the two could not read what the other one sent. The ranges in Hello count more where they
    /// tell who is newer.
    package mutating func misunderstood(_ device: DeviceID, isNewer: Bool) {
        change(device) { peer in
            let known = peer.version?.isNewer
            peer.version = Version(text: peer.version?.text ?? "", isNewer: known ?? isNewer)
        }
    }

    package mutating func refused(_ device: DeviceID, _ reason: ByeReason) {
        change(device) { $0.refusal = reason }
    }

    /// A person acted: peers that refused are asked once more.
    package mutating func forgetRefusals() {
        for device in refusing { peers[device]?.refusal = nil }
    }

    package mutating func note(_ misdeed: Misdeed, of device: DeviceID, at now: UInt64) {
        change(device) { $0.misdeeds[misdeed] = now }
    }

    /// A session with a device ended as there is another one, of that device or with a copy of this one.
    package mutating func displaced(_ device: DeviceID, _ copy: Copy, at now: UInt64) {
        change(device) { peer in
            // Two that meet again call each other at once: one of the two sessions ends as it begins.
            if let last = peer.began.last, let before = peer.began.before,
                last - before < Limits.bothCallMilliseconds
            {
                return
            }
            var times = peer.displacements[copy, default: []]
            // After a pause the copy is gone, and this is a device that came back.
            if let last = times.last, now >= last + Limits.turnMilliseconds { times = [] }
            peer.displacements[copy] = (times + [now]).suffix(Limits.displacementsUntold)
        }
    }

    /// Both hold the same now. Whether that is to be written down: soon after something was exchanged, else once in a
    /// while only, as comparing two devices that hold the same writes nothing.
    package mutating func synced(
        _ device: DeviceID, at now: Milliseconds, hasExchanged: Bool
    ) -> Bool {
        var isDue = true
        change(device) { peer in
            peer.hasExchanged = peer.hasExchanged || hasExchanged
            let pause =
                peer.hasExchanged
                ? Limits.exchangeNoteMilliseconds : Limits.syncedNoteMilliseconds
            // A clock that was set back must not leave a time in the future.
            isDue =
                peer.syncKept.map {
                    now < $0 || now.value > $0.value + pause
                } ?? true
            peer.synced = now
            if isDue { (peer.syncKept, peer.hasExchanged) = (now, false) }
        }
        return isDue
    }

    /// Devices, and when both last held the same, where that was not written down; it counts as written
    /// from now on.
    package mutating func syncsToKeep() -> [DeviceID: Milliseconds] {
        let due = peers.filter { $0.value.synced != $0.value.syncKept }.compactMapValues(\.synced)
        for device in due.keys { change(device) { $0.syncKept = $0.synced } }
        return due
    }

    /// Whether that is news.
    package mutating func noteOwnDisk(isFull: Bool) -> Bool {
        defer { isDiskFullHere = isFull }
        return isDiskFullHere != isFull
    }

    private mutating func change(_ device: DeviceID, _ body: (inout Peer) -> Void) {
        body(&peers[device, default: Peer()])
    }
}

extension Hello {
    /// The wall clock of who says it minus another one, in milliseconds.
    package func skew(from now: Milliseconds) -> Int64 { Int64(wallClock.value) - Int64(now.value) }
}

extension Limits {
    /// How long a person is told of a device that wrote beyond its rights, or sent what was broken or
    /// changed, after it last did: its program tries again at every connection.
    package static let misbehaviourToldMilliseconds: UInt64 = 3_600_000
    /// Sessions that took each other's place before that is told, and within which time: more than a device
    /// needs that comes from one network into another one.
    static let displacementsUntold = 5
    package static let displacementsMilliseconds: UInt64 = 600_000
    /// Within which time two devices call each other that both notice the network: no copy is that quick.
    static let bothCallMilliseconds: UInt64 = 2_000
    /// How long after the last of them: two copies call again within a minute or so.
    package static let turnMilliseconds: UInt64 = 120_000
    /// How often the time of the last sync with a device is written down while nothing is exchanged. A device that
    /// is killed says later that it synced at most so long before.
    package static let syncedNoteMilliseconds: UInt64 = 600_000
    /// The same once something was exchanged: two writes to the disk in a minute at most.
    package static let exchangeNoteMilliseconds: UInt64 = 30_000
}
