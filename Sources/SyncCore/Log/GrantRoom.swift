extension Grant {
    /// Whether a commit may ever count under this grant, whatever becomes of it: what it grants does
    /// not change, so everybody who knows the grant decides alike. What a reader may carry are
    /// facts: it must not fill other people's disks with what nobody sees. `written` are the bytes with
    /// facts that its log holds.
    func hasRoom(
        for commit: VerifiedCommit, claiming claim: CommitClaim, after written: Int
    ) -> Bool {
        guard flags.isSuperset(of: claim.required), claim.precedence <= precedence else {
            return false
        }
        if flags.contains(.write) { return true }
        let room =
            Limits.factBytes * commit.facts.count + Limits.seenBytes * commit.header.seen.count
        return !commit.facts.isEmpty && commit.encoded.byteCount <= room
            && written + commit.encoded.clear.count <= Limits.readerFactBytes
    }
}

extension Limits {
    /// Bytes of a commit of somebody who may not write, for each fact in it: the longest chain of
    /// cards, or a cut over all logs of a grant, and what else stands in every commit.
    package static let factBytes = 16 << 10
    /// Logs beyond `logsPerDevice` that are taken because others had seen them, in one space.
    package static let neededLogs = 4096
    /// Bytes of facts that one log holds of somebody who may not write.
    package static let readerFactBytes = 1 << 20
    /// The same for each position it had seen.
    package static let seenBytes = 128
}
