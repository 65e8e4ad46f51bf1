internal import FoundationEssentials
internal import SwiftProtobuf
internal import SyncCore

extension Peersync_V1_Fact {
    init(_ fact: UnverifiedFact) {
        self.init()
        switch fact {
        case .grant(let grant): self.grant = Peersync_V1_Grant(grant)
        case .revocation(let revocation): self.revocation = Peersync_V1_Revocation(revocation)
        case .epoch(let epoch): self.epoch = Peersync_V1_Epoch(epoch)
        case .fork(let fork): self.fork = Peersync_V1_Fork(fork)
        case .personStatement(let statement):
            personStatement = Peersync_V1_PersonStatement(statement)
        case .keyExchange(let exchange): keyExchange = Peersync_V1_KeyExchange(exchange)
        case .redating(let redating): self.redating = Peersync_V1_Redating(redating)
        case .request(let request): self.request = Peersync_V1_RightsRequest(request)
        case .unknown: break
        }
    }

    /// A fact of a newer version keeps its index and counts for nothing.
    func decoded() throws(WireError) -> UnverifiedFact {
        switch fact {
        case .grant(let grant): return .grant(try grant.decoded())
        case .revocation(let revocation): return .revocation(try revocation.decoded())
        case .epoch(let epoch): return .epoch(try epoch.decoded())
        case .fork(let fork): return .fork(try fork.decoded())
        case .personStatement(let statement):
            let decoded = try PersonStatementCodec().decode(
                [UInt8](statement.statement), signature: [UInt8](statement.signature))
            return decoded.map { .personStatement($0) } ?? .unknown
        case .keyExchange(let exchange): return .keyExchange(try exchange.decoded())
        case .redating(let redating): return .redating(try redating.decoded())
        case .request(let request): return .request(try request.decoded())
        case nil: return .unknown
        }
    }
}

extension Peersync_V1_Grant {
    init(_ grant: UnverifiedGrant) {
        self.init()
        card = Peersync_V1_CardChain(grant.card)
        parent = Peersync_V1_FactReference(grant.parent)
        flags = grant.flags.rawValue
        siblingIndex = grant.siblingIndex
        precedence = grant.precedence
    }

    func decoded() throws(WireError) -> UnverifiedGrant {
        guard hasCard else { throw .missing("grant.card") }
        guard hasParent else { throw .missing("grant.parent") }
        return UnverifiedGrant(
            card: try card.decoded(), parent: try parent.decoded(),
            flags: Permissions(rawValue: flags), siblingIndex: siblingIndex, precedence: precedence)
    }
}

extension Peersync_V1_Revocation {
    init(_ revocation: Revocation) {
        self.init()
        grant = Peersync_V1_FactReference(revocation.grant)
        remainingFlags = revocation.remaining.rawValue
        cut = Array(revocation.cut.positions)
        scope = wireEnum(revocation.scope)
        cascade = wireEnum(revocation.cascade)
    }

    /// What a revocation reaches is never guessed: an unknown scope or cascade is an error.
    func decoded() throws(WireError) -> Revocation {
        guard hasGrant else { throw .missing("revocation.grant") }
        return Revocation(
            grant: try grant.decoded(), remaining: Permissions(rawValue: remainingFlags),
            cut: Watermark(try cut.decoded("revocation.cut")),
            scope: try coreEnum(scope, "revocation.scope"),
            cascade: try coreEnum(cascade, "revocation.cascade"))
    }
}

extension Peersync_V1_Epoch {
    fileprivate init(_ epoch: EpochFact) {
        self.init()
        recipient = epoch.recipient
        keys = epoch.keys.map { key in
            var wrapped = Peersync_V1_WrappedKey()
            wrapped.device = Data(key.device.bytes)
            wrapped.ageFile = Data(key.ageFile)
            return wrapped
        }
        covers = epoch.covers.map(Peersync_V1_FactReference.init)
        addedTo = epoch.addedTo.map { Data($0.bytes) }
        fromNow = epoch.isFromNow
    }

    fileprivate func decoded() throws(WireError) -> EpochFact {
        EpochFact(
            recipient: try recipient.atMost(Limits.nameBytes, "epoch.recipient"),
            keys: try keys.atMost(Limits.operationsPerCommit, "epoch.keys").map {
                key throws(WireError) in
                WrappedKey(
                    device: try key.device.identifier("wrapped_key.device"),
                    ageFile: [UInt8](key.ageFile))
            },
            covers: try covers.atMost(Limits.operationsPerCommit, "epoch.covers").map {
                reference throws(WireError) in try reference.decoded()
            },
            addedTo: try addedTo.atMost(Limits.operationsPerCommit, "epoch.added_to").map {
                id throws(WireError) in try id.identifier("epoch.added_to")
            }, isFromNow: fromNow)
    }
}

extension Peersync_V1_Fork {
    init(_ fork: UnverifiedFork) {
        self.init()
        firstHeader = Data(fork.first.bytes)
        firstSignature = Data(fork.first.signature)
        secondHeader = Data(fork.second.bytes)
        secondSignature = Data(fork.second.signature)
    }

    func decoded() throws(WireError) -> UnverifiedFork {
        UnverifiedFork(
            first: try side(firstHeader, firstSignature, "fork.first_signature"),
            second: try side(secondHeader, secondSignature, "fork.second_signature"))
    }

    private func side(
        _ header: Data, _ signature: Data, _ field: String
    ) throws(WireError) -> UnverifiedFork.Side {
        guard header.count <= Limits.headerBytes else { throw .tooLong("fork.header") }
        return UnverifiedFork.Side(
            bytes: [UInt8](header),
            header: try Peersync_V1_CommitHeader(decoding: header).decoded(),
            signature: try signature.signature(field))
    }
}

extension Peersync_V1_PersonStatement {
    init(_ statement: UnverifiedPersonStatement) {
        self.init()
        self.statement = Data(statement.bytes)
        signature = Data(statement.signature)
    }
}

extension Peersync_V1_Redating {
    fileprivate init(_ redating: Redating) {
        self.init()
        device = Data(redating.device.bytes)
        from = redating.span.lowerBound
        to = redating.span.upperBound
        offset = redating.offsetMilliseconds
    }

    /// A span that ends before it begins is an error.
    fileprivate func decoded() throws(WireError) -> Redating {
        guard from <= to else { throw .contradiction("redating.to") }
        return Redating(
            device: try device.identifier("redating.device"), span: from...to,
            offsetMilliseconds: offset)
    }
}

extension Peersync_V1_RightsRequest {
    fileprivate init(_ request: RightsRequest) {
        self.init()
        person = Data(request.person.bytes)
        flags = request.flags.rawValue
    }

    fileprivate func decoded() throws(WireError) -> RightsRequest {
        RightsRequest(
            person: try person.identifier("rights_request.person"),
            flags: Permissions(rawValue: flags))
    }
}
