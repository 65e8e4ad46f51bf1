import Store
import SyncCore
import Synchronization

/// Encodes commits well enough to be told apart, and decodes what it has encoded.
final class TestLog: CommitDecoding, CommitVerifying {
    struct Unknown: Error {}

    private let made = Mutex<[[UInt8]: UnverifiedCommit]>([:])
    private let decoded = Mutex(0)
    private let closed = Mutex<Set<CommitID>>([])

    /// How many commits were decoded.
    var decodedCount: Int { decoded.withLock(\.self) }

    /// From now on this commit cannot be opened, as if its key were gone.
    func close(_ commit: CommitID) { closed.withLock { _ = $0.insert(commit) } }

    /// A commit of these parts; the header's part hashes are filled in.
    func commit(
        _ header: CommitHeader, _ clear: ClearPart, _ operations: [RecordOperation]
    ) -> VerifiedCommit {
        var header = header
        let clearBytes = Array("\(clear)".utf8)
        // The ids stand in them as they are, as in those of every commit.
        let operationBytes =
            operations.isEmpty
            ? [] : Array("\(operations)".utf8) + operations.flatMap(\.record.bytes)
        header.clearHash = Label.clearPart.hash(clearBytes)
        header.operationsHash = Label.operationsPart.hash(operationBytes)
        let encoded = EncodedCommit(
            header: TestLog.bytes(of: header), signature: [UInt8](repeating: 7, count: 64),
            clear: clearBytes, operations: operationBytes)
        let commit = UnverifiedCommit(
            id: encoded.id, header: header, clear: clear, operations: operations,
            hasUnknownParts: clear.facts.contains(.unknown), encoded: encoded)
        made.withLock { $0[encoded.header] = commit }
        return verified(commit)
    }

    func verified(_ commit: UnverifiedCommit) -> VerifiedCommit {
        VerifiedCommit(verified: commit, facts: facts(of: commit, keys: KeyDirectory()))
    }

    func decode(_ encoded: EncodedCommit) throws -> UnverifiedCommit {
        decoded.withLock { $0 += 1 }
        guard let commit = made.withLock({ $0[encoded.header] }) else { throw Unknown() }
        if closed.withLock({ $0.contains(commit.id) }) { return commit.with([], .closed) }
        if commit.encoded == encoded { return commit }
        // Also as a device has it from which the rest was kept back.
        guard encoded.clear.isEmpty, encoded.operations.isEmpty else { throw Unknown() }
        return UnverifiedCommit(
            id: commit.id, header: commit.header, clear: ClearPart(), operations: [],
            contents: .withheld, encoded: encoded)
    }

    func header(_ bytes: [UInt8]) throws -> CommitHeader {
        guard let commit = made.withLock({ $0[bytes] }) else { throw Unknown() }
        return commit.header
    }

    /// Believes every proof of two commits that were made.
    func verify(
        _ fork: UnverifiedFork, in space: SpaceID, keys: KeyDirectory
    ) -> VerifiedFork? {
        let isMade = made.withLock { made in
            [fork.first, fork.second].allSatisfy { made[$0.bytes] != nil }
        }
        guard isMade, fork.isCoherent(in: space) else { return nil }
        return VerifiedFork(verified: fork)
    }

    /// Believes every fact.
    func facts(of commit: UnverifiedCommit, keys: KeyDirectory) -> [MembershipFact] {
        let founder = commit.clear.genesis.map { genesis in
            MembershipFact.grant(
                Grant(
                    card: TestLog.card(genesis.founder), parent: nil, flags: .all,
                    siblingIndex: 0, precedence: Precedence.authority.rawValue))
        }
        return (founder.map { [$0] } ?? [])
            + commit.clear.facts.map { fact in
                switch fact {
                case .grant(let grant):
                    .grant(
                        Grant(
                            card: TestLog.card(grant.card), parent: grant.parent,
                            flags: grant.flags, siblingIndex: grant.siblingIndex,
                            precedence: grant.precedence))
                case .revocation(let revocation): .revocation(revocation)
                case .redating(let redating): .redating(redating)
                case .fork(let fork):
                    .fork(fork.first.header.log, sequence: fork.first.header.sequence)
                default: .void
                }
            }
    }

    func verify(
        _ commits: [UnverifiedCommit], keys: KeyDirectory
    ) -> VerifiedBatch {
        var batch = VerifiedBatch(keys: keys)
        batch.commits = commits.map(verified)
        return batch
    }

    private static func card(_ card: UnverifiedCard) -> Card {
        guard let content = card.links.last?.content else {
            preconditionFailure("a test card has a link")
        }
        return Card(verified: card, content: content)
    }

    private static func bytes(of header: CommitHeader) -> [UInt8] {
        var bytes = header.space.bytes + header.log.device.bytes
        bytes += header.log.incarnation.bytes + bigEndian(header.sequence)
        bytes += header.previous.bytes + bigEndian(header.clock.raw)
        for position in header.seen {
            bytes += position.log.device.bytes + position.log.incarnation.bytes
            bytes += bigEndian(position.head.sequence) + position.head.commit.bytes
        }
        bytes += header.grant.commit.bytes + [UInt8(truncatingIfNeeded: header.grant.index)]
        bytes += bigEndian(UInt64(header.following))
        return bytes + header.clearHash.bytes + header.operationsHash.bytes
    }
}
