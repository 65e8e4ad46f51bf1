import SyncCore
import Wire

/// Messages with a false encoding, and well-formed messages that are not allowed there.
extension Trial {
    /// Every message of the protocol with every length that breaks careless parsers.
    static func fields() -> [Trial] {
        let numbers: [UInt64] = Array(1...20) + [500]
        let nesting: [(String, [UInt64])] = [
            ("hello.card", [1, 3]), ("hello.card.links.card", [1, 3, 1, 1]),
            ("spaces.spaces.offer", [2, 1, 3]), ("watermark.positions.head", [3, 2, 4]),
            ("commits.commits.header", [4, 2, 1]), ("ack.ack", [5, 1]),
            ("holdings.holdings", [6, 1]),
            ("want.blob_id", [7, 3]), ("have.chunk_hashes", [8, 4]),
            ("watermark.forks", [3, 4]), ("fork.fork", [14, 2]), ("fork.fork.first", [14, 2, 1]),
            ("reach.added", [16, 1]), ("ack_difference.changes.head", [17, 5, 5]),
            ("ack_wanted.device", [18, 2]), ("heard.devices.device", [19, 4, 1]),
            ("comparison.digest", [20, 1]),
        ]
        var trials: [Trial] = []
        // A length of 0 or 1 may be valid: only lengths that must be wrong have to end the
        // connection.
        for length in RawBytes.lengths.dropFirst(2) {
            for number in numbers {
                let bytes = RawBytes.frame(RawBytes.lying(number, length: length))
                trials.append(
                    Trial("message \(number) of length \(length)", .session, .refused, bytes))
            }
            for (name, path) in nesting {
                var bytes = RawBytes.lying(path[path.count - 1], length: length)
                for number in path.dropLast().reversed() {
                    bytes = RawBytes.field(number, bytes)
                }
                let frame = RawBytes.frame(bytes)
                trials.append(
                    Trial("\(name) of length \(length)", .session, .refused, frame))
            }
        }
        return trials + shortFields()
    }

    /// The messages of length 0 and 1 that are not allowed there, or cannot be so short.
    private static func shortFields() -> [Trial] {
        let names: [(UInt64, String)] = [
            (7, "want"), (8, "have"), (1, "hello"), (12, "bye"),
        ]
        var trials: [Trial] = []
        for (number, name) in names {
            for length in RawBytes.lengths.prefix(2) {
                let isGoodbye = number == 12 && length == 0
                let bytes = RawBytes.frame(RawBytes.lying(number, length: length))
                trials.append(
                    Trial(
                        "\(name) of length \(length)", .session,
                        isGoodbye ? .parted : .refused, bytes))
            }
        }
        return trials
    }

    static func encodings() -> [Trial] {
        let depth = 200_000
        let open = [[UInt8]](repeating: RawBytes.key(15, 3), count: depth).flatMap(\.self)
        let shut = [[UInt8]](repeating: RawBytes.key(15, 4), count: depth).flatMap(\.self)
        let overlong = [UInt8](repeating: 0xFF, count: 10) + [0x7F]
        let ping = MessageCodec().encode(.ping(token: 1))
        let bad: [(String, [UInt8])] = [
            ("\(depth) groups that do not end", open),
            ("\(depth) groups, each in the one before", open + shut),
            ("the end of a group that did not begin", RawBytes.key(15, 4)),
            ("a varint of 11 bytes as a key", overlong),
            ("a varint of 11 bytes as a length", RawBytes.key(2, 2) + overlong),
            ("a varint without an end", [0x50, 0xFF, 0xFF]),
            ("field number 0", RawBytes.key(0, 2) + [0]),
            ("wire type 6", RawBytes.key(10, 6)), ("wire type 7", RawBytes.key(10, 7)),
            ("a fixed64 cut off", RawBytes.field(10, [0x09, 1, 2])),
            ("1 MiB of 0xFF", [UInt8](repeating: 0xFF, count: 1 << 20)),
        ]
        let good: [(String, [UInt8])] = [
            ("a message of another version", RawBytes.field(500, [1, 2, 3])),
            ("the highest field number", RawBytes.field((1 << 29) - 1, [])),
            ("a message with a field of another version", ping + RawBytes.field(99, [1])),
            ("1 MiB in an unknown field", RawBytes.field(500, .init(repeating: 7, count: 1 << 20))),
            ("unknown fields in one another", RawBytes.nested(500, depth: 3000)),
            (
                "half a million unknown fields",
                [[UInt8]](repeating: RawBytes.field(500, []), count: 300_000).flatMap(\.self)
            ),
        ]
        return bad.map { Trial($0.0, .session, .refused, RawBytes.frame($0.1)) }
            + good.map { Trial($0.0, .session, .tolerated, RawBytes.frame($0.1)) }
    }

