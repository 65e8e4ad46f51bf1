/// A membership fact by its place: the index-th fact of a commit's clear part. Index 0 of a genesis
/// is the founder's grant.
package struct FactReference: Hashable, Comparable, Sendable {
    package let commit: CommitID
    package let index: UInt32

    package init(commit: CommitID, index: UInt32) { (self.commit, self.index) = (commit, index) }

    /// What a genesis names as its grant.
    package static let none = FactReference(commit: .zero, index: 0)

    package static func < (left: FactReference, right: FactReference) -> Bool {
        (left.commit, left.index) < (right.commit, right.index)
    }
}

/// Every field of a commit header, in the order of peersync.proto.
package struct CommitHeader: Hashable, Sendable {
    /// Zero in a genesis.
    package var space: SpaceID
    package var log: LogID
    /// From 1, without gaps.
    package var sequence: UInt64
    /// The log's previous commit; zero at sequence 1.
    package var previous: CommitID
    package var clock: HybridTime
    /// What changed in the author's watermark since its previous commit, its own log left out.
    package var seen: [LogPosition]
    package var grant: FactReference
    package var schema: SchemaID
    package var schemaVersion: UInt32
    /// The commit that made the epoch the operations are sealed under.
    package var epoch: CommitID?
    /// How many commits of the same group follow this one in the log; see ``CommitGroup``.
    package var following: UInt32
    /// SHA-256, label ``Label/clearPart``.
    package var clearHash: Bytes32
    /// SHA-256, label ``Label/operationsPart``.
    package var operationsHash: Bytes32

    package init(
        space: SpaceID, log: LogID, sequence: UInt64, previous: CommitID, clock: HybridTime,
        seen: [LogPosition], grant: FactReference, schema: SchemaID, schemaVersion: UInt32,
        epoch: CommitID? = nil, following: UInt32 = 0, clearHash: Bytes32, operationsHash: Bytes32
    ) {
        (self.space, self.log, self.sequence) = (space, log, sequence)
        (self.previous, self.clock, self.seen, self.grant) = (previous, clock, seen, grant)
        (self.schema, self.schemaVersion, self.epoch) = (schema, schemaVersion, epoch)
        self.following = following
        (self.clearHash, self.operationsHash) = (clearHash, operationsHash)
    }

    package var isGenesis: Bool { space == .zero }

    /// The sequence of the last commit of its group; its own without one.
    package var groupEnd: UInt64 { sequence + UInt64(following) }
}

/// A commit's bytes, as they are stored and sent on unchanged.
package struct EncodedCommit: Hashable, Sendable {
    package let header: [UInt8]
    /// 64 bytes.
    package let signature: [UInt8]
    package let clear: [UInt8]
    package let operations: [UInt8]

    package init(header: [UInt8], signature: [UInt8], clear: [UInt8], operations: [UInt8]) {
        (self.header, self.signature) = (header, signature)
        (self.clear, self.operations) = (clear, operations)
    }

    package var id: CommitID { CommitID(ofHeader: header) }
    package var byteCount: Int {
        header.count + signature.count + clear.count + operations.count
    }
}

/// A commit that was decoded but whose signature nobody has checked: it cannot be stored.
package struct UnverifiedCommit: Hashable, Sendable {
    package let id: CommitID
    package let header: CommitHeader
    package let clear: ClearPart
    /// None while they are sealed and not opened.
    package let operations: [RecordOperation]
    package let contents: CommitContents
    /// Whether it says something that only a newer program understands.
    package let hasUnknownParts: Bool
    package let encoded: EncodedCommit

    /// Operations that are sealed and were not opened are closed.
    package init(
        id: CommitID, header: CommitHeader, clear: ClearPart, operations: [RecordOperation],
        contents: CommitContents? = nil, hasUnknownParts: Bool = false, encoded: EncodedCommit
    ) {
        (self.id, self.header, self.clear) = (id, header, clear)
        (self.operations, self.encoded) = (operations, encoded)
        self.hasUnknownParts = hasUnknownParts
        let isEmpty = operations.isEmpty && encoded.operations.isEmpty
        self.contents = contents ?? CommitContents(isEmpty: isEmpty, in: header)
    }

    /// The same commit with its sealed operations as they turned out.
    package func with(
        _ operations: [RecordOperation], _ contents: CommitContents, hasUnknownParts: Bool = false
    ) -> UnverifiedCommit {
        UnverifiedCommit(
            id: id, header: header, clear: clear, operations: operations, contents: contents,
            hasUnknownParts: self.hasUnknownParts || hasUnknownParts, encoded: encoded)
    }

    /// The space the commit belongs to; a genesis makes its own.
    package var space: SpaceID { header.isGenesis ? SpaceID(id.value) : header.space }
}

/// A commit whose signature, part hashes and cards hold.
package struct VerifiedCommit: Sendable {
    package private(set) var commit: UnverifiedCommit
    /// By fact index; a fact whose own signatures fail is ``MembershipFact/void``.
    package let facts: [MembershipFact]
    /// Whether a pin is known to go back to it, so that it is taken whatever else fills the log.
    private(set) var leadsToPin = false

    /// For the code that has verified the commit, and for nobody else.
    package init(verified commit: UnverifiedCommit, facts: [MembershipFact]) {
        (self.commit, self.facts) = (commit, facts)
    }

    package var id: CommitID { commit.id }
    package var header: CommitHeader { commit.header }
    package var space: SpaceID { commit.space }
    package var encoded: EncodedCommit { commit.encoded }
    /// Whether its facts depend on what it had seen of other logs.
    package var needsSeen: Bool {
        facts.contains { $0.isGrant || $0.isRedating || $0.isEpoch }
    }

    /// The same commit with its sealed operations opened as far as the keys that are here go.
    package func opened(by decoder: any CommitDecoding) -> VerifiedCommit {
        commit.contents == .closed ? kept(as: decoder.opened(commit)) : self
    }

    /// The same commit with other parts of it here.
    func kept(as commit: UnverifiedCommit) -> VerifiedCommit {
        precondition(commit.id == id, "\(commit.id) takes the place of \(id)")
        var kept = self
        kept.commit = commit
        return kept
    }

    /// The same commit, with a mark if it is one of these, to which a pin goes back.
    package func leadingToPin(ifIn pinned: Set<CommitID>) -> VerifiedCommit {
        var marked = self
        marked.leadsToPin = pinned.contains(id)
        return marked
    }
}

/// Decodes stored bytes into a commit; Wire implements it, so that the store need not know the format.
package protocol CommitDecoding: Sendable {
    /// Throws when the bytes are no commit of this version. Sealed operations are opened as far as
    /// the keys that are here go.
    func decode(_ encoded: EncodedCommit) throws -> UnverifiedCommit

    /// The same for a header alone, as a proof of a fork has it.
    func header(_ bytes: [UInt8]) throws -> CommitHeader

    /// A commit that is closed, as far as the keys that are here open it.
    func opened(_ commit: UnverifiedCommit) -> UnverifiedCommit

    /// The keys that are here; nil where everything sealed stays closed.
    var epochKeys: (any EpochKeyHolding)? { get }
}

extension CommitDecoding {
    package func opened(_ commit: UnverifiedCommit) -> UnverifiedCommit { commit }
    package var epochKeys: (any EpochKeyHolding)? { nil }
}

extension CommitID {
    /// Of the commit with this serialized header.
    package init(ofHeader bytes: [UInt8]) { self.init(Label.commit.hash(bytes)) }
}
