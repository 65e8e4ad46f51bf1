import SyncCore
import Wire

extension Sample {
    func ack() throws -> UnverifiedAck {
        let ack = Ack(space: space, device: phone.device, counter: 12, watermark: watermark)
        let bytes = AckCodec().encode(ack)
        return UnverifiedAck(
            ack, bytes: bytes, signature: try phone.sign(.acknowledgement, bytes))
    }

    func holdings() throws -> UnverifiedHoldings {
        let holdings = Holdings(
            space: space, device: phone.device, counter: 3, held: 2_000,
            missing: [BlobID(bytes32(0xB1)), BlobID(bytes32(0xB2))], missingCount: 5_000,
            missingBytes: 9_000_000_000, unwanted: [BlobID(bytes32(0xB2))])
        let bytes = HoldingsCodec().encode(holdings)
        return UnverifiedHoldings(
            holdings, bytes: bytes, signature: try phone.sign(.holdings, bytes))
    }

    var hello: Hello {
        Hello(
            versions: 1...2, card: phoneCard, agentVersion: "1.0.0", features: ["age", "vault"],
            wallClock: Milliseconds(1_750_000_003_000), purpose: .bulk, listeningPort: 7827)
    }

    /// The phone's log has two branches, and the laptop's may have forked.
    var forks: ForkReport {
        let tips = [CommitID(bytes32(0xF1)), CommitID(bytes32(0xF2))]
        return ForkReport(
            points: [ForkPoint(log: phoneLog, sequence: 301, tips: tips)],
            again: [LogAgain(log: laptopLog, after: 236)],
            branchesAfter: BranchPlace(log: phoneLog, sequence: 302, commit: tips[0]),
            later: [laptopLog],
            wanted: [BranchPlace(log: phoneLog, sequence: 303, commit: tips[1])])
    }

    private func headers() throws -> [UnverifiedHeader] {
        [try fork().first, try fork().second].map {
            UnverifiedHeader(bytes: $0.bytes, header: $0.header)
        }
    }

    private var forkedSummary: SpaceSummary {
        SpaceSummary(
            space: space, digest: watermark.digest([phoneLog: ForkedLog(sequence: 301)]))
    }

    private var heardSummary: SpaceSummary {
        SpaceSummary(space: space, digest: watermark.digest(), statements: 0x0102_0304_0506_0708)
    }

    /// From the phone's ack without its own log to the one of `ack()`.
    private func ackDifference() throws -> AckDifference {
        let laptopHead = LogHead(sequence: 7, commit: CommitID(bytes32(0xE7)))
        return AckDifference(
            space: space, device: phone.device, base: 11, counter: 12,
            changes: [
                .init(subject: .place(0), head: laptopHead), .init(subject: .place(2), head: nil),
                .init(subject: .log(phoneLog), head: laptopHead),
            ], signature: try ack().signature)
    }

    private var heard: Heard {
        Heard(
            space: space, after: phone.device, through: laptop.device,
            entries: [.init(device: laptop.device, ack: 12, holdings: 3)], answer: false)
    }

    private var comparison: Comparison {
        Comparison(
            digest: Label.comparison.hash(space.bytes + watermark.digest().bytes), statements: 5,
            answer: true)
    }

    /// Each message of a session, by the name of its vector.
    func sessionMessages() throws -> [(name: String, message: PeerMessage)] {
        let offer = Offer(
            title: "Großglockner", from: "Anna", flags: [.read, .write], bytes: 123_456_789)
        let summaries = [
            SpaceSummary(space: space, digest: watermark.digest()),
            SpaceSummary(
                space: SpaceID(bytes32(0x21)), digest: Watermark().digest(), offer: offer,
                proof: bytes32(0x22)),
        ]
        let want = Want(
            request: 77, space: space, blob: BlobID(bytes32(0xB1)), list: true, firstChunk: 2,
            chunkCount: 3)
        let have = Have(
            request: 77, held: true, length: 4_200_000,
            chunkHashes: (1...5).map { bytes32(0xC0 + $0) })
        return [
            ("hello", .hello(hello)),
            ("spaces", .spaces(summaries, answer: true)),
            ("watermark", .watermark(space, watermark, answer: true)),
            ("watermark-forks", .watermark(space, watermark, forks: forks, answer: false)),
            ("spaces-forks", .spaces([forkedSummary], answer: false)),
            ("fork", .fork(space, try fork())),
            ("branch-headers", .branchHeaders(space, try headers())),
            ("commits", .commits(space, [genesis, try dataCommit()], live: true)),
            ("ack", .ack(try ack())),
            ("holdings", .holdings(try holdings())),
            ("want", .want(want)),
            ("have", .have(have)),
            ("ping", .ping(token: 0x0102_0304_0506_0708)),
            ("pong", .pong(token: 0x0102_0304_0506_0708)),
            ("bye", .bye(.syncOff)),
            ("decline", .decline(space)),
            ("condition", .condition(Condition(isDiskFull: true))),
            ("spaces-statements", .spaces([heardSummary], answer: true)),
            ("ack-difference", .ackDifference(try ackDifference())),
            ("ack-wanted", .ackWanted(space, phone.device)),
            ("heard", .heard(heard)),
            ("reach", .reach(added: [phone.device, laptop.device], removed: [laptop.device])),
            ("comparison", .comparison(comparison)),
        ] + (try rightsMessages())
    }

