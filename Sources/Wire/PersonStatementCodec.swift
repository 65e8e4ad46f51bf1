internal import FoundationEssentials
internal import SwiftProtobuf
package import SyncCore

/// What a person key signs, label ``Label/personStatement`` <-> bytes.
package struct PersonStatementCodec: Sendable {
    package init() {}

    /// The bytes to sign.
    package func encode(
        space: SpaceID, personKey: Bytes32, key: Bytes32? = nil,
        body: UnverifiedPersonStatement.Body
    ) -> [UInt8] {
        var statement = Peersync_V1_PersonStatementBody()
        statement.spaceID = Data(space.bytes)
        statement.personKey = Data(personKey.bytes)
        if let key { statement.key = Data(key.bytes) }
        switch body {
        case .grant(let grant): statement.grant = Peersync_V1_Grant(grant)
        case .revocation(let revocation): statement.revocation = Peersync_V1_Revocation(revocation)
        }
        return statement.serialized
    }

    /// Nil for a kind of statement that this version does not know.
    package func decode(
        _ bytes: [UInt8], signature: [UInt8]
    ) throws(WireError) -> UnverifiedPersonStatement? {
        guard signature.count == Limits.signatureBytes else {
            throw .wrongLength("person_statement.signature")
        }
        let statement = try Peersync_V1_PersonStatementBody(decoding: bytes)
        let space: SpaceID = try statement.spaceID.identifier("person_statement_body.space_id")
        let personKey = try statement.personKey.bytes32("person_statement_body.person_key")
        let key =
            statement.hasKey ? try statement.key.bytes32("person_statement_body.key") : nil
        guard let body = try statement.decodedFact() else { return nil }
        return UnverifiedPersonStatement(
            bytes: bytes, space: space, personKey: personKey, key: key, body: body,
            signature: signature)
    }
}

extension Peersync_V1_PersonStatementBody {
    fileprivate func decodedFact() throws(WireError) -> UnverifiedPersonStatement.Body? {
        switch fact {
        case .grant(let grant): .grant(try grant.decoded())
        case .revocation(let revocation): .revocation(try revocation.decoded())
        case nil: nil
        }
    }
}
