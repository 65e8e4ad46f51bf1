extension WantedBlobs {
    /// Every set of blobs has only fetched ones, and no blob is both fetched and left out.
    func check() {
        Invariants.check(
            [large, settling, paused, failed].allSatisfy { $0.allSatisfy { fetches[$0] != nil } },
            "something is left of a blob that is fetched no more")
        Invariants.check(
            unfit.keys.allSatisfy { fetches[$0] == nil }, "a blob that does not fit is fetched")
        Invariants.check(
            fetches.allSatisfy { $0 == $1.need.blob } && unfit.allSatisfy { $0 == $1.blob },
            "a blob is wanted under the name of another one")
        Invariants.check(
            fetches.allSatisfy { $0.value.stage.isSettling == settling.contains($0.key) },
            "what settles is counted wrong")
        Invariants.check(
            fetches.allSatisfy { alsoNamed[$0.key]?.contains($0.value.need.space) != true },
            "a blob is named in one space twice")
        Invariants.check(
            Set(queue).isSuperset(of: fetches.filter(\.value.isWaiting).keys),
            "a blob waits that nobody will be asked for")
        Invariants.check(
            !isQueueSorted || isOrdered, "what is wanted most is not asked for first")
        Invariants.check(
            fetches.allSatisfy { !$1.isUnasked || large.contains($0) },
            "chunks wait that nobody will be asked for")
        Invariants.check(
            failed.allSatisfy { fetches[$0]?.failures ?? 0 >= Limits.blobTries },
            "a blob counts as failed that did not fail")
        Invariants.check(
            fetches.allSatisfy { $1.failures < Limits.blobTries || failed.contains($0) },
            "a blob failed that does not count as failed")
        Invariants.check(
            large.allSatisfy { fetches[$0]?.lacksList != true },
            "chunks are asked for of a blob without a list")
        precondition(
            unfit.isEmpty || tooLarge != nil,
            "\(unfit.count) blobs wait for room, and any would fit")
        refusals.check { fetches[$0] != nil }
        Invariants.check(
            alsoNamed.allSatisfy { $0.value.isEmpty || need(of: $0.key) != nil },
            "further spaces are noted of a blob that is not wanted")
    }

    /// Whether each blob that waits comes before those that are wanted less.
    private var isOrdered: Bool {
        let waiting = queue.compactMap { fetches[$0] }.filter(\.isWaiting)
        return zip(waiting, waiting.dropFirst()).allSatisfy { $0.priority <= $1.priority }
    }
}
