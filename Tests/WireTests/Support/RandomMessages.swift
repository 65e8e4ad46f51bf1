import SyncCore
import TestKit
import Wire

extension RandomValues {
    mutating func message() -> PeerMessage {
        switch below(20) {
        case 0: .hello(Hello(random: &self))
        case 1: .spaces(list(3) { SpaceSummary(random: &$0) }, answer: flag())
        case 2:
            .watermark(
                SpaceID(hash()), watermark(), forks: ForkReport(random: &self), answer: flag())
        case 3: .ack(UnverifiedAck(random: &self))
        case 4: .holdings(UnverifiedHoldings(random: &self))
        case 5:
            .want(
                Want(
                    request: index(), space: SpaceID(hash()), blob: BlobID(hash()), list: flag(),
                    firstChunk: chunk(), chunkCount: chunk()))
        case 6:
            .have(
                Have(
                    request: index(), held: flag(), length: number(upTo: Limits.blobBytes),
                    chunkHashes: list(4) { $0.hash() }))
        case 7: .ping(token: generator.next())
        case 8: .pong(token: generator.next())
        case 9:
            .bye(
                [.shutdown, .duplicate, .notTrusted, .version, .misbehaved, .syncOff, .silent][
                    below(7)])
        case 10: .decline(SpaceID(hash()), grants: GrantCount(index()))
        case 11: .fork(SpaceID(hash()), fork())
        case 12: .ackDifference(AckDifference(random: &self))
        case 13: .ackWanted(SpaceID(hash()), DeviceID(hash()))
        case 14:
            .heard(
                Heard(
                    space: SpaceID(hash()), after: maybe { DeviceID($0.hash()) },
                    through: maybe { DeviceID($0.hash()) },
                    entries: list(3) {
                        .init(
                            device: DeviceID($0.hash()), ack: $0.number(), holdings: $0.number())
                    }, answer: flag()))
        case 15:
            .reach(
                added: list(3) { DeviceID($0.hash()) }, removed: list(3) { DeviceID($0.hash()) })
        case 16:
            .comparison(
                Comparison(digest: hash(), statements: generator.next(), answer: flag()))
        case 17: .condition(Condition(isDiskFull: flag()))
        case 18: messageOfRights()
        case 19: .branchHeaders(SpaceID(hash()), list(3) { $0.fork().first.alone })
        default: .unknown
        }
    }

    private mutating func messageOfRights() -> PeerMessage {
        switch below(6) {
        case 0: .taken(SpaceID(hash()), [])
        case 1: .recoveryRequest(bytes(64))
        case 2:
            .recoveryOffers(
                list(3) { values in
                    RecoveryOffer(
                        space: SpaceID(values.hash()), parent: values.grant().parent,
                        flags: Permissions(rawValue: UInt32(values.below(16))), precedence: 1,
                        title: "title")
                })
        case 3: .recoveryStatements(list(2) { $0.statement() })
        case 4: .lossSum(hash())
        default: .lossStatements(list(3) { UnverifiedLossStatement(random: &$0) }, answer: flag())
        }
    }

    private mutating func chunk() -> UInt32 {
        UInt32(number(upTo: UInt64(Limits.chunksPerBlob)))
    }

    mutating func pairingMessage() -> PairingMessage {
        switch below(9) {
        case 0: .hello(nameplate: text(4), mine: flag())
        case 1: .shareA(pairingID: short(), share: bytes(65))
        case 2: .shareB(share: bytes(65), confirmation: hash())
        case 3: .confirmationA(hash())
        case 4:
            .introduction(
                PairingIntroduction(
                    card: maybe { $0.card() }, request: maybe { $0.link(endorsement: []) },
                    personName: text(), deviceName: text(),
                    listeningPort: UInt16(truncatingIfNeeded: generator.next())))
        case 5: .decision(accepted: flag())
        case 6:
            .endorsement(
                PairingEndorsement(
                    card: card(), homeSpace: SpaceID(hash()), personName: text()))
        case 7: .stored
        default: .refusal([.closed, .wrongCode, .expired, .declined, .busy, .misbehaved][below(6)])
        }
    }
}

