internal import Synchronization
internal import TestKit

extension SeededGenerator {
    /// True in `percent` of 100 cases.
    mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }

    /// 0 up to, but not including, `limit`.
    mutating func below(_ limit: UInt64) -> UInt64 { limit == 0 ? 0 : next() % limit }

    mutating func index(below limit: Int) -> Int { Int(below(UInt64(limit))) }

    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[index(below: elements.count)]
    }
}

/// A generator for a replica's own code.
final class SharedRandom: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) {
        generator = Mutex(SeededGenerator(seed: seed))
    }

    func next() -> UInt64 { generator.withLock { $0.next() } }
}
