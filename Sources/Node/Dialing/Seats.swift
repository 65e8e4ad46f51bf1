package import SyncCore

/// Whom a device keeps sessions with of those whom it needs: all, or as many as it has seats for, each in
/// turn.
struct Seats: Sendable {
    var needed = NeededSessions()
    /// Those for whom there is something new, and until when they come first.
    private var hurried: [DeviceID: UInt64] = [:]
    /// Until when there are more seats, and until when everybody may have one.
    private var moreUntil: UInt64 = 0
    private var allUntil: UInt64 = 0
    /// Not everybody has one.
    private var isFull = false

    mutating func hurry(_ devices: Set<DeviceID>, at now: UInt64) {
        for device in devices { hurried[device] = now + Limits.seekMilliseconds }
    }

    /// This device was away.
    mutating func returned(at now: UInt64) { moreUntil = now + Limits.askedMilliseconds }

    /// A person waits for all devices, needed or not.
    mutating func ask(at now: UInt64) {
        (moreUntil, allUntil) = (now + Limits.askedMilliseconds, now + Limits.askedMilliseconds)
    }

    /// `reachable` are those with a session, and those that seem to be there. Others take no seats from
    /// them: to call them costs no session.
    mutating func seated(
        by reachable: Set<DeviceID>, of known: Set<DeviceID>, at now: UInt64
    ) -> Set<DeviceID> {
        let needed = neededNow(reachable)
        hurried = hurried.filter { $0.value > now }
        let seats = now < moreUntil ? Limits.seatsWhenAsked : Limits.seats
        let others = now < allUntil ? known.subtracting(needed) : []
        let there = needed.intersection(reachable)
        isFull = max(there.count, needed.count - there.count) > seats
        let first = there.filter { hurried[$0] != nil }
        let groups = [first, there.subtracting(first), others.intersection(reachable)]
        let away = [needed.subtracting(there), others.subtracting(reachable)]
        return Set(groups.flatMap { inTurn($0, at: now) }.prefix(seats))
            .union(away.flatMap { inTurn($0, at: now) }.prefix(seats))
    }

    /// On each way all up to the first one that is there and holds the space.
    private func neededNow(_ reachable: Set<DeviceID>) -> Set<DeviceID> {
        var devices: Set<DeviceID> = []
        for way in needed.ways {
            for step in way {
                devices.insert(step.device)
                if step.isHolder, reachable.contains(step.device) { break }
            }
        }
        return devices
    }

    /// When somebody else has their turn, or there are fewer seats again.
    func nextTurn(after now: UInt64) -> UInt64? {
        let turn = (now / Limits.surplusMilliseconds + 1) * Limits.surplusMilliseconds
        return [isFull ? turn : nil, now < moreUntil ? moreUntil : nil].compactMap(\.self).min()
    }

    /// With every turn the first one becomes the last.
    private func inTurn(_ devices: Set<DeviceID>, at now: UInt64) -> [DeviceID] {
        guard !devices.isEmpty else { return [] }
        let start = Int((now / Limits.surplusMilliseconds) % UInt64(devices.count))
        let sorted = devices.sorted()
        return Array(sorted[start...] + sorted[..<start])
    }
}

extension Limits {
    // MARK: Seats

    /// Devices with which a device keeps sessions because spaces need it. Each session has a connection for files
    /// beside it, and as many devices may need this one: together with the neighbours that leaves
    /// ``connectionsKept`` free.
    package static let seats = 32
    /// The same while a person waits for a sync, and when this device was away.
    package static let seatsWhenAsked = 64
    static let askedMilliseconds: UInt64 = 30_000
}
