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
        if let proof = summary.proof { self.proof = Data(proof.bytes) }
        if let statements = summary.statements { self.statements = statements }
    }

    fileprivate func decoded() throws(WireError) -> SpaceSummary {
        SpaceSummary(
            space: try spaceID.identifier("space_summary.space_id"),
            digest: try digest.bytes32("space_summary.digest"),
            offer: hasOffer ? try offer.decoded() : nil,
            proof: hasProof ? try proof.bytes32("space_summary.proof") : nil,
            statements: hasStatements ? statements : nil)
    }
}

extension Peersync_V1_Offer {
    fileprivate init(_ offer: Offer) {
        self.init()
        title = offer.title.clipped(to: Limits.nameBytes)
        from = offer.from.clipped(to: Limits.nameBytes)
        flags = offer.flags.rawValue
        bytes = offer.bytes
        schema = offer.schema.clipped(to: Limits.nameBytes)
        grants = offer.grants.value
        if let proof = offer.founding, proof.header.count <= Limits.foundingHeaderBytes {
            founding.header = Data(proof.header)
            founding.signature = Data(proof.signature)
        }
    }

    fileprivate func decoded() throws(WireError) -> Offer {
        Offer(
            title: try title.atMost(Limits.nameBytes, "offer.title"),
            from: try from.atMost(Limits.nameBytes, "offer.from"),
            flags: Permissions(rawValue: flags),
            bytes: try bytes.storable("offer.bytes"),
            schema: try schema.atMost(Limits.nameBytes, "offer.schema"),
            grants: GrantCount(grants), founding: hasFounding ? try founding.decoded() : nil)
    }
}

extension Peersync_V1_FoundingProof {
    fileprivate func decoded() throws(WireError) -> FoundingProof {
        guard header.count <= Limits.foundingHeaderBytes else {
            throw .tooLong("founding_proof.header")
        }
        return FoundingProof(
            header: [UInt8](header),
            signature: try signature.signature("founding_proof.signature"))
    }
}

extension Limits {
    /// The header of a first commit, which has seen nothing: more than twice its usual size.
    package static let foundingHeaderBytes = 512
}

extension Peersync_V1_Watermark {
    init(_ space: SpaceID, _ watermark: Watermark, _ report: ForkReport, answer: Bool) {
        self.init()
        spaceID = Data(space.bytes)
        positions = Array(watermark.positions)
        forks = report.points.map(Peersync_V1_ForkPoint.init)
        again = report.again.map(Peersync_V1_LogAgain.init)
        later = report.later.map(Peersync_V1_Log.init)
        wanted = report.wanted.map(Peersync_V1_BranchPlace.init)
        if let place = report.branchesAfter {
            branchesAfter = Peersync_V1_BranchPlace(place)
        }
        self.answer = answer
    }

    func decoded() throws(WireError) -> PeerMessage {
        .watermark(
            try spaceID.identifier("watermark.space_id"),
            Watermark(try positions.decoded("watermark.positions")), forks: try decodedForks(),
            answer: answer)
    }

    private func decodedForks() throws(WireError) -> ForkReport {
        ForkReport(
            points: try forks.atMost(Limits.listEntries, "watermark.forks").map {
                point throws(WireError) in try point.decoded()
            },
            again: try again.atMost(Limits.listEntries, "watermark.again").map {
                log throws(WireError) in try log.decoded()
            }, branchesAfter: hasBranchesAfter ? try branchesAfter.decoded() : nil,
            later: try later.atMost(Limits.listEntries, "watermark.later").map {
                log throws(WireError) in try log.decoded()
            },
            wanted: try wanted.atMost(Limits.wantedBranches, "watermark.wanted").map {
                place throws(WireError) in try place.decoded()
            })
    }
}

extension Peersync_V1_BranchHeaders {
    func decoded() throws(WireError) -> PeerMessage {
        let space: SpaceID = try spaceID.identifier("branch_headers.space_id")
        let decoded = try headers.atMost(Limits.listEntries, "branch_headers.headers").map {
            header throws(WireError) in
            let bytes = [UInt8](header)
            return UnverifiedHeader(bytes: bytes, header: try CommitCodec().decodeHeader(bytes))
        }
        return .branchHeaders(space, decoded)
    }
}

extension Peersync_V1_BranchPlace {
    fileprivate init(_ place: BranchPlace) {
        self.init()
        device = Data(place.log.device.bytes)
        incarnation = Data(place.log.incarnation.bytes)
        sequence = place.sequence
        commit = Data(place.commit.bytes)
    }

    fileprivate func decoded() throws(WireError) -> BranchPlace {
        BranchPlace(
            log: LogID(
                device: try device.identifier("branch_place.device"),
                incarnation: try incarnation.bytes16("branch_place.incarnation")),
            sequence: try sequence.sequence("branch_place.sequence"),
            commit: try commit.identifier("branch_place.commit"))
    }
}

extension Peersync_V1_Log {
    fileprivate init(_ log: LogID) {
        self.init()
        device = Data(log.device.bytes)
        incarnation = Data(log.incarnation.bytes)
    }

    fileprivate func decoded() throws(WireError) -> LogID {
        LogID(
            device: try device.identifier("log.device"),
            incarnation: try incarnation.bytes16("log.incarnation"))
    }
}

extension Peersync_V1_LogAgain {
    fileprivate init(_ again: LogAgain) {
        self.init()
        device = Data(again.log.device.bytes)
        incarnation = Data(again.log.incarnation.bytes)
        after = again.after
    }

    fileprivate func decoded() throws(WireError) -> LogAgain {
        LogAgain(
            log: LogID(
                device: try device.identifier("log_again.device"),
                incarnation: try incarnation.bytes16("log_again.incarnation")),
            after: try after.atMost(Limits.sequence, "log_again.after"))
    }
}

extension Peersync_V1_ForkPoint {
    fileprivate init(_ point: ForkPoint) {
        self.init()
        device = Data(point.log.device.bytes)
        incarnation = Data(point.log.incarnation.bytes)
        sequence = point.sequence
        tips = point.tips.map { Data($0.bytes) }
    }

    fileprivate func decoded() throws(WireError) -> ForkPoint {
        ForkPoint(
            log: LogID(
                device: try device.identifier("fork_point.device"),
                incarnation: try incarnation.bytes16("fork_point.incarnation")),
            sequence: try sequence.sequence("fork_point.sequence"),
            tips: try tips.atMost(Limits.listedTips, "fork_point.tips").map {
                tip throws(WireError) in try tip.identifier("fork_point.tips")
            })
    }
}

extension Peersync_V1_ForkNotice {
    init(_ space: SpaceID, _ fork: UnverifiedFork) {
        self.init()
        spaceID = Data(space.bytes)
        self.fork = Peersync_V1_Fork(fork)
    }

    func decoded() throws(WireError) -> PeerMessage {
        guard hasFork else { throw .missing("fork_notice.fork") }
        return .fork(try spaceID.identifier("fork_notice.space_id"), try fork.decoded())
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
    init(_ commit: EncodedCommit) {
        self.init()
        header = Data(commit.header)
        signature = Data(commit.signature)
        clear = Data(commit.clear)
        operations = Data(commit.operations)
    }

    /// Takes the parts as they came. This version stores whole commits only, so both have to be here;
    /// a part without content is present and empty.
    func decoded() throws(WireError) -> EncodedCommit {
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
