/// Two texts made from one base, put together: what only one side changed is taken from it.
package struct ThreeWayMerge {
    /// The merged text.
    package private(set) var text = ""
    /// Both sides changed one place in different ways; the preferred side's words stand there.
    package private(set) var isOverlapping = false

    /// Whose text it is.
    package enum Side { case one, other }

    /// What a write made of the text that its author had before them.
    package struct Step {
        let before: String
        let after: String
    }

    /// Where `one` and `other` changed the same place, `prefersOther` says whose words are shown.
    /// Nil when a side differs too much from the base to be compared.
    ///
    /// `steps` gives the writes that made a side out of the base, or some of them; it is asked at most
    /// once for each side. A word of the base that one of them put in again, after a deletion that
    /// `before` knew, is a change by this side: to delete it is a change of the same place.
    package init?(
        base: String, one: String, other: String, prefersOther: Bool,
        steps: (Side) throws -> [Step] = { _ in [] }
    ) rethrows {
        for cut in [TextTokens.words, TextTokens.lines] {
            var dictionary = TextTokens.Dictionary()
            let sides = Sides(
                base: cut(base, &dictionary), one: cut(one, &dictionary),
                other: cut(other, &dictionary))
            guard let ones = TokenAlignment(of: sides.base, in: sides.one),
                let others = TokenAlignment(of: sides.base, in: sides.other)
            else { continue }
            let chunks = sides.chunks(ones.places, others.places)
            var putBack: [Side: Set<Int>] = [:]
            for side in [Side.one, .other] where chunks.contains(where: { $0.loses(side) }) {
                for step in try steps(side) {
                    let (before, after) = (
                        cut(step.before, &dictionary), cut(step.after, &dictionary)
                    )
                    putBack[side, default: []].formUnion(sides.putBack(before, after))
                }
            }
            var merged: [Int32] = []
            for chunk in chunks {
                merged += resolve(chunk, dictionary, putBack, prefersOther: prefersOther)
            }
            isOverlapping =
                isOverlapping || sides.repeats(merged, dictionary)
                || sides.movesWhatIsDeleted(ones.places, others.places, dictionary)
            text = dictionary.text(of: merged)
            Invariants.check(
                sides.one != sides.other || merged == sides.one, "equal texts become another one")
            Invariants.check(
                sides.one != sides.base || putBack[.one]?.isEmpty == false || merged == sides.other,
                "what the other side alone changed is not taken")
            Invariants.check(
                sides.other != sides.base || putBack[.other]?.isEmpty == false
                    || merged == sides.one, "what one side alone changed is not taken")
            return
        }
        return nil
    }

    private mutating func resolve(
        _ chunk: Chunk, _ dictionary: TextTokens.Dictionary, _ putBack: [Side: Set<Int>],
        prefersOther: Bool
    ) -> ArraySlice<Int32> {
        func yields(_ side: Side) -> Bool {
            chunk.yields(side)
                && !chunk.base.indices.contains { putBack[side]?.contains($0) ?? false }
        }
        if chunk.one == chunk.other || yields(.one) { return chunk.other }
        if yields(.other) { return chunk.one }
        if chunk.isAddition(dictionary) { return chunk.one + chunk.other }
        isOverlapping = true
        return prefersOther ? chunk.other : chunk.one
    }

    /// A stretch of the base and what each side has in its place.
    private struct Chunk {
        let base: ArraySlice<Int32>
        let one: ArraySlice<Int32>
        let other: ArraySlice<Int32>
        /// What stands before it in the base.
        let before: ArraySlice<Int32>
        /// How much of that, up to the chunk, stands in both sides too.
        let run: Int
        /// Nothing stands before or after it in the base.
        let isAll: Bool

        /// Whether only the other side changed it.
        func yields(_ side: Side) -> Bool {
            one != other && (side == .one ? one : other) == base
        }

        /// Whether words of this side are deleted or replaced by the other one.
        func loses(_ side: Side) -> Bool { yields(side) && !base.isEmpty }

        /// Both sides put whole sentences or lines in at one place: both can stay.
        func isAddition(_ dictionary: TextTokens.Dictionary) -> Bool {
            guard base.isEmpty, !isAll else { return false }
            // "b\n- " behind "- " is "- b\n" before it as well: sentences may begin further left.
            var (left, one, other) = (before, Array(one), Array(other))
            for step in 0...Limits.mergeSlides {
                let sides = [one, other].map { side in side.filter { !dictionary.isSpace($0) } }
                if sides.allSatisfy({ $0.first.map(dictionary.isLineEnd) ?? false }) {
                    return true
                }
                let starts = left.last { !dictionary.isSpace($0) }.map(dictionary.isSentenceEnd)
                let end = sides.allSatisfy { $0.last.map(dictionary.isSentenceEnd) ?? false }
                if starts ?? true && end { return true }
                guard step < run, let last = left.popLast(), last == one.last, last == other.last
                else { return false }
                one = [last] + one.dropLast()
                other = [last] + other.dropLast()
            }
            return false
        }
    }

    private struct Sides {
        let base: [Int32]
        let one: [Int32]
        let other: [Int32]

        /// Whether a word stands twice in a row that in no text stands so.
        func repeats(_ merged: [Int32], _ dictionary: TextTokens.Dictionary) -> Bool {
            dictionary.repeatedWords(merged).contains { word in
                ![base, one, other].contains { dictionary.repeatedWords($0).contains(word) }
            }
        }

        /// Whether a word that neither side has in its place is put in elsewhere by one side alone: that
        /// one moved it, perhaps, and the other one deleted it.
        func movesWhatIsDeleted(
            _ ones: [Int], _ others: [Int], _ dictionary: TextTokens.Dictionary
        ) -> Bool {
            let gone = Set(
                base.indices.filter { ones[$0] < 0 && others[$0] < 0 }.map { base[$0] }
                    .filter(dictionary.isWord))
            if gone.isEmpty { return false }
            func putIn(_ text: [Int32], _ places: [Int]) -> Set<Int32> {
                let kept = Set(places)
                return gone.intersection(
                    text.indices.filter { !kept.contains($0) }.map { text[$0] })
            }
            return putIn(one, ones) != putIn(other, others)
        }

        /// The words of the base, by index, that the second text has and the first one lacks.
        func putBack(_ before: [Int32], _ after: [Int32]) -> [Int] {
            guard let old = TokenAlignment(of: base, in: before)?.places,
                let new = TokenAlignment(of: base, in: after)?.places
            else { return [] }
            return base.indices.filter { old[$0] < 0 && new[$0] >= 0 }
        }

        /// The whole text in order, cut where base and both sides agree on a token.
        func chunks(_ ones: [Int], _ others: [Int]) -> [Chunk] {
            var chunks: [Chunk] = []
            var (start, oneStart, otherStart) = (0, 0, 0)
            var same = 0
            func close(_ end: Int, _ oneEnd: Int, _ otherEnd: Int) {
                if start < end || oneStart < oneEnd || otherStart < otherEnd {
                    chunks.append(
                        Chunk(
                            base: base[start..<end], one: one[oneStart..<oneEnd],
                            other: other[otherStart..<otherEnd], before: base[..<start],
                            run: start - same, isAll: base.isEmpty))
                }
                (start, oneStart, otherStart) = (end, oneEnd, otherEnd)
            }
            for index in base.indices where ones[index] >= 0 && others[index] >= 0 {
                let isNext = (start, oneStart, otherStart) == (index, ones[index], others[index])
                close(index, ones[index], others[index])
                if !isNext { same = index }
                close(index + 1, ones[index] + 1, others[index] + 1)
            }
            close(base.count, one.count, other.count)
            Invariants.check(
                chunks.flatMap(\.base) == base && chunks.flatMap(\.one) == one
                    && chunks.flatMap(\.other) == other, "chunks leave out a part of a text")
            return chunks
        }
    }
}

extension TextTokens.Dictionary {
    /// Words that stand twice in a row, white space aside.
    fileprivate func repeatedWords(_ tokens: [Int32]) -> Set<Int32> {
        let others = tokens.filter { !isSpace($0) }
        return Set(zip(others, others.dropFirst()).filter { $0 == $1 && isWord($0) }.map(\.0))
    }

    fileprivate func isLineEnd(_ token: Int32) -> Bool {
        pieces[Int(token)].last.map { "\r\n".utf8.contains($0) } ?? false
    }

    fileprivate func isSentenceEnd(_ token: Int32) -> Bool {
        let piece = pieces[Int(token)]
        return isLineEnd(token) || piece.elementsEqual("。".utf8)
            || (piece.count == 1 && piece.allSatisfy { ".!?".utf8.contains($0) })
    }
}
