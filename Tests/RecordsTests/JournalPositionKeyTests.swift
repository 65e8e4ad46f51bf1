import Records
import Testing

@Suite("Keys that order the photos of a memory")
struct JournalPositionKeyTests {
    private let origin: [UInt8] = [7, 200, 13, 1]

    @Test("A key between two others sorts between them, after any number of insertions")
    func between() throws {
        let lower = PositionKey.first
        var upper = PositionKey.between(lower, nil)
        for _ in 0..<100 {
            let middle = PositionKey.between(lower, upper)
            #expect(lower < middle)
            #expect(middle < upper)
            upper = middle
        }
    }

    @Test("There is as much room towards the upper key")
    func betweenUpwards() throws {
        var lower = PositionKey.first
        let upper = PositionKey.between(lower, nil)
        for _ in 0..<100 {
            let middle = PositionKey.between(lower, upper)
            #expect(lower < middle)
            #expect(middle < upper)
            lower = middle
        }
    }

    @Test("Random insertions keep their order as text")
    func randomInsertions() {
        var generator = SystemRandomNumberGenerator()
        var keys: [PositionKey] = []
        for _ in 0..<1000 {
            let place = Int.random(in: 0...keys.count, using: &generator)
            let lower = place > 0 ? keys[place - 1] : nil
            let upper = place < keys.count ? keys[place] : nil
            keys.insert(PositionKey.between(lower, upper), at: place)
        }
        let texts = keys.map { Array($0.text.utf8) }
        #expect(zip(texts, texts.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
        #expect(keys.allSatisfy { PositionKey($0.text) == $0 })
    }

    @Test("Appending does not make keys longer")
    func appending() {
        var last: PositionKey?
        for _ in 0..<10_000 {
            let next = PositionKey.between(last, nil)
            if let last { #expect(last < next) }
            last = next
        }
        #expect(last?.text.utf8.count == PositionKey.first.text.utf8.count)
    }

    @Test("A run follows the last key and rises")
    func run() throws {
        let first = PositionKey.run(of: 200, after: nil, origin: origin)
        let second = PositionKey.run(of: 200, after: first.last, origin: origin)
        let all = first + second
        #expect(all.count == 400)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0 < $1 })
        #expect(all.allSatisfy { PositionKey($0.text) == $0 })
    }

    @Test("Runs of two devices at the same place do not mix")
    func concurrentRuns() throws {
        let last = PositionKey.run(of: 3, after: nil, origin: origin).last
        let mine = PositionKey.run(of: 5, after: last, origin: [1, 2, 3])
        let theirs = PositionKey.run(of: 5, after: last, origin: [9, 2, 3])
        let merged = (mine + theirs).sorted()
        #expect(merged == mine + theirs)
    }

    @Test("Keys are equal where there is no room, and nothing traps")
    func noRoom() throws {
        let key = try #require(PositionKey("00000"))
        #expect(PositionKey.between(nil, key) == key)
        #expect(PositionKey.between(key, key) == key)
        #expect(PositionKey.between(PositionKey.first, key) == PositionKey.first)
    }

    @Test("Keys continue to rise after the last whole number")
    func lastWholeNumber() throws {
        let last = try #require(PositionKey("zzzzz"))
        let after = PositionKey.between(last, nil)
        #expect(last < after)
        let run = PositionKey.run(of: 3, after: after, origin: origin)
        #expect(run.allSatisfy { after < $0 })
        #expect(zip(run, run.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(
        "Refuses texts that are not keys",
        arguments: ["", "V", "V00", "V0000 ", "V00000", "Ä0000", String(repeating: "z", count: 65)])
    func malformed(text: String) {
        #expect(PositionKey(text) == nil)
    }
}
