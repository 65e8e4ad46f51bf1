/// The messages of a session, as values. Protocol.md gives their order.
package enum PeerMessage: Hashable, Sendable {
    case hello(Hello)
    case spaces([SpaceSummary], answer: Bool)
    case watermark(SpaceID, Watermark, forks: ForkReport = .nothing, answer: Bool)
    case commits(SpaceID, [UnverifiedCommit], live: Bool)
    /// Two headers said to prove that a log of the space forked.
    case fork(SpaceID, UnverifiedFork)
    /// Headers of a branch, from one that was wanted down, each followed by the one before it in the log.
    case branchHeaders(SpaceID, [UnverifiedHeader])
    case ack(UnverifiedAck)
    case ackDifference(AckDifference)
    /// Asks for the whole ack of a device.
    case ackWanted(SpaceID, DeviceID)
    case holdings(UnverifiedHoldings)
    case heard(Heard)
    case reach(added: [DeviceID], removed: [DeviceID])
    case comparison(Comparison)
    case want(Want)
    case have(Have)
    case ping(token: UInt64)
    case pong(token: UInt64)
    case bye(ByeReason)
    /// The receiver of an offer does not want it, with the grants that it knew of.
    case decline(SpaceID, grants: GrantCount = .unsaid)
    /// What keeps the sender from taking what it is sent.
    case condition(Condition)
    /// To a device that may not read a space any more: the commits that took it.
    case taken(SpaceID, [UnverifiedCommit])
    /// The sender's person has their recovery key and wants their spaces: a signature by it.
    case recoveryRequest([UInt8])
    /// Answers it with what the key could give.
    case recoveryOffers([RecoveryOffer])
    /// Grants to the sender by its person's key, to be written down.
    case recoveryStatements([UnverifiedPersonStatement])
    /// The sum of what the sender knows of lost devices: ``LossBook`` makes it.
    case lossSum(Bytes32)
    /// Statements about lost devices. An answer wants none.
    case lossStatements([UnverifiedLossStatement], answer: Bool)
    /// A message of a newer protocol version: skipped.
    case unknown
}

package struct Hello: Hashable, Sendable {
    /// It says whom it reaches, and takes differences of acks and comparisons by one digest.
    package static let reachFeature = "reach"

    package enum Purpose: UInt8, Sendable {
        case session = 1
        /// Blobs only.
        case bulk = 2
    }

    package var versions: ClosedRange<UInt32>
    package var card: UnverifiedCard
    package var agentVersion: String
    package var features: [String]
    package var wallClock: Milliseconds
    package var purpose: Purpose
    /// 0: does not listen.
    package var listeningPort: UInt16

    package init(
        versions: ClosedRange<UInt32>, card: UnverifiedCard, agentVersion: String,
        features: [String], wallClock: Milliseconds, purpose: Purpose, listeningPort: UInt16
    ) {
        (self.versions, self.card, self.agentVersion) = (versions, card, agentVersion)
        (self.features, self.wallClock) = (features, wallClock)
        (self.purpose, self.listeningPort) = (purpose, listeningPort)
    }
}

/// What keeps a device from taking what it is sent; said when it changes, and when a session begins
/// while its disk is full.
package struct Condition: Hashable, Sendable {
    package var isDiskFull: Bool

    package init(isDiskFull: Bool) {
        self.isDiskFull = isDiskFull
    }
}

package struct SpaceSummary: Hashable, Sendable {
    package var space: SpaceID
    /// ``Watermark/digest``.
    package var digest: Bytes32
    package var offer: Offer?
    /// That the sender holds the space, or held it once: ``SpaceView/proof(by:to:)``.
    package var proof: Bytes32?
    /// ``Engine/statementSum(of:with:)``; nil from a device that does not know it.
    package var statements: UInt64?

    package init(
        space: SpaceID, digest: Bytes32, offer: Offer? = nil, proof: Bytes32? = nil,
        statements: UInt64? = nil
    ) {
        (self.space, self.digest) = (space, digest)
        (self.offer, self.proof, self.statements) = (offer, proof, statements)
    }
}

/// What a person is told about a trip before accepting it.
package struct Offer: Hashable, Sendable {
    package var title: String
    package var from: String
    package var flags: Permissions
    /// Of all blobs.
    package var bytes: UInt64
    /// The name of the schema that the space follows; empty for a trip, or when nobody said it.
    package var schema: String
    /// Grants to the receiver that the sender knows of.
    package var grants: GrantCount
    /// Where the receiver's person founded the space.
    package var founding: FoundingProof?

    package init(
        title: String, from: String, flags: Permissions, bytes: UInt64, schema: String = "",
        grants: GrantCount = .unsaid, founding: FoundingProof? = nil
    ) {
        (self.title, self.from, self.flags) = (title, from, flags)
        (self.bytes, self.schema, self.grants) = (bytes, schema, grants)
        self.founding = founding
    }
}

