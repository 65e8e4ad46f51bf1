/// Whom a device needs a session with, so that those who hold a space hear of each other's changes whatever
/// sessions there are besides.
///
/// All who may have a space stand on a ring, in the order of their ids. From its own place a device goes
/// round, past those who do not hold the space yet, to the next one that does, and needs each of them. As
/// everybody does so, all who hold the space are connected, and a device that was given it is offered it. Nobody is
/// needed whom a connected holder says to reach.
package struct NeededSessions: Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        package let device: DeviceID
        /// Whether it holds the space, and so knows whom it needs itself.
        package let isHolder: Bool

        package init(_ device: DeviceID, isHolder: Bool) {
            (self.device, self.isHolder) = (device, isHolder)
        }
    }

    /// One way round the ring of each space, equal ones once. Where a step is not there, the next one is
    /// needed as well, up to one that is there and holds the space.
    package let ways: [[Step]]

    var devices: Set<DeviceID> { Set(ways.joined().map(\.device)) }

    package init(ways: Set<[Step]> = []) {
        self.ways = ways.filter { !$0.isEmpty }.sorted { one, other in
            one.lazy.map(\.device).lexicographicallyPrecedes(other.lazy.map(\.device))
        }
    }
}
