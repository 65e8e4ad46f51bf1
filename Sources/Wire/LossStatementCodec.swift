internal import FoundationEssentials
internal import SwiftProtobuf
package import SyncCore

/// What devices and keys of persons say of lost devices <-> bytes.
package struct LossStatementCodec: Sendable {
    package init() {}

    /// The bytes to sign.
    package func encode(_ said: LossStatement) -> [UInt8] {
        var body = Peersync_V1_LossStatementBody()
        body.personKey = Data(said.personKey.bytes)
        body.signer = Data(said.signer?.bytes ?? [])
        body.nonce = Data(said.nonce.bytes)
        switch said.subject {
        case .lost(let device, let upholds, let keeps):
            body.lost.device = Data(device.bytes)
            body.lost.upholds = upholds.map { Data($0.bytes) }
            body.lost.keeps = keeps.map { Data($0.bytes) }
        case .found(let statements): body.found.lost = statements.map { Data($0.bytes) }
        case .exchanged(let exchange): body.exchange = Peersync_V1_KeyExchange(exchange)
        }
        if let key = said.key { body.key = Data(key.bytes) }
        return body.serialized
    }

    /// With signature and cards, as it is kept.
    package func encode(whole statement: UnverifiedLossStatement) -> [UInt8] {
        Peersync_V1_LossStatement(statement).serialized
    }

    /// Nil for a kind of statement that this version does not know.
    package func decode(
        whole statement: [UInt8]
    ) throws(WireError) -> UnverifiedLossStatement? {
        try Peersync_V1_LossStatement(decoding: statement).decoded()
    }
}

extension Peersync_V1_LossStatements {
    init(sum: Bytes32) {
        self.init()
        self.sum = Data(sum.bytes)
    }

    init(_ statements: [UnverifiedLossStatement], answer: Bool) {
        self.init()
        self.statements = statements.map(Peersync_V1_LossStatement.init)
        self.answer = answer
    }

    /// Leaves out what this version does not know.
    func decoded() throws(WireError) -> PeerMessage {
        if hasSum { return .lossSum(try sum.bytes32("loss_statements.sum")) }
        var decoded: [UnverifiedLossStatement] = []
        let all = try statements.atMost(
            Limits.lossStatementsAtOnce, "loss_statements.statements")
        for statement in all {
            if let known = try statement.decoded() { decoded.append(known) }
        }
        return .lossStatements(decoded, answer: answer)
    }
}

extension Peersync_V1_LossStatement {
    fileprivate init(_ statement: UnverifiedLossStatement) {
        self.init()
        self.statement = Data(statement.bytes)
        signature = Data(statement.signature)
        cards = statement.cards.map(Peersync_V1_CardChain.init)
    }

    fileprivate func decoded() throws(WireError) -> UnverifiedLossStatement? {
        let body = try Peersync_V1_LossStatementBody(decoding: [UInt8](statement))
        guard let subject = try body.decodedSubject() else { return nil }
        let signer: DeviceID? =
            body.signer.isEmpty ? nil : try body.signer.identifier("loss_statement.signer")
        let said = LossStatement(
            personKey: try body.personKey.bytes32("loss_statement.person_key"),
            key: body.hasKey ? try body.key.bytes32("loss_statement.key") : nil, signer: signer,
            nonce: try body.nonce.bytes16("loss_statement.nonce"), subject: subject)
        let cards = try cards.atMost(2, "loss_statement.cards").map {
            card throws(WireError) in try card.decoded()
        }
        return UnverifiedLossStatement(
            said, bytes: [UInt8](statement),
            signature: try signature.signature("loss_statement.signature"), cards: cards)
    }
}

extension Peersync_V1_LossStatementBody {
    fileprivate func decodedSubject() throws(WireError) -> LossStatement.Subject? {
        switch subject {
        case .lost(let lost):
            .lost(
                try lost.device.identifier("lost_device.device"),
                upholds: try identifiers(lost.upholds, "lost_device.upholds"),
                keeps: try identifiers(lost.keeps, "lost_device.keeps"))
        case .found(let found): .found(try identifiers(found.lost, "found_device.lost"))
        case .exchange(let exchange): .exchanged(try exchange.decoded())
        case nil: nil
        }
    }

    private func identifiers<Kind>(
        _ all: [Data], _ field: String
    ) throws(WireError) -> [Identifier<Kind>] {
        try all.atMost(Limits.lossNames, field).map {
            bytes throws(WireError) in try bytes.identifier(field)
        }
    }
}
