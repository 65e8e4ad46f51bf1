/// Names that somebody may have meant who typed one that is not there.
package enum SimilarNames {
    /// The nearest of some names, at most three: of those that become what was typed, whatever its case, by few
    /// letters more, less, other or swapped: one in three, and three at most.
    package static func of(_ typed: String, among names: some Sequence<String>) -> [String] {
        let letters = Array(typed.lowercased())
        let most = min(3, max(1, letters.count / 3))
        let near = Set(names).compactMap { name -> (distance: Int, name: String)? in
            let distance = distance(letters, Array(name.lowercased()), upTo: most)
            return distance.map { ($0, name) }
        }
        return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
    }

    /// How many letters have to be added, left out, replaced or swapped with the next one (optimal string
    /// alignment); nil when it is more than `most`.
    private static func distance(
        _ one: [Character], _ other: [Character], upTo most: Int
    ) -> Int? {
        guard abs(one.count - other.count) <= most else { return nil }
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in one.indices {
            var next = [row + 1]
            for column in other.indices {
                let isSame = one[row] == other[column]
                var least = min(
                    last[column] + (isSame ? 0 : 1), last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column]
                {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                next.append(least)
            }
            (beforeLast, last) = (last, next)
        }
        return last[other.count] <= most ? last[other.count] : nil
    }
}
