import Identity
import SyncCore
import Wire

/// Acks, holdings, commits and blobs with false contents.
extension Trial {
    static func reports(_ scene: Scene) -> [Trial] {
        let known = Watermark(scene.commits.map(\.position))
        let others = scene.commits.first { commit in commit.header.log.device != scene.keys.device }
        let ack = scene.signedAck(counter: 1 << 40, known)
        // Signed by this device in the name of another.
        let forged = scene.signedAck(
            counter: UInt64(Int64.max), known, by: others?.header.log.device)
        let unsigned = UnverifiedAck(
            ack.said, bytes: ack.bytes, signature: [UInt8](repeating: 0, count: 64))
        return [
            Trial("an ack for another device", .session, .tolerated, message(.ack(forged))),
            Trial("an ack with a wrong signature", .session, .tolerated, message(.ack(unsigned))),
            Trial(
                "an ack with a signature of 63 bytes", .session, .refused,
                RawBytes.frame(
                    RawBytes.field(
                        5,
                        RawBytes.field(1, ack.bytes)
                            + RawBytes.field(2, .init(repeating: 0, count: 63))))),
            Trial(
                "an ack with a counter of 2^63", .session, .refused,
                RawBytes.frame(
                    RawBytes.field(
                        5,
                        RawBytes.field(1, ack.bytes + RawBytes.field(3, varint: 1 << 63))
                            + RawBytes.field(2, ack.signature)))),
            Trial(
                "holdings that miss 2^63-1 bytes", .session, .tolerated,
                message(.holdings(scene.signedHoldings(counter: 1 << 40)))),
        ]
    }

    static func commits(_ scene: Scene) throws -> [Trial] {
        guard let real = scene.commits.last else { throw Scene.Failure(reason: "no commits") }
        let encoded = real.encoded
        func sent(
            header: [UInt8]? = nil, signature: [UInt8]? = nil, clear: [UInt8]? = nil
        ) -> [UInt8] {
            let parts =
                RawBytes.field(1, header ?? encoded.header)
                + RawBytes.field(2, signature ?? encoded.signature)
                + RawBytes.field(3, clear ?? encoded.clear)
                + RawBytes.field(4, encoded.operations)
            let space = RawBytes.field(1, scene.space.bytes)
            return RawBytes.frame(RawBytes.field(4, space + RawBytes.field(2, parts)))
        }
        let wrongSignature = encoded.signature.dropLast() + [encoded.signature[63] ^ 1]
        let hugeBlob = RawBytes.field(
            3,
            RawBytes.field(1, [UInt8](repeating: 1, count: 32))
                + RawBytes.field(2, varint: 1 << 63) + RawBytes.field(3, varint: 1))
        let foreign = SpaceID(sha256([3]))
        return [
            Trial("a commit that is known", .session, .tolerated, sent()),
            Trial(
                "a commit with a wrong signature", .session, .refused,
                sent(signature: Array(wrongSignature))),
            Trial(
                "a commit with a signature of 63 bytes", .session, .refused,
                sent(signature: Array(encoded.signature.dropLast()))),
            Trial(
                "a commit that names a blob of 2^63 bytes", .session, .refused,
                sent(clear: encoded.clear + hugeBlob)),
            Trial(
                "a commit whose header is noise", .session, .refused,
                sent(header: [UInt8](repeating: 0xA5, count: 300))),
            Trial(
                "a commit of 1 MiB and more", .session, .refused,
                sent(clear: [UInt8](repeating: 0, count: 1 << 20))),
            Trial(
                "commits that are none", .session, .refused,
                message(.commits(scene.space, [], live: true))),
            Trial(
                "commits of a foreign space", .session, .tolerated,
                message(.commits(foreign, [real], live: true))),
        ]
    }

