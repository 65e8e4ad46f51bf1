/// Every effective write to one register, superseded ones too, without their values: what a
/// three-way merge needs, as the text that two people started from is in no survivor.
package struct RegisterHistory: Sendable {
    /// One write and what its author had before them.
    package struct Entry: Sendable {
        package let id: WriteID
        package let log: LogID
        package let sequence: UInt64
        package let clock: HybridTime
        package let precedence: UInt32
        package let replaces: [WriteID]?
        /// Up to where its commit had seen the logs of this history; its own as far as itself.
        package let seen: [LogID: UInt64]

        package init(
            id: WriteID, log: LogID, sequence: UInt64, clock: HybridTime, precedence: UInt32,
            replaces: [WriteID]?, seen: [LogID: UInt64]
        ) {
            (self.id, self.log, self.sequence, self.clock) = (id, log, sequence, clock)
            (self.precedence, self.replaces, self.seen) = (precedence, replaces, seen)
        }
    }

    private let entries: [Entry]
    private let places: [WriteID: Int]

    /// `entries` in causal order, the storing order for example, none twice.
    package init(_ entries: [Entry]) {
        self.entries = entries
        places = Dictionary(entries.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    /// The whole history, as a part of itself.
    var all: Part { Part(entries.indices) }

    /// Some writes of the history; a write stands there with all that its author had before them.
    struct Part {
        fileprivate var indices: [Int]

        fileprivate init(_ indices: some Sequence<Int>) { self.indices = Array(indices) }
    }

    /// The register that a part leaves; values are null.
    func register(of part: Part) -> Register {
        var register = Register()
        for index in part.indices {
            let entry = entries[index]
            let write = SurvivingWrite(
                id: entry.id, log: entry.log, sequence: entry.sequence, clock: entry.clock,
                precedence: entry.precedence, value: .null)
            register.apply(write, replaces: entry.replaces) { entry.seen[$0] ?? 0 }
        }
        return register
    }

    /// What the authors of all these writes had before them: what they started from.
    ///
    /// An author who names the values they replace had those before them, and what their authors had,
    /// however much the device had received meanwhile. One who names none had all that the device had.
    func base(of writes: [SurvivingWrite]) -> Part {
        var counts = [Int](repeating: 0, count: entries.count)
        for write in writes {
            for index in known(to: write.id) { counts[index] += 1 }
        }
        let ids = Set(writes.map(\.id))
        return Part(
            entries.indices.filter { counts[$0] == writes.count && !ids.contains(entries[$0].id) })
    }

    private func known(to write: WriteID) -> Set<Int> {
        guard let start = places[write] else { return [] }
        var known: Set<Int> = []
        var rest = [start]
        while let index = rest.popLast() {
            let entry = entries[index]
            if let replaces = entry.replaces {
                for id in replaces {
                    guard let place = places[id], has(entry, index, seen: place) else { continue }
                    if known.insert(place).inserted { rest.append(place) }
                }
            } else {
                // What a commit has seen includes all that those commits had seen.
                known.formUnion((0..<index).lazy.filter { has(entry, index, seen: $0) })
            }
        }
        return known
    }

    private func has(_ entry: Entry, _ index: Int, seen place: Int) -> Bool {
        let other = entries[place]
        return place < index && other.sequence <= entry.seen[other.log] ?? 0
    }
}

extension Limits {
    /// Writes to one text in which the common origin of concurrent ones is looked for; with more,
    /// the last write is shown. The work grows with it, and at worst with its square.
    package static let mergedHistory = 2_000
}