/// The header of a space's first commit, with the signature of the device that founded it.
package struct FoundingProof: Hashable, Sendable {
    package let header: [UInt8]
    /// 64 bytes.
    package let signature: [UInt8]

    package init(header: [UInt8], signature: [UInt8]) {
        (self.header, self.signature) = (header, signature)
    }
}

/// How many grants of a space to one device are known, whether or not they count. It only grows, so that a grant
/// written after a person declined is told from the one that was declined.
package struct GrantCount: Hashable, Sendable {
    /// Programs of before this was said.
    package static let unsaid = GrantCount(0)

    package let value: UInt32

    package init(_ value: UInt32) { self.value = value }

    /// Whether a no to this many grants is no answer to an invitation with `grants`. Where either is unsaid, the no
    /// is for good.
    package func isBefore(_ grants: GrantCount) -> Bool {
        self != .unsaid && value < grants.value
    }
}

/// Something that a device says of a space under its signature.
package protocol DeviceStatement: Hashable, Sendable {
    /// What it is signed for.
    static var label: Label { get }
    var space: SpaceID { get }
    var device: DeviceID { get }
    /// Grows with each statement of this device; the latest of a kind is kept.
    var counter: UInt64 { get }
}

/// "I hold this space durably up to here", of one device.
package struct Ack: DeviceStatement {
    package static let label = Label.acknowledgement

    package var space: SpaceID
    package var device: DeviceID
    package var counter: UInt64
    package var watermark: Watermark

    package init(space: SpaceID, device: DeviceID, counter: UInt64, watermark: Watermark) {
        (self.space, self.device) = (space, device)
        (self.counter, self.watermark) = (counter, watermark)
    }
}

/// Which blobs named in a space a device holds, verified: all but the missing ones.
package struct Holdings: DeviceStatement {
    package static let label = Label.holdings

    package var space: SpaceID
    package var device: DeviceID
    package var counter: UInt64
    /// Named blobs it holds.
    package var held: UInt64
    /// At most ``Limits/holdingsMissing`` of those it lacks.
    package var missing: [BlobID]
    package var missingCount: UInt64
    /// Of those that it waits for.
    package var missingBytes: UInt64
    /// Those of ``missing`` that it freed, and does not wait for.
    package var unwanted: Set<BlobID>

    package init(
        space: SpaceID, device: DeviceID, counter: UInt64, held: UInt64, missing: [BlobID],
        missingCount: UInt64, missingBytes: UInt64, unwanted: Set<BlobID> = []
    ) {
        (self.space, self.device, self.counter, self.held) = (space, device, counter, held)
        (self.missing, self.missingCount, self.missingBytes) = (missing, missingCount, missingBytes)
        self.unwanted = unwanted
    }
}

/// A statement with a signature that nobody has checked yet.
package struct UnverifiedStatement<Said: DeviceStatement>: Hashable, Sendable {
    package let said: Said
    /// The serialized statement, which the signature is over.
    package let bytes: [UInt8]
    package let signature: [UInt8]

    package init(_ said: Said, bytes: [UInt8], signature: [UInt8]) {
        (self.said, self.bytes, self.signature) = (said, bytes, signature)
    }
}

package typealias UnverifiedAck = UnverifiedStatement<Ack>
package typealias UnverifiedHoldings = UnverifiedStatement<Holdings>

/// Asks for the chunk list or for chunks of a blob that a commit of the space names.
package struct Want: Hashable, Sendable {
    package var request: UInt32
    package var space: SpaceID
    package var blob: BlobID
    /// The list of chunk hashes first.
    package var list: Bool
    package var firstChunk: UInt32
    package var chunkCount: UInt32

    package init(
        request: UInt32, space: SpaceID, blob: BlobID, list: Bool, firstChunk: UInt32,
        chunkCount: UInt32
    ) {
        (self.request, self.space, self.blob) = (request, space, blob)
        (self.list, self.firstChunk, self.chunkCount) = (list, firstChunk, chunkCount)
    }
}

package struct Have: Hashable, Sendable {
    package var request: UInt32
    package var held: Bool
    package var length: UInt64
    package var chunkHashes: [Bytes32]

    package init(request: UInt32, held: Bool, length: UInt64, chunkHashes: [Bytes32]) {
        (self.request, self.held) = (request, held)
        (self.length, self.chunkHashes) = (length, chunkHashes)
    }
}

package enum ByeReason: UInt8, Sendable {
    /// One that this version does not know.
    case other = 0
    case shutdown = 1
    case duplicate = 2
    case notTrusted = 3
    case version = 4
    case misbehaved = 5
    case syncOff = 6
    /// The other side did not answer in time.
    case silent = 7
    /// It has enough other neighbours.
    case enough = 8
}
