package import SyncCore

/// Verifies commits with the keys of the cards they and earlier ones carry: everything about a
/// commit that takes a signature.
package struct CommitVerifier: CommitVerifying {
    private let signatures: any SignatureVerifying
    private let cards: CardVerifier

    package init(signatures: any SignatureVerifying = Ed25519Verifier()) {
        self.signatures = signatures
        cards = CardVerifier(signatures: signatures)
    }

    package func verify(_ commits: [UnverifiedCommit], keys: KeyDirectory) -> VerifiedBatch {
        var batch = VerifiedBatch(keys: keys)
        for commit in commits {
            learn(from: commit.clear, into: &batch.keys)
        }
        batch.commits.reserveCapacity(commits.count)
        for commit in commits {
            guard let key = batch.keys[commit.header.log.device] else {
                batch.keyless = batch.keyless ?? commit.id
                continue
            }
            let message = Label.commit.framing(commit.encoded.header)
            guard signatures.isValid(signature: commit.encoded.signature, over: message, by: key),
                isFounded(commit)
            else {
                batch.invalid = commit.id
                break
            }
            batch.commits.append(
                VerifiedCommit(verified: commit, facts: facts(of: commit, keys: batch.keys)))
        }
        return batch
    }

    package func facts(of commit: UnverifiedCommit, keys: KeyDirectory) -> [MembershipFact] {
        if let genesis = commit.clear.genesis {
            return founderFact(genesis).map { [$0] } ?? []
        }
        return commit.clear.facts.map { fact in
            switch fact {
            case .grant(let grant): verified(grant).map { .grant($0) } ?? .void
            case .revocation(let revocation): .revocation(revocation)
            case .epoch(let epoch): .epoch(epoch)
            case .fork(let fork):
                verify(fork, in: commit.space, keys: keys)
                    .map { .fork($0.log, sequence: $0.sequence) } ?? .void
            case .personStatement(let statement): verified(statement, space: commit.space)
            case .keyExchange(let exchange):
                KeyExchangeVerifier(signatures: signatures).verify(exchange)
                    ? .keyExchange(exchange.said) : .void
            case .redating(let redating): .redating(redating)
            case .request(let request): .request(request)
            case .unknown: .void
            }
        }
    }

    private func learn(from clear: ClearPart, into keys: inout KeyDirectory) {
        if let genesis = clear.genesis { keys.add(genesis.founder) }
        for fact in clear.facts {
            switch fact {
            case .grant(let grant): keys.add(grant.card)
            case .personStatement(let statement):
                if case .grant(let grant) = statement.body { keys.add(grant.card) }
            default: break
            }
        }
    }

    /// A genesis must be its founder's own: its card holds and names the author.
    private func isFounded(_ commit: UnverifiedCommit) -> Bool {
        guard let genesis = commit.clear.genesis else { return true }
        guard case .grant(let grant) = founderFact(genesis) else { return false }
        return grant.card.device == commit.header.log.device
    }

    /// The founder's grant: all flags, from nobody, and the highest precedence, so that it can be
    /// passed on.
    private func founderFact(_ genesis: Genesis) -> MembershipFact? {
        guard let card = try? cards.verify(genesis.founder) else { return nil }
        return .grant(
            Grant(
                card: card, parent: nil, flags: .all, siblingIndex: 0,
                precedence: Precedence.authority.rawValue))
    }

    private func verified(_ grant: UnverifiedGrant) -> Grant? {
        guard let card = try? cards.verify(grant.card) else { return nil }
        return Grant(
            card: card, parent: grant.parent, flags: grant.flags,
            siblingIndex: grant.siblingIndex, precedence: grant.precedence)
    }

    package func verify(
        _ fork: UnverifiedFork, in space: SpaceID, keys: KeyDirectory
    ) -> VerifiedFork? {
        guard fork.isCoherent(in: space), let key = keys[fork.first.header.log.device] else {
            return nil
        }
        for side in [fork.first, fork.second] {
            let message = Label.commit.framing(side.bytes)
            guard signatures.isValid(signature: side.signature, over: message, by: key) else {
                return nil
            }
        }
        return VerifiedFork(verified: fork)
    }

    /// The grant in a person statement for a space, and who made it; nil when it is none, or does not
    /// hold.
    package func grant(
        of statement: UnverifiedPersonStatement, in space: SpaceID
    ) -> (grant: Grant, signed: StatementKey)? {
        guard case .personGrant(let grant, let signed) = verified(statement, space: space) else {
            return nil
        }
        return (grant, signed)
    }

    private func verified(
        _ statement: UnverifiedPersonStatement, space: SpaceID
    ) -> MembershipFact {
        guard statement.space == space,
            signatures.isValid(
                signature: statement.signature,
                over: Label.personStatement.framing(statement.bytes),
                by: statement.key ?? statement.personKey)
        else { return .void }
        let signed = StatementKey(
            PersonID(key: statement.personKey), key: statement.key,
            statement: statement.id)
        switch statement.body {
        case .grant(let grant): return verified(grant).map { .personGrant($0, signed) } ?? .void
        case .revocation(let revocation): return .personRevocation(revocation, signed)
        }
    }
}
