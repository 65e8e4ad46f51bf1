import SyncCore
import TestKit

/// Three people who edit one text, now and then hear of each other, and sometimes save a form that was
/// open meanwhile. Every word is typed for the first time only once, so that it can be followed.
struct TextHistory {
    struct Edit {
        let entry: RegisterHistory.Entry
        let value: Value
        /// The edits whose text its author had before them, and what those had.
        let known: Set<Int>
        let before: [String]
        /// Somebody should have looked at what its author began with.
        let isDecision: Bool
        let words: [String]
    }

    private(set) var edits: [Edit] = []
    private let separator: String
    /// What each has received.
    private var received: [Set<Int>] = [[], [], []]
    /// What each looked at when they opened their form.
    private var forms: [Set<Int>?] = [nil, nil, nil]
    /// Where a word belongs, so that one that is put back stands where it stood.
    private var ranks: [String: Double] = [:]

    init(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        separator = [" ", " ", "\n", ". "][Int.random(in: 0..<4, using: &random)]
        var words: [String] = []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            insert(into: &words, words.count, &random)
        }
        try write(words, by: 0, having: [], &random)
        received = [[0], [0], [0]]
        for _ in 0..<Int.random(in: 4...9, using: &random) { try step(&random) }
    }

    private mutating func step(_ random: inout SeededGenerator) throws {
        let author = Int.random(in: 0..<3, using: &random)
        switch Int.random(in: 0..<14, using: &random) {
        case 0..<4: received[author].formUnion(received[Int.random(in: 0..<3, using: &random)])
        case 4: forms[author] = received[author]
        default:
            let having = forms[author] ?? received[author]
            forms[author] = nil
            var words = self.words(of: try shown(having).text)
            let old = words
            let gone = Set(having.flatMap { edits[$0].words }).subtracting(old).sorted()
            for _ in 0..<Int.random(in: 1...2, using: &random) { edit(&words, gone, &random) }
            if words != old { try write(words, by: author, having: having, &random) }
        }
    }

    private mutating func edit(
        _ words: inout [String], _ gone: [String], _ random: inout SeededGenerator
    ) {
        let place = Int.random(in: 0...words.count, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: insert(into: &words, place, &random)
        case 4..<6: if place < words.count { words.remove(at: place) }
        case 6..<8:
            if place < words.count {
                words.remove(at: place)
                insert(into: &words, place, &random)
            }
        default:
            guard let word = gone.randomElement(using: &random), !words.contains(word) else {
                return
            }
            let rank = ranks[word] ?? 0
            words.insert(word, at: words.firstIndex { ranks[$0] ?? 0 > rank } ?? words.count)
        }
    }

    private mutating func insert(
        into words: inout [String], _ place: Int, _ random: inout SeededGenerator
    ) {
        let word = "w\(ranks.count)"
        let before = place > 0 ? ranks[words[place - 1]] ?? 0 : 0
        let after = place < words.count ? ranks[words[place]] ?? 1 : 1
        ranks[word] = before + (after - before) * Double.random(in: 0.2..<0.8, using: &random)
        words.insert(word, at: place)
    }

    private mutating func write(
        _ words: [String], by author: Int, having: Set<Int>, _ random: inout SeededGenerator
    ) throws {
        let device = TestDevice(UInt64(author + 1), person: UInt64(author + 1))
        let own = received[author]
        var seen = own.reduce(into: [LogID: UInt64]()) { seen, place in
            let entry = edits[place].entry
            seen[entry.log] = max(seen[entry.log] ?? 0, entry.sequence)
        }
        let sequence = (seen[device.log] ?? 0) + 1
        seen[device.log] = sequence
        let shown = try self.shown(having)
        let isForm = having != own || Int.random(in: 0..<5, using: &random) > 0
        let replaced = having.filter { shown.survivors.contains(edits[$0].entry.id) }
        let entry = RegisterHistory.Entry(
            id: WriteID(commit: CommitID(number: random.next()), index: 0), log: device.log,
            sequence: sequence, clock: HybridTime(raw: UInt64(edits.count) + 1), precedence: 1,
            replaces: isForm ? replaced.map { edits[$0].entry.id } : nil, seen: seen)
        received[author].insert(edits.count)
        edits.append(
            Edit(
                entry: entry, value: .text(words.joined(separator: separator)),
                known: isForm
                    ? replaced.reduce(into: replaced) { $0.formUnion(edits[$1].known) } : own,
                before: self.words(of: shown.text), isDecision: shown.isConflicted, words: words))
    }

    private func words(of text: String) -> [String] {
        text.split { " .\n".contains($0) }.map(String.init)
    }
}