    private func rightsMessages() throws -> [(name: String, message: PeerMessage)] {
        [
            ("taken", .taken(space, [try requestCommit()])),
            (
                "recovery-request",
                .recoveryRequest(
                    try person.sign(
                        .recovery,
                        RecoveryOffer.requestBytes(by: phone.device, to: laptop.device)))
            ),
            (
                "recovery-offers",
                .recoveryOffers([
                    RecoveryOffer(
                        space: space, parent: founderGrant, flags: .all, precedence: 1,
                        title: "Großglockner")
                ])
            ),
            ("recovery-statements", .recoveryStatements([try statement(.grant(grant))])),
            ("loss-sum", .lossSum(bytes32(0x31))),
            ("loss-statements", .lossStatements(try losses(), answer: true)),
            (
                "loss-statements-exchange",
                .lossStatements(try keyExchangeLosses(), answer: false)
            ),
        ]
    }

    /// The laptop says that the phone is lost, and the person's key that it was found.
    private func losses() throws -> [UnverifiedLossStatement] {
        let codec = LossStatementCodec()
        let lost = LossStatement(
            personKey: person.signingKey, signer: laptop.device, nonce: bytes16(0x51),
            subject: .lost(
                phone.device, upholds: [LossID(bytes32(0x52))], keeps: [DeviceID(bytes32(0x53))]))
        let first = UnverifiedLossStatement(
            lost, bytes: codec.encode(lost),
            signature: try laptop.sign(.lossStatement, codec.encode(lost)),
            cards: [laptopCard, phoneCard])
        let found = LossStatement(
            personKey: person.signingKey, signer: nil, nonce: bytes16(0x54),
            subject: .found([first.id]))
        return [
            first,
            UnverifiedLossStatement(
                found, bytes: codec.encode(found),
                signature: try person.sign(.lossStatement, codec.encode(found)), cards: []),
        ]
    }

    /// Each message of pairing, by the name of its vector.
    func pairingMessages() throws -> [(name: String, message: PairingMessage)] {
        let share: [UInt8] = [4] + [UInt8](repeating: 0x5A, count: 64)
        let introduction = PairingIntroduction(
            card: laptopCard, request: nil, personName: "Anna", deviceName: "Laptop",
            listeningPort: 7827)
        let link = try Sample.link(of: phone, endorser: laptop, person: person)
        let request = CardLink(
            encoded: link.encoded, content: link.content, selfSignature: link.selfSignature,
            endorsement: [])
        let joining = PairingIntroduction(
            card: nil, request: request, personName: "", deviceName: "Phone", listeningPort: 0)
        return [
            ("hello", .hello(nameplate: "7", mine: true)),
            ("share-a", .shareA(pairingID: bytes16(0x1D), share: share)),
            ("share-b", .shareB(share: share, confirmation: bytes32(0xCB))),
            ("confirmation-a", .confirmationA(bytes32(0xCA))),
            ("introduction", .introduction(introduction)),
            ("introduction-request", .introduction(joining)),
            ("decision", .decision(accepted: true)),
            (
                "endorsement",
                .endorsement(
                    PairingEndorsement(card: phoneCard, homeSpace: space, personName: "Anna"))
            ),
            ("stored", .stored),
            ("refusal", .refusal(.busy)),
        ]
    }
}