    /// Messages that are not allowed in a session, and goodbyes.
    static func outOfPlace(_ scene: Scene) -> [Trial] {
        let want = Want(
            request: 1, space: scene.space, blob: BlobID(.zero), list: true, firstChunk: 0,
            chunkCount: 1)
        let have = Have(request: 1, held: true, length: 1, chunkHashes: [.zero])
        return [
            Trial("Want in a session", .session, .refused, message(.want(want))),
            Trial("Have in a session", .session, .refused, message(.have(have))),
            Trial("Pong unasked", .session, .tolerated, message(.pong(token: 9))),
            Trial("Bye", .session, .parted, message(.bye(.shutdown))),
            Trial(
                "Bye with a reason of another version", .session, .parted,
                RawBytes.frame(RawBytes.field(12, RawBytes.field(1, varint: 99)))),
            Trial(
                "Decline of a foreign space", .session, .tolerated,
                message(.decline(SpaceID(sha256([1]))))),
        ]
    }

    /// Endless lists and absurd numbers.
    static func sizes(_ scene: Scene) -> [Trial] {
        func summary(_ number: Int) -> SpaceSummary {
            SpaceSummary(
                space: SpaceID(sha256(Array("\(number)".utf8))), digest: .zero,
                offer: number % 8 == 0 ? Offer(title: "x", from: "y", flags: .all, bytes: 1) : nil)
        }
        func far(_ count: Int, of device: DeviceID? = nil) -> Watermark {
            Watermark((0..<count).map { invented($0, sequence: Limits.sequence, of: device) })
        }
        func empty(_ message: UInt64, _ list: UInt64, _ count: Int) -> [UInt8] {
            let items = [[UInt8]](repeating: RawBytes.field(list, []), count: count)
            return RawBytes.frame(RawBytes.field(message, items.flatMap(\.self)))
        }
        func sequence(_ value: UInt64) -> [UInt8] {
            let log =
                RawBytes.field(1, [UInt8](repeating: 1, count: 32))
                + RawBytes.field(2, [UInt8](repeating: 1, count: 16))
            let head = RawBytes.field(4, [UInt8](repeating: 1, count: 32))
            let position = log + RawBytes.field(3, varint: value) + head
            let space = RawBytes.field(1, scene.space.bytes)
            return RawBytes.frame(RawBytes.field(3, space + RawBytes.field(2, position)))
        }
        return [
            Trial(
                "a list of 10,000 unknown spaces", .session, .tolerated,
                message(.spaces((0..<10_000).map(summary), answer: true))),
            Trial("half a million empty spaces", .session, .refused, empty(2, 1, 500_000)),
            Trial("half a million empty positions", .session, .refused, empty(3, 2, 500_000)),
            Trial("half a million empty commits", .session, .refused, empty(4, 2, 500_000)),
            Trial("half a million empty card links", .session, .refused, empty(1, 3, 500_000)),
            Trial(
                "a watermark of 9,000 invented logs", .session, .tolerated,
                message(.watermark(scene.space, far(9_000), answer: true))),
            Trial(
                "a watermark of 9,000 logs of the agent's own", .session, .refused,
                message(.watermark(scene.space, far(9_000, of: scene.agent), answer: true))),
            Trial(
                "a watermark of a foreign space", .session, .tolerated,
                message(.watermark(SpaceID(sha256([2])), far(10), answer: false))),
            Trial("a position at sequence 0", .session, .refused, sequence(0)),
            Trial("a position at sequence 2^63", .session, .refused, sequence(1 << 63)),
            Trial("a position at sequence 2^64-1", .session, .refused, sequence(.max)),
        ]
    }

    private static let noIncarnation: Incarnation = {
        var random = SystemRandomNumberGenerator()
        return Incarnation(random: &random)
    }()

    static func invented(
        _ number: Int, sequence: UInt64, of device: DeviceID? = nil
    ) -> LogPosition {
        let hash = sha256(Array("\(number)".utf8))
        return LogPosition(
            log: LogID(
                device: device ?? DeviceID(hash),
                incarnation: Bytes16(hash.bytes.prefix(16)) ?? noIncarnation),
            head: LogHead(sequence: sequence, commit: CommitID(hash)))
    }
}
