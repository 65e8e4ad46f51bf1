import Foundation
import SyncCore
import TestKit
import Testing

/// Texts of three people against laws, and of two against another program's way.
@Suite("Texts of people who were apart")
struct TextHistoryTests {
    /// 100,000 in `Tests/soak texts`.
    private static let count =
        ProcessInfo.processInfo.environment["PEERSYNC_TEXTS"].flatMap(UInt64.init) ?? 3_000

    @Test(
        "nothing typed is lost, nothing deleted returns, nothing stands twice, or it is a conflict")
    func laws() throws {
        var (merged, conflicts) = (0, 0)
        var broken: [String] = []
        for seed in TestSeeds.some(Self.count) {
            // given
            let history = try TextHistory(seed: seed)
            // when
            let shown = try history.shown
            // then
            if shown.survivors.count > 1 {
                if shown.isConflicted { conflicts += 1 } else { merged += 1 }
            }
            let laws = history.brokenLaws(in: shown)
            if !laws.isEmpty { broken.append("seed \(seed): \(laws)\n\(history.story(shown))") }
            var random = SeededGenerator(seed: seed)
            let other = try history.shown(inOrder: history.otherOrder(&random))
            if other != shown { Issue.record("seed \(seed) depends on the order of arrival") }
        }
        // Spaces count as words do: one text in 100,000 is aligned by them so that a deleted word counts
        // as a new one.
        if broken.count > 1 + Int(Self.count) / 50_000 {
            for story in broken { Issue.record("\(story)") }
        }
        // Otherwise nothing was in question.
        #expect(merged * 20 > Int(Self.count) && conflicts * 20 > Int(Self.count))
    }

