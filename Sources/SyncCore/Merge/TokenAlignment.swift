/// Which tokens of a base are still in a text that was made from it: a longest common subsequence,
/// by Myers' greedy algorithm ("An O(ND) Difference Algorithm and Its Variations", 1986, figure 2).
///
/// Written here and not taken from the standard library, because every build of peersync, now and
/// later, has to choose the same one of several longest.
struct TokenAlignment {
    /// By index in the base: where the token is in the other text, -1 when it is not.
    let places: [Int]

    /// Nil when the texts differ too much to be compared: ``Limits/mergeEdits`` and
    /// ``Limits/mergeSteps``.
    init?(of base: [Int32], in other: [Int32]) {
        let shorter = min(base.count, other.count)
        var prefix = 0
        while prefix < shorter && base[prefix] == other[prefix] { prefix += 1 }
        var suffix = 0
        while suffix < shorter - prefix
            && base[base.count - 1 - suffix] == other[other.count - 1 - suffix]
        {
            suffix += 1
        }
        let pairs = TokenAlignment.common(
            Array(base[prefix..<(base.count - suffix)]),
            Array(other[prefix..<(other.count - suffix)]))
        guard let pairs else { return nil }
        var places = [Int](repeating: -1, count: base.count)
        for index in 0..<prefix { places[index] = index }
        for index in 0..<suffix {
            places[base.count - 1 - index] = other.count - 1 - index
        }
        for (old, new) in pairs {
            places[prefix + old] = prefix + new
        }
        self.places = TokenAlignment.slid(places, base, other)
        Invariants.check(aligns(base, other), "tokens are put to others, or in another order")
    }

    private func aligns(_ base: [Int32], _ other: [Int32]) -> Bool {
        let pairs = places.indices.filter { places[$0] >= 0 }
        return places.count == base.count
            && pairs.allSatisfy { base[$0] == other[places[$0]] }
            && zip(pairs, pairs.dropFirst()).allSatisfy { places[$0] < places[$1] }
    }

    /// Moves what stands in one text alone towards the end, as far as the text reads the same there:
    /// "the " before "castle" and " the" behind "saw" are one insertion.
    private static func slid(_ places: [Int], _ base: [Int32], _ other: [Int32]) -> [Int] {
        var places = places
        var pairs = places.indices.filter { places[$0] >= 0 }.map { (old: $0, new: places[$0]) }
        var steps = 0
        for start in pairs.indices.reversed() {
            for index in start..<pairs.count {
                let (old, new) = pairs[index]
                let before = index == 0 ? (old: -1, new: -1) : pairs[index - 1]
                let next = (old: before.old + 1, new: before.new + 1)
                guard (next.old == old) != (next.new == new), base[next.old] == other[next.new],
                    steps < Limits.mergeSteps
                else { break }
                steps += 1
                places[old] = -1
                places[next.old] = next.new
                pairs[index] = next
            }
        }
        Invariants.check(
            places.count { $0 >= 0 } == pairs.count, "a token is in both texts no more")
        return places
    }

    /// Pairs of indexes with equal tokens, from the last to the first.
    private static func common(_ old: [Int32], _ new: [Int32]) -> [(Int, Int)]? {
        guard !old.isEmpty, !new.isEmpty else { return [] }
        guard let trace = paths(old, new) else { return nil }
        var pairs: [(Int, Int)] = []
        var (x, y) = (old.count, new.count)
        for distance in trace.indices.reversed() {
            let reached = trace[distance]
            let diagonal = x - y
            let isDown = reached.comesDown(diagonal, distance)
            let previous = isDown ? diagonal + 1 : diagonal - 1
            let previousX = distance == 0 ? 0 : reached[previous]
            let previousY = distance == 0 ? 0 : previousX - previous
            while x > previousX && y > previousY {
                x -= 1
                y -= 1
                pairs.append((x, y))
            }
            (x, y) = (previousX, previousY)
        }
        return pairs
    }

    /// How far each diagonal is reached, before each number of edits.
    private static func paths(_ old: [Int32], _ new: [Int32]) -> [Diagonals]? {
        var trace: [Diagonals] = []
        var reached = Diagonals(limit: 1)
        var steps = 0
        for distance in 0...min(old.count + new.count, Limits.mergeEdits) {
            trace.append(reached)
            var next = Diagonals(limit: distance + 1)
            for diagonal in stride(from: -distance, through: distance, by: 2) {
                var x: Int
                if distance == 0 {
                    x = 0
                } else if reached.comesDown(diagonal, distance) {
                    x = reached[diagonal + 1]
                } else {
                    x = reached[diagonal - 1] + 1
                }
                let start = x
                while x < old.count && x - diagonal < new.count && old[x] == new[x - diagonal] {
                    x += 1
                }
                next[diagonal] = x
                if x >= old.count && x - diagonal >= new.count { return trace }
                steps += 1 + x - start
            }
            guard steps <= Limits.mergeSteps else { return nil }
            reached = next
        }
        return nil
    }

    /// An array with indexes from -limit to limit; -1 where nothing was reached.
    private struct Diagonals {
        private var values: [Int]
        private let limit: Int

        init(limit: Int) {
            self.limit = limit
            values = [Int](repeating: -1, count: 2 * limit + 1)
        }

        subscript(diagonal: Int) -> Int {
            get { abs(diagonal) <= limit ? values[diagonal + limit] : -1 }
            set { values[diagonal + limit] = newValue }
        }

        /// Whether a diagonal is reached furthest by one more token of the new text.
        func comesDown(_ diagonal: Int, _ distance: Int) -> Bool {
            diagonal == -distance
                || (diagonal != distance && self[diagonal - 1] < self[diagonal + 1])
        }
    }
}

extension Limits {
    // MARK: Merging texts

    /// Words, or else lines, in which two texts may differ and still be merged; the memory for it
    /// grows with the square, 1,000 take 8 MiB. Beyond, the last write is shown.
    package static let mergeEdits = 1_000
    /// Comparisons of words for it, some milliseconds.
    package static let mergeSteps = 2_000_000
    /// Words that two inserted sentences are moved left by to see that they are whole ones.
    package static let mergeSlides = 64
}
