/// Batches of commits that came from a peer.
package struct CommitReceiving {
    /// Batches not yet applied.
    package internal(set) var unapplied = 0
    /// Since when commits of the peer do not fit, as something before them was left out, on the
    /// monotonic clock; nil once all that it sent is here.
    private(set) var gapSince: UInt64?

    /// A proof of the peer could not be stored: what comes after the fork does not fit for that.
    var lacksProof = false {
        didSet { if lacksProof { closeGap() } }
    }

    /// Something that the peer sent does not fit.
    mutating func noteGap(at now: UInt64) {
        if !lacksProof { gapSince = gapSince ?? now }
    }

    mutating func closeGap() { gapSince = nil }

    /// Notes that a received batch is dealt with. The space may have been closed and listed again
    /// since the batch came.
    mutating func finishBatch() {
        unapplied = max(0, unapplied - 1)
    }
}
