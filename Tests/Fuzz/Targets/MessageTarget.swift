import SyncCore
import Wire

extension FuzzTarget {
    /// A message of a session, as it stands in a frame.
    static let message = FuzzTarget("message", longestInput: 16_384) { input in
        let codec = MessageCodec()
        guard let message = try? codec.decode(input) else { return }
        let encoded = codec.encode(message)
        let again = try codec.decode(encoded)
        try require(again == message, "a message comes back as it was sent")
        try require(codec.encode(again) == encoded, "a message has one encoding")
        try checkLimits(of: message)
    }

    /// A message of pairing, as it stands in a frame.
    static let pairing = FuzzTarget("pairing", longestInput: 16_384) { input in
        let codec = PairingCodec()
        guard let message = try? codec.decode(input) else { return }
        let encoded = codec.encode(message)
        let again = try codec.decode(encoded)
        try require(again == message, "a message comes back as it was sent")
        try require(codec.encode(again) == encoded, "a message has one encoding")
        if case .introduction(let introduction) = message {
            try require(
                introduction.personName.utf8.count <= Limits.nameBytes
                    && introduction.deviceName.utf8.count <= Limits.nameBytes,
                "a name is within its limit")
        }
    }

    private static func checkLimits(of message: PeerMessage) throws {
        switch message {
        case .hello(let hello):
            try require(hello.features.count <= Limits.features, "features are bounded")
            try require(hello.agentVersion.utf8.count <= Limits.nameBytes, "a version is short")
            try require(hello.card.links.count <= Limits.cardLinks, "links are bounded")
        case .spaces(let spaces, _):
            try require(spaces.count <= Limits.listEntries, "spaces are bounded")
        case .watermark(_, let watermark, let forks, _):
            try require(
                watermark.positions.allSatisfy { (1...Limits.sequence).contains($0.head.sequence) },
                "sequences are in range")
            try require(
                forks.points.count <= Limits.listEntries
                    && forks.again.count <= Limits.listEntries
                    && forks.points.allSatisfy {
                        $0.tips.count <= Limits.listedTips
                            && (1...Limits.sequence).contains($0.sequence)
                    } && forks.again.allSatisfy { $0.after <= Limits.sequence },
                "forks are bounded")
        case .fork(_, let fork):
            try require(
                [fork.first, fork.second].allSatisfy { $0.bytes.count <= Limits.headerBytes },
                "headers are bounded")
        case .commits(_, let commits, _):
            for commit in commits {
                try require(commit.encoded.byteCount <= Limits.commitBytes, "commits are bounded")
                try require(commit.id == commit.encoded.id, "a commit's id is of its header")
            }
        case .want(let want):
            try require(
                Int(want.firstChunk) <= Limits.chunksPerBlob
                    && Int(want.chunkCount) <= Limits.chunksPerBlob, "chunks are bounded")
        case .have(let have):
            try require(have.length <= Limits.blobBytes, "a blob's length is bounded")
        case .ackDifference(let difference):
            try require(difference.changes.count <= Limits.listEntries, "changes are bounded")
        case .heard(let heard):
            try require(heard.entries.count <= Limits.heardEntries, "entries are bounded")
        case .reach(let added, let removed):
            try require(
                max(added.count, removed.count) <= Limits.reachedDevices, "reach is bounded")
        default: break
        }
    }
}
