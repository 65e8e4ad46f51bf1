/// Who is at the other end of a session.
package struct PeerInfo: Sendable {
    package let device: DeviceID
    package let person: PersonID
    /// Whether this side dialled.
    package let dialed: Bool
    /// Whether it says whom it reaches, and takes differences of acks.
    package let tellsReach: Bool

    package init(device: DeviceID, person: PersonID, dialed: Bool, tellsReach: Bool = true) {
        (self.device, self.person) = (device, person)
        (self.dialed, self.tellsReach) = (dialed, tellsReach)
    }

    /// Both sides dial: the connection dialled by the smaller device id stays. Of two dialled by
    /// the same side the newer stays, for the older one is dead.
    func stays(insteadOf new: PeerInfo, on own: DeviceID) -> Bool {
        guard dialed != new.dialed else { return false }
        return dialed ? own < device : device < own
    }
}
