import SyncCore
import Wire

extension RandomValues {
    /// A chain as it looks, its signatures being random bytes.
    mutating func card() -> UnverifiedCard {
        let links = (0...below(4)).map { _ in link(endorsement: bytes(64)) }
        let successions = list(3) { KeySuccession(key: $0.hash(), signature: $0.bytes(64)) }
        return UnverifiedCard(
            links: links, successions: successions,
            encoded: CardCodec().encode(links: links, successions: successions))
    }

    mutating func link(endorsement: [UInt8]) -> CardLink {
        let content = CardContent(signingKey: hash(), agreementKey: hash(), personKey: hash())
        return CardLink(
            encoded: CardCodec().encode(content), content: content, selfSignature: bytes(64),
            endorsement: endorsement)
    }

    mutating func watermark() -> Watermark { Watermark(list(5) { $0.position() }) }
    mutating func permissions() -> Permissions { Permissions(rawValue: index()) }

    mutating func grant() -> UnverifiedGrant {
        UnverifiedGrant(
            card: card(), parent: reference(), flags: permissions(), siblingIndex: index(),
            precedence: index())
    }

    mutating func revocation() -> Revocation {
        let cascades: [Revocation.Cascade] = [.none, .samePerson, .all]
        return Revocation(
            grant: reference(), remaining: permissions(), cut: watermark(),
            scope: flag() ? .device : .person, cascade: cascades[below(3)])
    }

    mutating func fact() -> UnverifiedFact {
        switch below(9) {
        case 8: return .keyExchange(UnverifiedKeyExchange(random: &self))
        case 0: return .grant(grant())
        case 1: return .revocation(revocation())
        case 2:
            return .epoch(
                EpochFact(
                    recipient: text(),
                    keys: list(3) { values in
                        WrappedKey(
                            device: DeviceID(values.hash()), ageFile: values.bytes(values.below(9)))
                    },
                    covers: list(3) { $0.reference() },
                    addedTo: list(3) { CommitID($0.hash()) }, isFromNow: flag()))
        case 3: return .fork(fork())
        case 4: return .personStatement(statement())
        case 5:
            let (one, other) = (number(), number())
            return .redating(
                Redating(
                    device: DeviceID(hash()), span: min(one, other)...max(one, other),
                    offsetMilliseconds: Int64(bitPattern: number())))
        case 6:
            return .request(
                RightsRequest(
                    person: PersonID(hash()),
                    flags: Permissions(rawValue: UInt32(truncatingIfNeeded: number()))))
        default: return .unknown
        }
    }

    mutating func fork() -> UnverifiedFork {
        UnverifiedFork(first: side(), second: side())
    }

    private mutating func side() -> UnverifiedFork.Side {
        let header = header()
        return UnverifiedFork.Side(
            bytes: CommitCodec().encodeHeader(header), header: header, signature: bytes(64))
    }

    mutating func statement() -> UnverifiedPersonStatement {
        let body: UnverifiedPersonStatement.Body =
            flag() ? .grant(grant()) : .revocation(revocation())
        let space = SpaceID(hash())
        let (personKey, key) = (hash(), maybe { $0.hash() })
        return UnverifiedPersonStatement(
            bytes: PersonStatementCodec().encode(
                space: space, personKey: personKey, key: key, body: body),
            space: space, personKey: personKey, key: key, body: body, signature: bytes(64))
    }

    private mutating func pin() -> SchemaPin {
        SchemaPin(
            schema: SchemaID(hash()), version: index(), document: maybe { $0.bytes($0.below(40)) })
    }

    mutating func clearPart() -> ClearPart {
        let kinds: [NamedBlobKind] = [.original, .thumbnail, .track]
        return ClearPart(
            genesis: maybe { values in
                Genesis(
                    nonce: values.hash(), founder: values.card(),
                    role: values.flag() ? .shared : .home, schema: values.pin())
            },
            facts: list(3) { $0.fact() },
            blobs: list(3) { values in
                NamedBlob(
                    blob: BlobID(values.hash()), size: values.number(upTo: Limits.blobBytes),
                    kind: kinds[values.below(3)])
            },
            schema: maybe { $0.pin() })
    }
}

extension UnverifiedKeyExchange {
    init(random values: inout RandomValues) {
        let said = KeyExchange(
            personKey: values.hash(), oldKey: values.hash(), newKey: values.hash(),
            upholds: values.list(3) { StatementID($0.hash()) },
            keeps: values.list(3) { DeviceID($0.hash()) })
        self.init(
            said, bytes: KeyExchangeCodec().encode(said), oldSignature: values.bytes(64),
            newSignature: values.bytes(64))
    }
}
