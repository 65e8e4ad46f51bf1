/// A set of commits of one space, by their number in its history.
struct CommitSet: Hashable, Sendable {
    private var words: [UInt64] = []

    func contains(_ number: Int) -> Bool {
        let word = number >> 6
        return word < words.count && words[word] & (1 << UInt64(number & 63)) != 0
    }

    mutating func insert(_ number: Int) {
        let word = number >> 6
        while words.count <= word { words.append(0) }
        words[word] |= 1 << UInt64(number & 63)
    }

    var members: [Int] {
        words.indices.flatMap { place in
            (0..<64).filter { words[place] & (1 << UInt64($0)) != 0 }.map { place << 6 + $0 }
        }
    }
}
