extension Sentence {
    /// What several modules say of trips.
    package enum Trip {
        /// `peersync trip restore Arezzo`.
        package static func restore(_ trip: TripView) -> String {
            let name = trip.name.isEmpty ? trip.shortID : quoted(trip.name)
            return "peersync \(SpaceNoun(isTrip: trip.isTrip)) restore \(name)"
        }

        /// `unseen: Ben added the memory “Hut” with 3 photos`.
        package static func unseenWork(_ deletion: DeletionView) -> String {
            deletion.unseen.map {
                Changes.line($0.isMine ? tr("you") : plain($0.author.name), $0.changes)
            }.joined(separator: "; ")
        }
    }

    package enum Memory {
        package static func name(_ memory: MemoryView) -> String {
            memory.title.isEmpty ? tr("a memory without title") : "\(Sentence.name(memory.title))"
        }
    }
}
