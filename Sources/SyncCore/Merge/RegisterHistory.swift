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

    /// Some writes of the history, by their places in it.
    struct Part: Hashable {
        private var words: [UInt64]

        fileprivate init(count: Int) { words = [UInt64](repeating: 0, count: (count + 63) / 64) }

        mutating func insert(_ place: Int) { words[place / 64] |= 1 << UInt64(place % 64) }

        mutating func remove(_ place: Int) { words[place / 64] &= ~(1 << UInt64(place % 64)) }

        mutating func formUnion(_ other: Part) {
            for index in words.indices { words[index] |= other.words[index] }
        }

        func contains(_ place: Int) -> Bool { words[place / 64] >> UInt64(place % 64) & 1 == 1 }

        func intersection(_ other: Part) -> Part {
            var both = self
            for index in words.indices { both.words[index] &= other.words[index] }
            return both
        }

        /// In causal order.
        var places: [Int] { (0..<words.count * 64).filter(contains) }
    }

    /// The whole history, as a part of itself.
    var all: Part {
        var all = Part(count: entries.count)
        for place in entries.indices { all.insert(place) }
        return all
    }

    func place(of write: WriteID) -> Int? { places[write] }

    /// The write at a place, without its value.
    func write(at place: Int) -> SurvivingWrite {
        let entry = entries[place]
        return SurvivingWrite(
            id: entry.id, log: entry.log, sequence: entry.sequence, clock: entry.clock,
            precedence: entry.precedence, value: .null)
    }

    /// The register that a part leaves; values are null.
    func register(of part: Part) -> Register {
        var register = Register()
        for place in part.places {
            let entry = entries[place]
            register.apply(write(at: place), replaces: entry.replaces) { entry.seen[$0] ?? 0 }
        }
        Invariants.check(
            register.writes.allSatisfy { places[$0.id].map(part.contains) ?? false },
            "a write survives that is not of this part")
        return register
    }

    /// What the author of a write had before them.
    ///
    /// An author who names the values they replace had those before them, and what their authors had,
    /// however much the device had received meanwhile. One who names none had all that the device had.
    func known(to place: Int) -> Part {
        var known = Part(count: entries.count)
        var rest = [place]
        while let index = rest.popLast() {
            let entry = entries[index]
            guard let replaces = entry.replaces else {
                // What a commit has seen includes all that those commits had seen.
                for other in 0..<index where has(entry, index, seen: other) { known.insert(other) }
                continue
            }
            for id in replaces {
                guard let other = places[id], has(entry, index, seen: other),
                    !known.contains(other)
                else { continue }
                known.insert(other)
                rest.append(other)
            }
        }
        Invariants.check(
            known.places.allSatisfy { $0 < place }, "an author had what was written later")
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
