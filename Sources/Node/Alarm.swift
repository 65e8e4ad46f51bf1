/// The earliest time at which somebody wants to look again.
package struct Alarm: Sendable {
    private var due: UInt64?

    package init() {}

    /// Asks for a time. Whether somebody has to wait for it: nobody waits for an earlier one.
    package mutating func isToWait(until due: UInt64) -> Bool {
        if let pending = self.due, pending <= due { return false }
        self.due = due
        return true
    }

    /// A time that was waited for has come. Whether nothing earlier took its place.
    package mutating func rings(at due: UInt64) -> Bool {
        guard self.due == due else { return false }
        self.due = nil
        return true
    }
}
