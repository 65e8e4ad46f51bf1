/// The virtual time and all pending events.
final class Timeline {
    /// Also read by the replicas' clocks.
    let time = VirtualTime()
    private var queue = EventQueue<Happening>()

    var now: UInt64 { time.now }

    /// `time` is in milliseconds since the run began.
    func add(_ happening: Happening, at time: UInt64) { queue.add(happening, at: time) }

    func after(_ milliseconds: UInt64, _ happening: Happening) {
        queue.add(happening, at: now + milliseconds)
    }

    /// The next event until `end`, whose time it is now; nil if there is none.
    func next(until end: UInt64) -> Happening? {
        guard let due = queue.nextTime, due <= end, let next = queue.next() else { return nil }
        advance(to: next.time)
        return next.event
    }

    /// Time never goes back.
    func advance(to time: UInt64) { self.time.now = max(now, time) }
}