    @Test(
        "where diff3 merges two texts word by word without a conflict, so does this nearly always")
    func reference() throws {
        var (clean, conflicts) = (0, 0)
        for seed in TestSeeds.some(Self.count) {
            // given
            var random = SeededGenerator(seed: seed)
            let base = (0..<Int.random(in: 1...8, using: &random)).map { "w\($0)" }
            let one = edited(base, "x", &random)
            let other = edited(base, "y", &random)
            guard let wanted = diff3(base, one, other) else { continue }
            clean += 1
            // when
            let merge = try #require(
                try ThreeWayMerge(
                    base: base.joined(separator: " "), one: one.joined(separator: " "),
                    other: other.joined(separator: " "), prefersOther: true))
            // then
            if merge.isOverlapping {
                // Spaces count as words do, so texts of one or two words are aligned by them.
                conflicts += 1
            } else {
                let words = merge.text.split(separator: " ").map(String.init)
                #expect(words == wanted, "seed \(seed): \(base), \(one), \(other)")
            }
        }
        #expect(conflicts * 50 < clean)
        #expect(clean * 5 > Int(Self.count))
    }

    private func edited(
        _ words: [String], _ name: String, _ random: inout SeededGenerator
    ) -> [String] {
        var words = words
        for number in 0..<Int.random(in: 1...2, using: &random) {
            let place = Int.random(in: 0..<max(1, words.count), using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: words.insert("\(name)\(number)", at: place)
            case 1 where words.count > 1: words.remove(at: place)
            default: if place < words.count { words[place] = "\(name)\(number)" }
            }
        }
        return words
    }

    /// As `diff3 -m` of GNU diffutils, a word a line; nil for a conflict.
    private func diff3(_ base: [String], _ one: [String], _ other: [String]) -> [String]? {
        var merged: [String] = []
        var (start, left, right) = (0, 0, 0)
        func close(_ end: Int, _ leftEnd: Int, _ rightEnd: Int) -> Bool {
            let (old, mine, theirs) = (
                base[start..<end], one[left..<leftEnd], other[right..<rightEnd]
            )
            guard mine == theirs || mine == old || theirs == old else { return false }
            merged += mine == old ? theirs : mine
            (start, left, right) = (end, leftEnd, rightEnd)
            return true
        }
        // Each word stands once in a text.
        for (index, word) in base.enumerated() {
            guard let mine = one.firstIndex(of: word), let theirs = other.firstIndex(of: word)
            else { continue }
            guard close(index, mine, theirs) else { return nil }
            merged.append(word)
            (start, left, right) = (index + 1, mine + 1, theirs + 1)
        }
        return close(base.count, one.count, other.count) ? merged : nil
    }

    @Test("words that both put in at one place, on the two sides of a space, are there once")
    func sliding() throws {
        let merge = try #require(
            try ThreeWayMerge(
                base: "in old we a castle", one: "in we a new castle",
                other: "in old we a new castle", prefersOther: true))
        #expect(merge.text == "in we a new castle" && !merge.isOverlapping)
    }

    @Test("a word that stands twice in a row only because two put it in is for a person to look at")
    func repeated() throws {
        let merge = try #require(
            try ThreeWayMerge(
                base: "to old castle", one: "to the castle", other: "to old the castle",
                prefersOther: true))
        #expect(merge.text == "to the the castle" && merge.isOverlapping)
    }

    @Test("what one moved and the other one deleted is for a person to look at")
    func moved() throws {
        let merge = try #require(
            try ThreeWayMerge(
                base: "- milk\n- eggs\n- tea\n- salt\n", one: "- eggs\n- tea\n- salt\n- milk\n",
                other: "- eggs\n- tea\n- salt\n", prefersOther: true))
        #expect(merge.text == "- eggs\n- tea\n- salt\n- milk\n" && merge.isOverlapping)
    }

    @Test(
        "two decisions of one conflict that were made apart are for a person to look at",
        arguments: [
            ("we ran home", "we drove home", true), ("we drove home", "we drove home", false),
            ("we ran home", "we drove home today", true),
        ])
    func decidedApart(one: String, other: String, isConflict: Bool) throws {
        // given: two changed one word, and each of them decided after both had been seen
        let texts = ["we walked home", "we ran home", "we drove home", one, other]
        let replaced: [[Int]] = [[], [0], [0], [1, 2], [1, 2]]
        let merged = try merge(texts, replaced)
        // then: equal decisions need no merging
        #expect((merged?.isOverlapping ?? false) == isConflict)
        // when a third decision knows both
        let after = try merge(texts + ["we flew home"], replaced + [[3, 4]])
        // then
        #expect(after == nil)
    }

    /// The result of merging texts; each replaced those of some earlier ones, and knew what these knew.
    private func merge(_ texts: [String], _ replaced: [[Int]]) throws -> MergeText.Result? {
        var entries: [RegisterHistory.Entry] = []
        for (index, places) in replaced.enumerated() {
            let log = TestDevice(UInt64(index + 1), person: 1).log
            var seen: [LogID: UInt64] = [log: 1]
            for place in places { seen.merge(entries[place].seen) { $1 } }
            entries.append(
                RegisterHistory.Entry(
                    id: WriteID(commit: CommitID(number: UInt64(index)), index: 0), log: log,
                    sequence: 1, clock: HybridTime(raw: UInt64(index + 1)), precedence: 1,
                    replaces: places.map { entries[$0].id }, seen: seen))
        }
        let values = Dictionary(uniqueKeysWithValues: zip(entries.map(\.id), texts))
        return try MergeText.merge(RegisterHistory(entries)) { values[$0].map(Value.text) }
    }

    @Test("three people's words over a text that only two of them had: none twice, none back")
    func commonText() throws {
        // given: two went on from a text that the third one never saw
        let texts = [
            "see castle", "see the castle", "see the new castle", "see the castle today",
            "we see castle",
        ]
        let replaced: [[Int]] = [[], [0], [1], [1], [0]]
        var entries: [RegisterHistory.Entry] = []
        for (index, places) in replaced.enumerated() {
            let log = TestDevice(UInt64(index + 1), person: 1).log
            let before = Dictionary(uniqueKeysWithValues: entries.map { ($0.log, $0.sequence) })
            entries.append(
                RegisterHistory.Entry(
                    id: WriteID(commit: CommitID(number: UInt64(index)), index: 0), log: log,
                    sequence: 1, clock: HybridTime(raw: UInt64(index + 1)), precedence: 1,
                    replaces: places.map { entries[$0].id },
                    seen: before.merging([log: 1]) { $1 }))
        }
        let values = Dictionary(uniqueKeysWithValues: zip(entries.map(\.id), texts))
        // when
        let merged = try MergeText.merge(RegisterHistory(entries)) { values[$0].map(Value.text) }
        // then
        #expect(merged?.value == .text("we see the new castle today"))
        #expect(merged?.isOverlapping == false)
    }
}
