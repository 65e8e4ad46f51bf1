internal import FoundationEssentials
internal import SwiftProtobuf
package import SyncCore

/// Commits <-> bytes. What is decoded here is well formed and whole; its signature, its chain and its
/// permissions are checked elsewhere.
package struct CommitCodec: CommitDecoding {
    /// The version of a commit header, the only one so far.
    static let version: UInt32 = 1

    /// Opens what is sealed; nil where everything sealed stays closed.
    package let epochKeys: (any EpochKeyHolding)?

    package init(epochKeys: (any EpochKeyHolding)? = nil) { self.epochKeys = epochKeys }

    /// The header's bytes, which the commit id and the signature are over.
    package func encodeHeader(_ header: CommitHeader) -> [UInt8] {
        Peersync_V1_CommitHeader(header).serialized
    }

    /// The clear part's bytes, which ``CommitHeader/clearHash`` is over.
    package func encode(_ clear: ClearPart) -> [UInt8] {
        Peersync_V1_ClearPart(clear).serialized
    }

    /// The plain operations' bytes, which ``CommitHeader/operationsHash`` is over.
    package func encode(_ operations: [RecordOperation]) -> [UInt8] {
        Peersync_V1_Operations(operations).serialized
    }

    package func decodeHeader(_ header: [UInt8]) throws(WireError) -> CommitHeader {
        try Peersync_V1_CommitHeader(decoding: header).decoded()
    }

    package func header(_ bytes: [UInt8]) throws -> CommitHeader { try decodeHeader(bytes) }

    package func decodeClearPart(_ clear: [UInt8]) throws(WireError) -> ClearPart {
        try Peersync_V1_ClearPart(decoding: clear).decoded()
    }

    package func decodeOperations(_ operations: [UInt8]) throws(WireError) -> [RecordOperation] {
        try Peersync_V1_Operations(decoding: operations).decoded()
    }

    /// Decodes a whole commit. Sealed operations (the header names an epoch) are opened as far as
    /// the keys that are here go.
    package func decode(_ encoded: EncodedCommit) throws(WireError) -> UnverifiedCommit {
        opened(try decode(encoded, isRead: true))
    }

    /// What a key opens and is no operations is broken: it counts for nothing, and nobody who merely
    /// passes it on has done wrong.
    package func opened(_ commit: UnverifiedCommit) -> UnverifiedCommit {
        guard commit.contents == .closed, let epochKeys else { return commit }
        switch epochKeys.open(commit.encoded.operations, of: commit.header) {
        case .closed: return commit
        case .broken: return commit.with([], .broken)
        case .opened(let bytes):
            guard let message = try? Peersync_V1_Operations(decoding: bytes),
                let operations = try? message.decoded()
            else { return commit.with([], .broken) }
            return commit.with(operations, .opened, hasUnknownParts: message.hasUnknownParts)
        }
    }

    /// Decodes a commit to be passed on: its operations stay bytes, as nobody here looks at them.
    package func decodeUnread(_ encoded: EncodedCommit) throws(WireError) -> UnverifiedCommit {
        try decode(encoded, isRead: false)
    }

    private func decode(
        _ encoded: EncodedCommit, isRead: Bool
    ) throws(WireError) -> UnverifiedCommit {
        guard encoded.byteCount <= Limits.commitBytes else { throw .tooLong("commit") }
        guard encoded.signature.count == Limits.signatureBytes else {
            throw .wrongLength("commit.signature")
        }
        guard encoded.header.count <= Limits.headerBytes else { throw .tooLong("commit.header") }
        let headerMessage = try Peersync_V1_CommitHeader(decoding: encoded.header)
        let header = try headerMessage.decoded()
        let isWithheld = try encoded.isWithheld(under: header)
        let clearMessage = try Peersync_V1_ClearPart(decoding: encoded.clear)
        let clear = try clearMessage.decoded()
        guard header.isGenesis == (clear.genesis != nil) else {
            throw .contradiction("clear_part.genesis")
        }
        guard !header.isGenesis || clear.facts.isEmpty else {
            throw .contradiction("clear_part.facts")
        }
        let operations =
            try isRead && header.epoch == nil
            ? Peersync_V1_Operations(decoding: encoded.operations) : Peersync_V1_Operations()
        return UnverifiedCommit(
            id: encoded.id, header: header, clear: clear, operations: try operations.decoded(),
            contents: isWithheld ? .withheld : nil,
            hasUnknownParts: headerMessage.hasUnknownFields || clearMessage.hasUnknownParts
                || operations.hasUnknownParts,
            encoded: encoded)
    }
}

