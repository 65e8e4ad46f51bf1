/// Whom a device dials when there are more devices than everybody can be connected with.
///
/// All stand on a ring, in the order of a hash. Each dials the next two on it, so that all are
/// connected as long as they see the same devices, also when some come and go; and three others that
/// a hash draws for it, so that the way from one to another is short: four steps among a thousand.
package enum Neighbours {
    /// The places to dial, of those where somebody seems to be. Places are hashes.
    package static func chosen(from own: UInt64, among others: [UInt64]) -> Set<UInt64> {
        guard others.count > Limits.neighbours else { return Set(others) }
        let clockwise = others.sorted { $0 &- own < $1 &- own }
        let next = clockwise.prefix(Limits.nextNeighbours)
        let drawn = clockwise.dropFirst(next.count)
            .sorted { mixed(mixed(own) ^ $0) < mixed(mixed(own) ^ $1) }
            .prefix(Limits.drawnNeighbours)
        return Set(next).union(drawn)
    }
}

extension Limits {
    // MARK: Neighbours

    /// Up to so many other devices are all connected with. Beyond, each has ten sessions on average,
    /// half of which it dials: then a commit is everywhere in few steps, while what a device sends of
    /// its own acks stays below 4 KB an edit.
    package static let neighbours = 12
    /// Of those dialled, the next ones on the ring: a second one for when the first goes away.
    package static let nextNeighbours = 2
    /// And those that are drawn.
    package static let drawnNeighbours = 3
}
