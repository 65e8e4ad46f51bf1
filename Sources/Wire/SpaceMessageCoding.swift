internal import FoundationEssentials
internal import SwiftProtobuf
internal import SyncCore

/// The messages by which two devices find out what one has and the other lacks.
extension Peersync_V1_Spaces {
    init(_ spaces: [SpaceSummary], answer: Bool) {
        self.init()
        self.spaces = spaces.map(Peersync_V1_SpaceSummary.init)
        self.answer = answer
    }

    func decoded() throws(WireError) -> PeerMessage {
        let summaries = try spaces.atMost(Limits.listEntries, "spaces.spaces").map {
            summary throws(WireError) in try summary.decoded()
        }
        return .spaces(summaries, answer: answer)
    }
}

extension Peersync_V1_SpaceSummary {
    fileprivate init(_ summary: SpaceSummary) {
        self.init()
        spaceID = Data(summary.space.bytes)
        digest = Data(summary.digest.bytes)
        if let offer = summary.offer {
            self.offer = Peersync_V1_Offer(offer)
        }
    }

    fileprivate func decoded() throws(WireError) -> SpaceSummary {
        SpaceSummary(
            space: try spaceID.identifier("space_summary.space_id"),
            digest: try digest.bytes32("space_summary.digest"),
            offer: hasOffer ? try offer.decoded() : nil)
    }
}

extension Peersync_V1_Offer {
    fileprivate init(_ offer: Offer) {
        self.init()
        title = offer.title.clipped(to: Limits.nameBytes)
        from = offer.from.clipped(to: Limits.nameBytes)
        flags = offer.flags.rawValue
        bytes = offer.bytes
    }

    fileprivate func decoded() throws(WireError) -> Offer {
        Offer(
            title: try title.atMost(Limits.nameBytes, "offer.title"),
            from: try from.atMost(Limits.nameBytes, "offer.from"),
            flags: Permissions(rawValue: flags),
            bytes: try bytes.storable("offer.bytes"))
    }
}

extension Peersync_V1_Watermark {
    init(_ space: SpaceID, _ watermark: Watermark, answer: Bool) {
        self.init()
        spaceID = Data(space.bytes)
        positions = Array(watermark.positions)
        self.answer = answer
    }

    func decoded() throws(WireError) -> PeerMessage {
        .watermark(
            try spaceID.identifier("watermark.space_id"),
            Watermark(try positions.decoded("watermark.positions")), answer: answer)
    }
}

extension Peersync_V1_Commits {
    init(_ space: SpaceID, _ commits: [UnverifiedCommit], live: Bool) {
        self.init()
        spaceID = Data(space.bytes)
        self.commits = commits.map { Peersync_V1_Commit($0.encoded) }
        self.live = live
    }

    func decoded() throws(WireError) -> PeerMessage {
        let space: SpaceID = try spaceID.identifier("commits.space_id")
        let decoded = try commits.atMost(Limits.listEntries, "commits.commits").map {
            commit throws(WireError) in try CommitCodec().decode(try commit.decoded())
        }
        return .commits(space, decoded, live: live)
    }
}

extension Peersync_V1_Commit {
    fileprivate init(_ commit: EncodedCommit) {
        self.init()
        header = Data(commit.header)
        signature = Data(commit.signature)
        clear = Data(commit.clear)
        operations = Data(commit.operations)
    }

    /// Takes the parts as they came. This version stores whole commits only, so both have to be here;
    /// a part without content is present and empty.
    fileprivate func decoded() throws(WireError) -> EncodedCommit {
        guard hasClear else { throw .missing("commit.clear") }
        guard hasOperations else { throw .missing("commit.operations") }
        return EncodedCommit(
            header: [UInt8](header), signature: try signature.signature("commit.signature"),
            clear: [UInt8](clear), operations: [UInt8](operations))
    }
}

extension Peersync_V1_SignedAck {
    init(_ ack: UnverifiedAck) {
        self.init()
        self.ack = Data(ack.bytes)
        signature = Data(ack.signature)
    }

    func decoded() throws(WireError) -> UnverifiedAck {
        try AckCodec().decode([UInt8](ack), signature: [UInt8](signature))
    }
}