extension EncodedCommit {
    /// Whether a part was kept back, which is empty then. Throws for parts that are not those of the
    /// header.
    fileprivate func isWithheld(under header: CommitHeader) throws(WireError) -> Bool {
        let lacksOperations = header.withholdsOperations(operations)
        guard lacksOperations || Label.operationsPart.hash(operations) == header.operationsHash
        else { throw .wrongHash("commit.operations") }
        // What the operations refer to is not kept back without them.
        let lacksClearPart = operations.isEmpty && header.withholdsClearPart(clear)
        guard lacksClearPart || Label.clearPart.hash(clear) == header.clearHash else {
            throw .wrongHash("commit.clear")
        }
        return lacksOperations || lacksClearPart
    }
}

extension Peersync_V1_CommitHeader {
    fileprivate init(_ header: CommitHeader) {
        self.init()
        version = CommitCodec.version
        spaceID = Data(header.space.bytes)
        author = Data(header.log.device.bytes)
        incarnation = Data(header.log.incarnation.bytes)
        sequence = header.sequence
        previous = Data(header.previous.bytes)
        clock = header.clock.raw
        seen = Array(header.seen)
        grant = Peersync_V1_FactReference(header.grant)
        schemaID = Data(header.schema.bytes)
        schemaVersion = header.schemaVersion
        if let epoch = header.epoch {
            self.epoch = Data(epoch.bytes)
        }
        clearHash_p = Data(header.clearHash.bytes)
        operationsHash = Data(header.operationsHash.bytes)
        following = header.following
    }

    func decoded() throws(WireError) -> CommitHeader {
        guard version == CommitCodec.version else { throw .version(version) }
        guard hasGrant else { throw .missing("commit_header.grant") }
        let header = CommitHeader(
            space: try spaceID.identifier("commit_header.space_id"),
            log: LogID(
                device: try author.identifier("commit_header.author"),
                incarnation: try incarnation.bytes16("commit_header.incarnation")),
            sequence: try sequence.sequence("commit_header.sequence"),
            previous: try previous.identifier("commit_header.previous"),
            clock: HybridTime(raw: try clock.storable("commit_header.clock")),
            seen: try seen.decoded("commit_header.seen"), grant: try grant.decoded(),
            schema: try schemaID.identifier("commit_header.schema_id"),
            schemaVersion: schemaVersion,
            epoch: hasEpoch ? try epoch.identifier("commit_header.epoch") : nil,
            following: following,
            clearHash: try clearHash_p.bytes32("commit_header.clear_hash"),
            operationsHash: try operationsHash.bytes32("commit_header.operations_hash"))
        try header.check()
        return header
    }
}

extension CommitHeader {
    /// A log's first commit has no previous one, and nothing comes before a genesis.
    fileprivate func check() throws(WireError) {
        guard (sequence == 1) == (previous == .zero) else {
            throw .contradiction("commit_header.previous")
        }
        guard isGenesis == (grant == .none) else { throw .contradiction("commit_header.grant") }
        guard following < Limits.commitsOfGroup else {
            throw .outOfRange("commit_header.following")
        }
        guard isGenesis else { return }
        guard epoch == nil else { throw .contradiction("commit_header.epoch") }
        guard following == 0 else { throw .contradiction("commit_header.following") }
        guard sequence == 1 else { throw .contradiction("commit_header.sequence") }
        guard seen.isEmpty else { throw .contradiction("commit_header.seen") }
    }
}
