import SyncCore
import TestKit
import Testing

@Suite struct NeighboursTests {
    /// Who is connected with whom when everybody dials whom it draws.
    private func graph(_ places: [UInt64]) -> [UInt64: Set<UInt64>] {
        var graph: [UInt64: Set<UInt64>] = [:]
        for place in places {
            let others = places.filter { $0 != place }
            for other in Neighbours.chosen(from: place, among: others) {
                graph[place, default: []].insert(other)
                graph[other, default: []].insert(place)
            }
        }
        return graph
    }

    /// Steps from one place to all others; nil when some are not reached.
    private func steps(_ graph: [UInt64: Set<UInt64>], from start: UInt64) -> Int? {
        var reached: Set = [start]
        var last = reached
        var steps = 0
        while reached.count < graph.count {
            let next = last.reduce(into: Set<UInt64>()) { $0.formUnion(graph[$1] ?? []) }
            last = next.subtracting(reached)
            if last.isEmpty { return nil }
            reached.formUnion(last)
            steps += 1
        }
        return steps
    }

    @Test(
        "However many devices there are, each is few steps from all others with few sessions",
        arguments: [13, 24, 100, 1_000])
    func connected(count: Int) throws {
        var random = SeededGenerator(seed: TestSeeds.first)
        var places = (0..<count).map { _ in UInt64.random(in: 0...(.max), using: &random) }
        for _ in 0..<2 {
            let graph = graph(places)
            #expect(graph.values.map(\.count).max() ?? .max <= 24)
            let length = try #require(steps(graph, from: places[0]))
            #expect(length <= 5)
            // A tenth goes away.
            places = places.enumerated().filter { $0.offset % 10 != 3 }.map(\.element)
        }
    }

    @Test("A dozen others are all neighbours")
    func few() {
        let places = (1...12).map { UInt64($0) << 40 }
        #expect(Neighbours.chosen(from: 0, among: places) == Set(places))
    }
}