    /// Another author's commit, relayed with one bit changed.
    static func altered(_ scene: Scene) throws -> [Trial] {
        let others = scene.commits.last {
            $0.header.log.device != scene.keys.device && !$0.encoded.operations.isEmpty
        }
        guard let real = others?.encoded else {
            throw Scene.Failure(reason: "no commits of others")
        }
        let parts = [real.header, real.signature, real.clear, real.operations]
        let names = ["header", "signature", "clear part", "operations"]
        func trial(_ what: String, _ sent: [[UInt8]]) -> Trial {
            let commit = sent.indices.flatMap { RawBytes.field(UInt64($0 + 1), sent[$0]) }
            let space = RawBytes.field(1, scene.space.bytes)
            return Trial(
                "a commit of another device with \(what)", .session, .refused,
                RawBytes.frame(RawBytes.field(4, space + RawBytes.field(2, commit))))
        }
        let changed = parts.indices.filter { !parts[$0].isEmpty }.map { place in
            var sent = parts
            sent[place][parts[place].count / 2] ^= 1
            return trial("a changed \(names[place])", sent)
        }
        // Only sealed commits must be whole: of other commits a vault has only the header.
        guard others?.header.epoch != nil else { return changed }
        return changed + [
            trial("half of its operations", cut(parts, to: real.operations.count / 2))
        ]
            + [trial("no operations", cut(parts, to: 0))]
    }

    private static func cut(_ parts: [[UInt8]], to count: Int) -> [[UInt8]] {
        var sent = parts
        sent[3] = Array(parts[3].prefix(count))
        return sent
    }

    /// Fork proofs that prove nothing.
    static func forks(_ scene: Scene) -> [Trial] {
        let sides = scene.commits.map { commit in
            UnverifiedFork.Side(
                bytes: commit.encoded.header, header: commit.header,
                signature: commit.encoded.signature)
        }
        guard let first = sides.first, let last = sides.last else { return [] }
        var forged = first
        forged.signature[0] ^= 1
        func sent(_ first: UnverifiedFork.Side, _ second: UnverifiedFork.Side) -> [UInt8] {
            // A proof about a space that was never listed would be ignored.
            message(.spaces([SpaceSummary(space: scene.space, digest: .zero)], answer: true))
                + message(.fork(scene.space, UnverifiedFork(first: first, second: second)))
        }
        return [
            Trial("a fork of a commit with itself", .session, .refused, sent(first, first)),
            Trial("a fork of two positions", .session, .refused, sent(first, last)),
            Trial("a fork with a wrong signature", .session, .refused, sent(first, forged)),
        ]
    }

    static func blobs(_ scene: Scene) -> [Trial] {
        func want(_ space: SpaceID, first: UInt64 = 0, count: UInt64 = 1) -> [UInt8] {
            let ids = RawBytes.field(2, space.bytes) + RawBytes.field(3, sha256([9]).bytes)
            return RawBytes.frame(
                RawBytes.field(
                    7,
                    RawBytes.field(1, varint: 5) + ids + RawBytes.field(4, varint: 1)
                        + RawBytes.field(5, varint: first) + RawBytes.field(6, varint: count)))
        }
        func have(length: UInt64, hashes: Int = 32) -> [UInt8] {
            RawBytes.frame(
                RawBytes.field(
                    8,
                    RawBytes.field(1, varint: 1) + RawBytes.field(2, varint: 1)
                        + RawBytes.field(3, varint: length)
                        + RawBytes.field(4, [UInt8](repeating: 1, count: hashes))))
        }
        return [
            Trial("Want in a foreign space", .bulk, .tolerated, want(SpaceID(sha256([4])))),
            Trial("Want of a foreign blob", .bulk, .tolerated, want(scene.space)),
            Trial("Want of 2^32-1 chunks", .bulk, .refused, want(scene.space, count: 1 << 32 - 1)),
            Trial(
                "Want from chunk 2^31-1 on", .bulk, .refused, want(scene.space, first: 1 << 31 - 1)),
            Trial("Have unasked", .bulk, .refused, have(length: 1)),
            Trial("Have of 2^63 bytes", .bulk, .refused, have(length: 1 << 63)),
            Trial("Have with half a hash", .bulk, .refused, have(length: 1, hashes: 33)),
            Trial("Have with a list of 1 MiB", .bulk, .refused, have(length: 1, hashes: 1 << 20)),
            Trial(
                "chunk 2^32-1 of a request that was not made", .bulk, .refused,
                RawBytes.frame(kind: 1, .init(repeating: 0xFF, count: 8) + [1, 2, 3])),
            Trial("Hello twice for blobs", .bulk, .refused, message(scene.hello(.bulk))),
            Trial("Bye for blobs", .bulk, .parted, message(.bye(.shutdown))),
        ]
    }
}

extension UnverifiedCommit {
    var position: LogPosition {
        LogPosition(log: header.log, head: LogHead(sequence: header.sequence, commit: id))
    }
}
