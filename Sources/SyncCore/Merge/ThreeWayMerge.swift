/// Two texts made from one base, put together: what only one side changed is taken from it.
package struct ThreeWayMerge {
    /// The merged text.
    package private(set) var text = ""
    /// Both sides changed one place in different ways; the preferred side's words stand there.
    package private(set) var isOverlapping = false

    /// Where `one` and `other` changed the same place, `prefersOther` says whose words are shown.
    /// Nil when a side differs too much from the base to be compared.
    package init?(base: String, one: String, other: String, prefersOther: Bool) {
        for cut in [TextTokens.words, TextTokens.lines] {
            var dictionary = TextTokens.Dictionary()
            let sides = Sides(
                base: cut(base, &dictionary), one: cut(one, &dictionary),
                other: cut(other, &dictionary))
            guard let ones = TokenAlignment(of: sides.base, in: sides.one),
                let others = TokenAlignment(of: sides.base, in: sides.other)
            else { continue }
            var merged: [Int32] = []
            for chunk in sides.chunks(ones.places, others.places) {
                merged += resolve(chunk, dictionary, prefersOther: prefersOther)
            }
            text = dictionary.text(of: merged)
            return
        }
        return nil
    }

    private mutating func resolve(
        _ chunk: Chunk, _ dictionary: TextTokens.Dictionary, prefersOther: Bool
    ) -> ArraySlice<Int32> {
        if chunk.one == chunk.base || chunk.one == chunk.other { return chunk.other }
        if chunk.other == chunk.base { return chunk.one }
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
            return chunks
        }
    }
}

extension TextTokens.Dictionary {
    fileprivate func isLineEnd(_ token: Int32) -> Bool {
        pieces[Int(token)].last.map { "\r\n".utf8.contains($0) } ?? false
    }

    fileprivate func isSentenceEnd(_ token: Int32) -> Bool {
        let piece = pieces[Int(token)]
        return isLineEnd(token) || piece.elementsEqual("。".utf8)
            || (piece.count == 1 && piece.allSatisfy { ".!?".utf8.contains($0) })
    }
}
