import Store
import SyncCore

/// The laws of merging, on the bytes of the records: the merged knowledge of three devices is the
/// same in every order and grouping.
struct LawCheck {
    let world: World

    /// Some of the effective commits, with everything that their authors had before them, in the
    /// order of arrival.
    private struct Known {
        private(set) var places: [Int] = []
        private var present: Set<Int> = []

        mutating func insert(_ place: Int) {
            if present.insert(place).inserted { places.append(place) }
        }

        func merged(with other: Known) -> Known {
            var merged = self
            for place in other.places { merged.insert(place) }
            return merged
        }
    }

    func run(in space: SpaceID, _ log: EffectiveLog, _ history: SpaceHistory) throws {
        guard log.entries.count > 1 else { return }
        let all = known(upTo: nil, log, history)
        let parts = (0..<3).map { _ in known(upTo: pick(log), log, history) }
        // The first two merge, then the third; and the other way round.
        let first = parts[0].merged(with: parts[1]).merged(with: parts[2]).merged(with: all)
        let second = parts[2].merged(with: parts[1].merged(with: parts[0])).merged(with: all)
        guard first.places != second.places else { return }
        let bytes = try bytes(of: log.states(of: first.places))
        if try self.bytes(of: log.states(of: second.places)) != bytes {
            world.report.fail(
                "laws", "merging \(short(space)) in another order makes something else")
        }
    }

    private func pick(_ log: EffectiveLog) -> Int {
        world.random.index(below: log.entries.count)
    }

    /// The entry at a place and all before it; nil for all. Entries that need not be known before
    /// each other may come in any order.
    private func known(
        upTo last: Int?, _ log: EffectiveLog, _ history: SpaceHistory
    ) -> Known {
        var known = Known()
        for (place, entry) in log.entries.enumerated() {
            guard let last else {
                known.insert(place)
                continue
            }
            if place == last || history.precedes(entry.number, log.entries[last].number) {
                known.insert(place)
            }
        }
        return known
    }

    private func bytes(of states: [RecordKey: RecordState]) -> [UInt8] {
        states.sorted { $0.key < $1.key }.flatMap { key, state in
            Array(key.collection.utf8) + key.record.bytes + RecordCodec.encode(state)
        }
    }
}
