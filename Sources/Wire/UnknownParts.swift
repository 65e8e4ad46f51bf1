internal import SwiftProtobuf

/// What a commit says and this program does not know: it is kept and passed on as bytes, and people
/// are told that a newer program understands more of it.
extension Message {
    var hasUnknownFields: Bool { !unknownFields.data.isEmpty }
}

extension Peersync_V1_ClearPart {
    var hasUnknownParts: Bool {
        hasUnknownFields || facts.contains(where: \.hasUnknownParts)
            || blobs.contains { $0.hasUnknownFields || $0.kind.isUnknown }
            || hasGenesis && (genesis.hasUnknownFields || genesis.schema.hasUnknownFields)
            || hasSchema && schema.hasUnknownFields
    }
}

extension Peersync_V1_BlobKind {
    fileprivate var isUnknown: Bool { if case .UNRECOGNIZED = self { true } else { false } }
}

extension Peersync_V1_Fact {
    /// A fact of a kind that is not known has nothing but unknown fields.
    fileprivate var hasUnknownParts: Bool {
        if hasUnknownFields { return true }
        return switch fact {
        case .grant(let grant): grant.hasUnknownFields
        case .revocation(let revocation): revocation.hasUnknownFields
        case .epoch(let epoch): epoch.hasUnknownFields
        case .fork(let fork): fork.hasUnknownFields
        case .personStatement(let statement): statement.hasUnknownParts
        case .redating(let redating): redating.hasUnknownFields
        case .request(let request): request.hasUnknownFields
        case .keyExchange(let exchange): exchange.hasUnknownParts
        case nil: false
        }
    }
}

extension Peersync_V1_PersonStatement {
    fileprivate var hasUnknownParts: Bool {
        let body = try? Peersync_V1_PersonStatementBody(decoding: [UInt8](statement))
        return hasUnknownFields || body?.hasUnknownFields ?? false
    }
}

extension Peersync_V1_KeyExchange {
    fileprivate var hasUnknownParts: Bool {
        let body = try? Peersync_V1_KeyExchangeBody(decoding: [UInt8](exchange))
        return hasUnknownFields || body?.hasUnknownFields ?? false
    }
}

extension Peersync_V1_Operations {
    var hasUnknownParts: Bool {
        hasUnknownFields
            || records.contains { record in
                record.hasUnknownFields || record.writes.contains(where: \.hasUnknownParts)
            }
    }
}

extension Peersync_V1_Write {
    /// A value of a kind that is not known has nothing but unknown fields.
    fileprivate var hasUnknownParts: Bool {
        hasUnknownFields || value.hasUnknownFields || hasElement && element.hasUnknownFields
            || hasReplaces && replaces.hasUnknownFields
    }
}
