import SyncCore
import TestKit
import Testing

@Suite("Three-way merge") struct ThreeWayMergeTests {
    private func merged(
        _ base: String, _ one: String, _ other: String, prefersOther: Bool = true
    ) throws -> ThreeWayMerge {
        try #require(
            try ThreeWayMerge(base: base, one: one, other: other, prefersOther: prefersOther))
    }

    @Test("three edits in three places are all in the result")
    func places() throws {
        let base = "We walked to the lake. It rained. The hut was closed."
        let first = try merged(
            base, "We ran to the lake. It rained. The hut was closed.",
            "We walked to the lake. It snowed. The hut was closed.")
        let all = try merged(
            base, first.text, "We walked to the lake. It rained. The hut was open.")
        #expect(all.text == "We ran to the lake. It snowed. The hut was open.")
        #expect(!first.isOverlapping && !all.isOverlapping)
    }

    @Test(
        "two who change the same words disagree, and the preferred words stand there",
        arguments: [
            ("to the lake", "to the sea", "to the hut"), ("Lake", "Lake Garda", "Lake Como"),
            ("", "We swam.", "We ate."), ("We ate.", "", "We ate well."), ("湖に行く", "海に行く", "山に行く"),
        ])
    func overlap(base: String, one: String, other: String) throws {
        let later = try merged(base, one, other)
        #expect(later.text.utf8.elementsEqual(other.utf8) && later.isOverlapping)
        let earlier = try merged(base, one, other, prefersOther: false)
        #expect(earlier.text.utf8.elementsEqual(one.utf8) && earlier.isOverlapping)
    }

    @Test(
        "whole sentences and lines that both put in at one place stay both",
        arguments: [
            ("A.", "A. We swam.", "A. We ate!", "A. We swam. We ate!"),
            ("B.", "X. B.", "Y. B.", "X. Y. B."),
            ("- milk", "- milk\n- eggs", "- milk\n- tea", "- milk\n- eggs\n- tea"),
            ("- a\n- d\n", "- a\n- b\n- d\n", "- a\n- c\n- d\n", "- a\n- b\n- c\n- d\n"),
        ])
    func additions(base: String, one: String, other: String, all: String) throws {
        let merge = try merged(base, one, other)
        #expect(merge.text == all && !merge.isOverlapping)
    }

    @Test("what looks alike and differs in its bytes is kept byte for byte")
    func bytes() throws {
        let base = "caf\u{E9}  und\tTee \r\n"
        let one = "cafe\u{301}  und\tTee \r\n"
        let merge = try merged(base, one, base + "👩‍👩‍👧 ")
        #expect(merge.text.utf8.elementsEqual((one + "👩‍👩‍👧 ").utf8))
    }

    @Test("random edits: no side alone is changed, and the sides may change places")
    func random() throws {
        var random = SeededGenerator(seed: TestSeeds.first)
        for _ in 0..<5_000 {
            let base = text(12, &random)
            let (one, other) = (edited(base, &random), edited(base, &random))
            let (origin, left, right) = (base.joined(), one.joined(), other.joined())
            let merge = try merged(origin, left, right)
            let turned = try merged(origin, right, left, prefersOther: false)
            #expect(merge.isOverlapping == turned.isOverlapping)
            #expect(try merged(origin, left, left).text == left)
            #expect(try merged(origin, origin, right).text == right)
            #expect(try merged(origin, left, origin).text == left)
        }
    }

    @Test("a long text with edits far apart is merged, texts with nothing in common are not")
    func limits() throws {
        let words = (0..<20_000).map { "w\($0)" }
        let base = words.joined(separator: " ")
        let merge = try merged(base, "Start " + base, base + " end")
        #expect(merge.text == "Start " + base + " end")
        let strange = (0..<20_000).map { "v\($0)\n" }.joined()
        let seconds = try ProcessorTime.seconds {
            let merge = try ThreeWayMerge(
                base: words.joined(separator: "\n"), one: strange, other: "", prefersOther: true)
            #expect(merge == nil)
        }
        #expect(seconds < 5)
    }

    private func text(_ limit: Int, _ random: inout SeededGenerator) -> [String] {
        let pieces = ["a", "b", "c ", "d\n", " ", "日", "é", ". "]
        return (0..<Int.random(in: 0...limit, using: &random)).map { _ in
            pieces[Int.random(in: 0..<pieces.count, using: &random)]
        }
    }

    private func edited(_ text: [String], _ random: inout SeededGenerator) -> [String] {
        var text = text
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0...text.count, using: &random)
            if Bool.random(using: &random), place < text.count {
                text.remove(at: place)
            } else {
                text.insert(["X", "Y ", "z"][Int.random(in: 0..<3, using: &random)], at: place)
            }
        }
        return text
    }
}