extension AckDifference {
    fileprivate init(random values: inout RandomValues) {
        self.init(
            space: SpaceID(values.hash()), device: values.maybe { DeviceID($0.hash()) },
            base: values.number(), counter: values.number(),
            changes: values.list(4) { values in
                let position = values.position()
                return AckDifference.Change(
                    subject: values.flag() ? .place(values.below(100)) : .log(position.log),
                    head: values.maybe { _ in position.head })
            }, signature: values.bytes(64))
    }
}

extension ForkPoint {
    fileprivate init(random values: inout RandomValues) {
        let position = values.position()
        self.init(
            log: position.log, sequence: position.head.sequence,
            tips: values.list(3) { CommitID($0.hash()) })
    }
}

extension ForkReport {
    fileprivate init(random values: inout RandomValues) {
        self.init(
            points: values.list(3) { ForkPoint(random: &$0) },
            again: values.list(3) { LogAgain(random: &$0) },
            branchesAfter: values.maybe { $0.position().branchPlace },
            later: values.list(3) { $0.position().log },
            wanted: values.list(3) { $0.position().branchPlace })
    }
}

extension LogAgain {
    fileprivate init(random values: inout RandomValues) {
        self.init(log: values.position().log, after: values.number(upTo: Limits.sequence))
    }
}

extension Hello {
    fileprivate init(random values: inout RandomValues) {
        let lowest = 1 + UInt32(values.below(1_000))
        self.init(
            versions: lowest...(lowest + UInt32(values.below(3))), card: values.card(),
            agentVersion: values.text(), features: values.list(3) { $0.text(6) },
            wallClock: Milliseconds(values.number(upTo: 1 << 40)),
            purpose: values.flag() ? .session : .bulk,
            listeningPort: UInt16(truncatingIfNeeded: values.generator.next()))
    }
}

extension SpaceSummary {
    fileprivate init(random values: inout RandomValues) {
        self.init(
            space: SpaceID(values.hash()), digest: values.hash(),
            offer: values.maybe { values in
                Offer(
                    title: values.text(), from: values.text(), flags: values.permissions(),
                    bytes: values.number(), schema: values.text(),
                    grants: GrantCount(UInt32(values.below(9))),
                    founding: values.maybe {
                        FoundingProof(header: $0.bytes(200), signature: $0.bytes(64))
                    })
            }, proof: values.maybe { $0.hash() }, statements: values.maybe { $0.generator.next() })
    }
}

extension UnverifiedAck {
    fileprivate init(random values: inout RandomValues) {
        let ack = Ack(
            space: SpaceID(values.hash()), device: DeviceID(values.hash()),
            counter: values.number(), watermark: values.watermark())
        self.init(ack, bytes: AckCodec().encode(ack), signature: values.bytes(64))
    }
}

extension UnverifiedHoldings {
    fileprivate init(random values: inout RandomValues) {
        let missing = values.list(3) { BlobID($0.hash()) }
        let holdings = Holdings(
            space: SpaceID(values.hash()), device: DeviceID(values.hash()),
            counter: values.number(), held: values.number(), missing: missing,
            missingCount: max(UInt64(missing.count), values.number()),
            missingBytes: values.number())
        self.init(holdings, bytes: HoldingsCodec().encode(holdings), signature: values.bytes(64))
    }
}

extension UnverifiedLossStatement {
    fileprivate init(random values: inout RandomValues) {
        let subject: LossStatement.Subject =
            values.below(5) == 0
            ? .exchanged(UnverifiedKeyExchange(random: &values))
            : values.flag()
                ? .lost(
                    DeviceID(values.hash()), upholds: values.list(2) { LossID($0.hash()) },
                    keeps: values.list(2) { DeviceID($0.hash()) })
                : .found(values.list(3) { LossID($0.hash()) })
        let said = LossStatement(
            personKey: values.hash(), key: values.maybe { $0.hash() },
            signer: values.flag() ? DeviceID(values.hash()) : nil,
            nonce: Bytes16(values.bytes(16)) ?? .zero, subject: subject)
        self.init(
            said, bytes: LossStatementCodec().encode(said), signature: values.bytes(64), cards: [])
    }
}

extension LogPosition {
    fileprivate var branchPlace: BranchPlace {
        BranchPlace(log: log, sequence: head.sequence, commit: head.commit)
    }
}

extension UnverifiedFork.Side {
    fileprivate var alone: UnverifiedHeader { UnverifiedHeader(bytes: bytes, header: header) }
}