extension TextHistory {
    struct Shown: Equatable {
        let text: String
        let isConflicted: Bool
        let survivors: Set<WriteID>
    }

    /// What a device shows that received these, in this order.
    func shown(inOrder order: [Int]) throws -> Shown {
        var register = Register()
        for place in order {
            let (entry, value) = (edits[place].entry, edits[place].value)
            register.apply(
                SurvivingWrite(
                    id: entry.id, log: entry.log, sequence: entry.sequence, clock: entry.clock,
                    precedence: entry.precedence, value: value), replaces: entry.replaces
            ) { entry.seen[$0] ?? 0 }
        }
        let values = Dictionary(uniqueKeysWithValues: order.map { (edits[$0].entry.id, edits[$0]) })
        let merged = try MergeText.merge(RegisterHistory(order.map { edits[$0].entry })) {
            values[$0]?.value
        }
        let shown = MergeStrategy.mergeText.shown(register, merged: merged)
        return Shown(
            text: shown?.value.text ?? "", isConflicted: shown?.isConflicted ?? false,
            survivors: Set(register.writes.map(\.id)))
    }

    private func shown(_ places: Set<Int>) throws -> Shown {
        try shown(inOrder: places.sorted())
    }

    /// What all devices show in the end.
    var shown: Shown { get throws { try shown(inOrder: Array(edits.indices)) } }

    /// Another order in which a device may have received the edits.
    func otherOrder(_ random: inout SeededGenerator) -> [Int] {
        var order: [Int] = []
        var rest = Array(edits.indices)
        while !rest.isEmpty {
            let ready = rest.filter { place in
                rest.allSatisfy { other in
                    let earlier = edits[other].entry
                    return other == place
                        || edits[place].entry.seen[earlier.log] ?? 0 < earlier.sequence
                }
            }
            guard let next = ready.randomElement(using: &random) else { break }
            order.append(next)
            rest.removeAll { $0 == next }
        }
        return order
    }

    /// Which laws the text breaks without saying that somebody should look.
    func brokenLaws(in shown: Shown) -> [String] {
        if shown.isConflicted { return [] }
        let counts = words(of: shown.text).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        var typed: [String: Int] = [:]
        var left: Set<String> = []
        for (place, edit) in edits.enumerated() {
            if edit.isDecision { left.formUnion(edit.words) }
            for word in Set(edit.words).subtracting(edit.before)
            where edits.allSatisfy({ !$0.known.contains(place) || $0.words.contains(word) }) {
                typed[word, default: 0] += 1
            }
        }
        return typed.keys.filter { counts[$0] == nil }.map { "\($0) is lost" }
            + counts.keys.filter { typed[$0] == nil && !left.contains($0) }
            .map { "\($0) was deleted and is back" }
            + counts.filter { !left.contains($0.key) && $0.value > max(1, typed[$0.key] ?? 0) }.keys
            .map { "\($0) is there twice" }
    }

    /// For a failing test.
    func story(_ shown: Shown) -> String {
        edits.enumerated().map { "\($0), \($1.known.sorted()): \($1.before) -> \($1.words)" }
            .joined(separator: "\n") + "\n= \(shown.text)"
    }
}
