internal import FoundationEssentials
internal import SyncCore

/// Messages about rights, which the exchange of commits does not wait for.
extension Peersync_V1_Message {
    mutating func setRights(_ message: PeerMessage) {
        switch message {
        case .taken(let space, let commits): taken = Peersync_V1_Taken(space, commits)
        case .recoveryRequest(let signature):
            recoveryRequest = Peersync_V1_RecoveryRequest(signature)
        case .recoveryOffers(let offers): recoveryOffers = Peersync_V1_RecoveryOffers(offers)
        case .recoveryStatements(let statements):
            recoveryStatements = Peersync_V1_RecoveryStatements(statements)
        case .lossSum(let sum): lossStatements = Peersync_V1_LossStatements(sum: sum)
        case .lossStatements(let statements, let answer):
            lossStatements = Peersync_V1_LossStatements(statements, answer: answer)
        default: break
        }
    }
}

extension Peersync_V1_Message.OneOf_Message {
    /// Nil for a message that is about something else.
    func decodedRights() throws(WireError) -> PeerMessage? {
        switch self {
        case .taken(let taken): try taken.decoded()
        case .recoveryRequest(let request): try request.decoded()
        case .recoveryOffers(let offers): try offers.decoded()
        case .recoveryStatements(let statements): try statements.decoded()
        case .lossStatements(let statements): try statements.decoded()
        default: nil
        }
    }
}

extension Peersync_V1_Taken {
    fileprivate init(_ space: SpaceID, _ commits: [UnverifiedCommit]) {
        self.init()
        spaceID = Data(space.bytes)
        self.commits = commits.map { Peersync_V1_Commit($0.encoded) }
    }

    fileprivate func decoded() throws(WireError) -> PeerMessage {
        let decoded = try commits.atMost(Limits.takenCommits, "taken.commits").map {
            commit throws(WireError) in try CommitCodec().decode(try commit.decoded())
        }
        return .taken(try spaceID.identifier("taken.space_id"), decoded)
    }
}

extension Peersync_V1_RecoveryRequest {
    fileprivate init(_ signature: [UInt8]) {
        self.init()
        self.signature = Data(signature)
    }

    fileprivate func decoded() throws(WireError) -> PeerMessage {
        guard signature.count == Limits.signatureBytes else {
            throw .wrongLength("recovery_request.signature")
        }
        return .recoveryRequest([UInt8](signature))
    }
}

extension Peersync_V1_RecoveryOffers {
    fileprivate init(_ offers: [RecoveryOffer]) {
        self.init()
        spaces = offers.map(Peersync_V1_RecoveryOffer.init)
    }

    fileprivate func decoded() throws(WireError) -> PeerMessage {
        .recoveryOffers(
            try spaces.atMost(Limits.recoveredSpaces, "recovery_offers.spaces").map {
                offer throws(WireError) in try offer.decoded()
            })
    }
}

extension Peersync_V1_RecoveryOffer {
    fileprivate init(_ offer: RecoveryOffer) {
        self.init()
        spaceID = Data(offer.space.bytes)
        parent = Peersync_V1_FactReference(offer.parent)
        flags = offer.flags.rawValue
        precedence = offer.precedence
        title = offer.title.clipped(to: Limits.nameBytes)
    }

    fileprivate func decoded() throws(WireError) -> RecoveryOffer {
        guard hasParent else { throw .missing("recovery_offer.parent") }
        return RecoveryOffer(
            space: try spaceID.identifier("recovery_offer.space_id"),
            parent: try parent.decoded(), flags: Permissions(rawValue: flags),
            precedence: precedence,
            title: try title.atMost(Limits.nameBytes, "recovery_offer.title"))
    }
}

extension Peersync_V1_RecoveryStatements {
    fileprivate init(_ statements: [UnverifiedPersonStatement]) {
        self.init()
        self.statements = statements.map(Peersync_V1_PersonStatement.init)
    }

    /// Leaves out what this version does not know.
    fileprivate func decoded() throws(WireError) -> PeerMessage {
        var decoded: [UnverifiedPersonStatement] = []
        let all = try statements.atMost(
            Limits.recoveredSpaces, "recovery_statements.statements")
        for statement in all {
            let known = try PersonStatementCodec().decode(
                [UInt8](statement.statement), signature: [UInt8](statement.signature))
            if let known { decoded.append(known) }
        }
        return .recoveryStatements(decoded)
    }
}
