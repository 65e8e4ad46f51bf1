/// What a device may have that carries a space and cannot read it: of a commit that is not sealed the
/// header, and of its clear part what membership takes.
extension CommitHeader {
    private static let emptyClearPart = Label.clearPart.hash([])
    private static let noOperations = Label.operationsPart.hash([])

    /// Whether a clear part was kept back of which these bytes are left.
    package func withholdsClearPart(_ bytes: [UInt8]) -> Bool {
        epoch == nil && bytes.isEmpty && clearHash != Self.emptyClearPart
    }

    /// The same of operations.
    package func withholdsOperations(_ bytes: [UInt8]) -> Bool {
        epoch == nil && bytes.isEmpty && operationsHash != Self.noOperations
    }
}

extension UnverifiedCommit {
    /// A part of it was kept back.
    package var isWithheld: Bool { contents == .withheld }

    /// Whether a device that reads the space, and holds this much of it, can take the commit: whole, or where it
    /// may prove a fork. Its own commits from before its disk was lost it takes without content, too, and
    /// so those that another reader passes on: that reader has nothing better.
    package func isTakeable(
        by device: DeviceID, holding here: Watermark, fromReader: Bool
    ) -> Bool {
        !isWithheld || fromReader || header.log.device == device
            || here.covers(header.log, header.sequence)
    }

    var withholdsClearPart: Bool { header.withholdsClearPart(encoded.clear) }

    /// As a vault may have it. Of what was written before its author had seen an epoch the files are
    /// named by what they hold: those names are kept back too, unless who may do what stands beside.
    package func withheld(isBeforeEpochs: Bool) -> UnverifiedCommit {
        guard header.epoch == nil, !isWithheld else { return self }
        let isPublic = clear.genesis != nil || !clear.facts.isEmpty || clear.schema != nil
        let keepsClearPart = isPublic || !isBeforeEpochs
        let left = EncodedCommit(
            header: encoded.header, signature: encoded.signature,
            clear: keepsClearPart ? encoded.clear : [], operations: [])
        guard left != encoded else { return self }
        return UnverifiedCommit(
            id: id, header: header, clear: keepsClearPart ? clear : ClearPart(), operations: [],
            contents: .withheld, encoded: left)
    }
}

extension SpaceLedger {
    /// Whether a clear part was withheld against the rules: authors that have seen an epoch must tell
    /// vaults of every change of membership. A sender that withholds it may not know of the epoch.
    func withholdsTooMuch(_ commit: UnverifiedCommit) -> Bool {
        commit.isWithheld && commit.withholdsClearPart && hasSeenEpoch(commit.header)
    }

    /// Whether the author of the next commit of a log had seen an epoch.
    fileprivate func hasSeenEpoch(_ header: CommitHeader) -> Bool {
        var seen = seenBy[header.log] ?? [:]
        for position in header.seen { seen[position.log] = position.head.sequence }
        return membership.epochFacts.hasSeenEpoch(at: header.log, header.sequence, seen: seen)
    }
}

/// Received commits as a device may keep them that was only ever given the space to carry: of one that is not
/// sealed the same as honest senders give it, whatever was sent.
package struct CarriedCommits {
    private let device: DeviceID?
    /// Of the membership that was looked at last: all grants are, so once, and after each change.
    private var revision: Int?
    private var isCarrier = false

    /// On a device; nil keeps all.
    package init(on device: DeviceID?) { self.device = device }

    package mutating func kept(
        _ commit: VerifiedCommit, in ledger: SpaceLedger
    ) -> VerifiedCommit {
        guard let device else { return commit }
        if ledger.membership.revision != revision {
            revision = ledger.membership.revision
            isCarrier = ledger.membership.hasOnlyCarried(device)
        }
        Invariants.check(
            isCarrier == ledger.membership.hasOnlyCarried(device),
            "rights changed, and the revision of the membership did not")
        let header = commit.header
        guard isCarrier, header.epoch == nil, !commit.commit.isWithheld, header.log.device != device
        else { return commit }
        let left = commit.commit.withheld(isBeforeEpochs: !ledger.hasSeenEpoch(header))
        return commit.kept(as: left)
    }
}

/// Which commits of each log are sealed, and which are not whole here.
package struct LogSealing: Hashable, Sendable {
    /// In each log that has them, the first commit that had seen an epoch: from there on what is
    /// written has to be sealed.
    package var sealedFrom: [LogID: UInt64] = [:]
    /// In each log that has them, the first commit of which a part was kept back from here.
    package var withheldFrom: [LogID: UInt64] = [:]

    package init(sealedFrom: [LogID: UInt64] = [:], withheldFrom: [LogID: UInt64] = [:]) {
        (self.sealedFrom, self.withheldFrom) = (sealedFrom, withheldFrom)
    }

    /// Whether what had seen an epoch is sealed, and what is sealed is not broken. Under which epoch
    /// does not matter: others wrote in good faith under one that a fork took away.
    func permits(_ claim: CommitClaim) -> Bool {
        switch claim.contents {
        case .plain: isBeforeEpochs(claim.log, claim.sequence)
        case .none, .closed, .opened, .withheld: true
        case .broken: false
        }
    }

    /// Whether a commit was written before its author had seen an epoch.
    package func isBeforeEpochs(_ log: LogID, _ sequence: UInt64) -> Bool {
        sealedFrom[log].map { sequence < $0 } ?? true
    }
}
