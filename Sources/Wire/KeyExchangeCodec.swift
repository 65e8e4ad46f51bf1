internal import FoundationEssentials
internal import SwiftProtobuf
package import SyncCore

/// What both keys sign when a person exchanges theirs, label ``Label/keyExchange`` -> bytes.
package struct KeyExchangeCodec: Sendable {
    package init() {}

    /// The bytes to sign.
    package func encode(_ said: KeyExchange) -> [UInt8] {
        var body = Peersync_V1_KeyExchangeBody()
        body.personKey = Data(said.personKey.bytes)
        body.oldKey = Data(said.oldKey.bytes)
        body.newKey = Data(said.newKey.bytes)
        body.upholds = said.upholds.map { Data($0.bytes) }
        body.keeps = said.keeps.map { Data($0.bytes) }
        return body.serialized
    }
}

extension Peersync_V1_KeyExchange {
    init(_ exchange: UnverifiedKeyExchange) {
        self.init()
        self.exchange = Data(exchange.bytes)
        oldSignature = Data(exchange.oldSignature)
        newSignature = Data(exchange.newSignature)
    }

    func decoded() throws(WireError) -> UnverifiedKeyExchange {
        let body = try Peersync_V1_KeyExchangeBody(decoding: [UInt8](exchange))
        let upholds = try body.upholds.atMost(
            Limits.upheldStatements, "key_exchange_body.upholds")
        let keeps = try body.keeps.atMost(Limits.lossNames, "key_exchange_body.keeps")
        let said = KeyExchange(
            personKey: try body.personKey.bytes32("key_exchange_body.person_key"),
            oldKey: try body.oldKey.bytes32("key_exchange_body.old_key"),
            newKey: try body.newKey.bytes32("key_exchange_body.new_key"),
            upholds: try upholds.map { id throws(WireError) in
                try id.identifier("key_exchange_body.upholds")
            },
            keeps: try keeps.map { id throws(WireError) in
                try id.identifier("key_exchange_body.keeps")
            })
        return UnverifiedKeyExchange(
            said, bytes: [UInt8](exchange),
            oldSignature: try oldSignature.signature("key_exchange.old_signature"),
            newSignature: try newSignature.signature("key_exchange.new_signature"))
    }
}
