internal import Synchronization

/// A generator whose numbers follow from its seed (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private(set) var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True in `percent` of 100 cases.
    mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }

    /// 0 up to `limit`, which is left out.
    mutating func below(_ limit: UInt64) -> UInt64 { limit == 0 ? 0 : next() % limit }

    mutating func index(below limit: Int) -> Int { Int(below(UInt64(limit))) }

    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[index(below: elements.count)]
    }
}

/// A generator that a replica's own code draws from.
final class SharedRandom: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) {
        generator = Mutex(SeededGenerator(seed: seed))
    }

    func next() -> UInt64 { generator.withLock { $0.next() } }
}
