import SyncCore
import TestKit
import Wire

extension RandomValues {
    mutating func message() -> PeerMessage {
        switch below(20) {
        case 0: .hello(hello())
        case 1: .spaces(list(3) { $0.summary() }, answer: flag())
        case 2:
            .watermark(SpaceID(hash()), watermark(), forks: forkReport(), answer: flag())
        case 3: .ack(ack())
        case 4: .holdings(holdings())
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
        case 10: .decline(SpaceID(hash()))
        case 11: .fork(SpaceID(hash()), fork())
        case 12: .ackDifference(ackDifference())
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

    private mutating func ackDifference() -> AckDifference {
        AckDifference(
            space: SpaceID(hash()), device: maybe { DeviceID($0.hash()) }, base: number(),
            counter: number(),
            changes: list(4) { values in
                let position = values.position()
                return AckDifference.Change(
                    subject: values.flag() ? .place(values.below(100)) : .log(position.log),
                    head: values.maybe { _ in position.head })
            }, signature: bytes(64))
    }

    private mutating func forkPoint() -> ForkPoint {
        let position = position()
        return ForkPoint(
            log: position.log, sequence: position.head.sequence,
            tips: list(3) { CommitID($0.hash()) })
    }

    private mutating func forkReport() -> ForkReport {
        ForkReport(
            points: list(3) { $0.forkPoint() }, again: list(3) { $0.logAgain() },
            branchesAfter: maybe { $0.position().branchPlace },
            later: list(3) { $0.position().log },
            wanted: list(3) { $0.position().branchPlace })
    }

    private mutating func logAgain() -> LogAgain {
        LogAgain(log: position().log, after: number(upTo: Limits.sequence))
    }

    private mutating func chunk() -> UInt32 {
        UInt32(number(upTo: UInt64(Limits.chunksPerBlob)))
    }

    private mutating func hello() -> Hello {
        let lowest = 1 + UInt32(below(1_000))
        return Hello(
            versions: lowest...(lowest + UInt32(below(3))), card: card(), agentVersion: text(),
            features: list(3) { $0.text(6) }, wallClock: Milliseconds(number(upTo: 1 << 40)),
            purpose: flag() ? .session : .bulk,
            listeningPort: UInt16(truncatingIfNeeded: generator.next()))
    }

    private mutating func summary() -> SpaceSummary {
        SpaceSummary(
            space: SpaceID(hash()), digest: hash(),
            offer: maybe { values in
                Offer(
                    title: values.text(), from: values.text(), flags: values.permissions(),
                    bytes: values.number(), schema: values.text())
            }, proof: maybe { $0.hash() }, statements: maybe { $0.generator.next() })
    }

    private mutating func ack() -> UnverifiedAck {
        let ack = Ack(
            space: SpaceID(hash()), device: DeviceID(hash()), counter: number(),
            watermark: watermark())
        return UnverifiedAck(ack, bytes: AckCodec().encode(ack), signature: bytes(64))
    }

    private mutating func holdings() -> UnverifiedHoldings {
        let missing = list(3) { BlobID($0.hash()) }
        let holdings = Holdings(
            space: SpaceID(hash()), device: DeviceID(hash()), counter: number(), held: number(),
            missing: missing, missingCount: max(UInt64(missing.count), number()),
            missingBytes: number())
        return UnverifiedHoldings(
            holdings, bytes: HoldingsCodec().encode(holdings), signature: bytes(64))
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
