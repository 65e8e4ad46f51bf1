/// Puts the survivors of a text together, and where the writes they started from disagree, those first.
struct MergeRounds {
    struct Shown {
        let value: Value
        let isOverlapping: Bool
        /// Nothing was merged: it is the last write.
        let isLast: Bool
    }

    /// A text that is merged, and what its authors had before them, themselves included.
    private struct Side {
        var text: String
        var latest: SurvivingWrite
        var known: RegisterHistory.Part
    }

    private let history: RegisterHistory
    private let value: (WriteID) throws -> Value?
    private var folds = Limits.mergeFolds
    private var looks = Limits.mergeLooks
    /// What is shown of the parts that were looked at; nil of one that shows nothing.
    private var rounds: [RegisterHistory.Part: Shown?] = [:]
    private var known: [Int: RegisterHistory.Part] = [:]

    init(of history: RegisterHistory, value: @escaping (WriteID) throws -> Value?) {
        (self.history, self.value) = (history, value)
    }

    /// Nil for a part with no writes, and for one with a write that is not there.
    mutating func shown(_ part: RegisterHistory.Part) throws -> Shown? {
        if let found = rounds[part] { return found }
        let found = try round(part)
        rounds[part] = .some(found)
        return found
    }

    private mutating func round(_ part: RegisterHistory.Part) throws -> Shown? {
        // What outranks the others is shown alone, as in every strategy.
        let writes = Authority.outranking(history.register(of: part).writes)
        guard let latest = LastWrite.choice(of: writes), let last = try value(latest.id) else {
            return nil
        }
        let unmerged = Shown(value: last, isOverlapping: true, isLast: true)
        guard writes.count <= folds else { return unmerged }
        var sides: [Side] = []
        for write in writes {
            guard let found = try value(write.id), let text = MergeText.text(found) else {
                return unmerged
            }
            guard let place = history.place(of: write.id) else { return unmerged }
            sides.append(Side(text: text, latest: write, known: known(with: place)))
        }
        guard sides.contains(where: { !$0.text.utf8.elementsEqual(sides[0].text.utf8) }) else {
            return Shown(value: last, isOverlapping: false, isLast: true)
        }
        folds -= writes.count
        precondition(folds >= 0, "\(-folds) texts too many are merged")
        return try fold(sides, of: part) ?? unmerged
    }

    private mutating func fold(_ sides: [Side], of part: RegisterHistory.Part) throws -> Shown? {
        guard var all = sides.first else { return nil }
        // Survivors are no origin of each other.
        var origins = part
        for side in sides {
            history.place(of: side.latest.id).map { origins.remove($0) }
        }
        var isOverlapping = false
        for side in sides.dropFirst() {
            let origin = origins.intersection(all.known).intersection(side.known)
            let started = try shown(origin)
            guard let base = MergeText.text(started?.value ?? .null) else { return nil }
            let isLater = SurvivingWrite.isOlder(all.latest, side.latest)
            let merge = try ThreeWayMerge(
                base: base, one: all.text, other: side.text, prefersOther: isLater
            ) { try steps(from: origin, to: $0 == .one ? all.known : side.known) }
            guard let merge else { return nil }
            // Both ended one conflict, and not in the same way: neither of them knows.
            let isDisputed = started?.isOverlapping ?? false
            let isEqual = all.text.utf8.elementsEqual(side.text.utf8)
            isOverlapping = isOverlapping || merge.isOverlapping || (isDisputed && !isEqual)
            all.text = merge.text
            if isLater { all.latest = side.latest }
            all.known.formUnion(side.known)
        }
        return Shown(value: .text(all.text), isOverlapping: isOverlapping, isLast: false)
    }

    /// The latest writes that a side knew and an origin is not made of.
    private mutating func steps(
        from origin: RegisterHistory.Part, to side: RegisterHistory.Part
    ) throws -> [ThreeWayMerge.Step] {
        let writes = side.places.filter { !origin.contains($0) }.map(history.write)
            .sorted { SurvivingWrite.isOlder($1, $0) }.prefix(looks)
        looks -= writes.count
        precondition(looks >= 0, "\(-looks) writes too many are compared")
        var steps: [ThreeWayMerge.Step] = []
        for write in writes {
            guard let place = history.place(of: write.id),
                let after = try value(write.id).flatMap(MergeText.text),
                let before = MergeText.text(try shown(known(to: place))?.value ?? .null)
            else { continue }
            steps.append(ThreeWayMerge.Step(before: before, after: after))
        }
        return steps
    }

    private mutating func known(with place: Int) -> RegisterHistory.Part {
        var part = known(to: place)
        part.insert(place)
        return part
    }

    private mutating func known(to place: Int) -> RegisterHistory.Part {
        if let found = known[place] { return found }
        let found = history.known(to: place)
        known[place] = found
        return found
    }
}
