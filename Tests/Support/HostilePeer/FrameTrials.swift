import Identity
import SyncCore
import Wire

/// Invalid frames and invalid first messages.
extension Trial {
    static func frames() -> [Trial] {
        let stages: [(String, Stage)] = [("", .start), (", in a session", .session)]
        return stages.flatMap { name, stage in
            [
                Trial("frame length 0" + name, stage, .refused, RawBytes.frame(length: 0)),
                Trial(
                    "frame length 1 of a chunk" + name, stage, .refused,
                    RawBytes.frame(kind: 1, [])),
                Trial(
                    "frame length 2^31-1" + name, stage, .refused,
                    RawBytes.frame(length: UInt32(Int32.max), [0])),
                Trial(
                    "frame length 2^32-1" + name, stage, .refused,
                    RawBytes.frame(length: .max, [0])),
                Trial(
                    "frame length 2^63 in eight bytes" + name, stage, .refused,
                    [0x80, 0, 0, 0, 0, 0, 0, 0]),
                Trial(
                    "one byte more than a frame has" + name, stage, .refused,
                    RawBytes.frame(length: UInt32(Limits.frameBytes) + 1, [0])),
                Trial("frame of kind 2" + name, stage, .refused, RawBytes.frame(kind: 2, [1])),
                Trial("frame of kind 255" + name, stage, .refused, RawBytes.frame(kind: 255, [])),
                Trial(
                    "chunk header of 7 bytes" + name, stage, .refused,
                    RawBytes.frame(kind: 1, [UInt8](repeating: 0, count: 7))),
                Trial(
                    "a chunk" + name, stage, .refused,
                    RawBytes.frame(kind: 1, [UInt8](repeating: 0xFF, count: 12))),
                Trial(
                    "a frame cut off" + name, stage, .cut,
                    RawBytes.frame(length: 100, [0, 1, 2, 3])),
                Trial("a header cut off" + name, stage, .cut, [0, 0]),
            ]
        } + [
            Trial(
                "more than 16 KiB before Hello", .start, .refused,
                RawBytes.frame([UInt8](repeating: 0, count: 16 * 1024))),
            Trial("an empty message before Hello", .start, .refused, RawBytes.frame([])),
            Trial("an empty message", .session, .tolerated, RawBytes.frame([])),
            Trial(
                "a chunk of 1 MiB and a byte", .bulk, .refused,
                RawBytes.frame(kind: 1, [UInt8](repeating: 0, count: 8 + (1 << 20) + 1))),
        ]
    }

    /// Messages in place of Hello.
    static func beginnings(_ scene: Scene) -> [Trial] {
        let stranger = CardIssuer.strangersCard()
        let wants = Want(
            request: 1, space: scene.space, blob: BlobID(.zero), list: true, firstChunk: 0,
            chunkCount: 1)
        let instead: [(String, PeerMessage)] = [
            ("Ping before Hello", .ping(token: 1)),
            ("Watermark before Hello", .watermark(scene.space, Watermark(), answer: false)),
            ("Want before Hello", .want(wants)),
            ("Hello with another device's card", scene.hello(card: stranger)),
            ("Hello of the protocol's version 2", scene.hello(versions: 2...9)),
        ]
        let own = MessageCodec().encode(scene.hello())
        return instead.map { Trial($0.0, .start, .refused, message($0.1)) } + [
            Trial("Hello twice", .session, .refused, RawBytes.frame(own)),
            Trial("half a Hello", .start, .refused, RawBytes.frame(Array(own.prefix(60)))),
            // Versions 5 to 1.
            Trial(
                "Hello with versions that are none", .start, .refused,
                RawBytes.frame(
                    own + RawBytes.field(1, RawBytes.field(1, varint: 5)))),
        ]
    }
}

extension CardIssuer {
    /// The card of an unknown device.
    static func strangersCard() -> UnverifiedCard {
        wire.firstCard(of: DeviceKeys.generate(), person: PersonKey.generate())
    }

    static let wire = CardIssuer(encoding: WireCardEncoding())
}

/// Cards in Wire's encoding.
private struct WireCardEncoding: CardEncoding {
    func encode(_ content: CardContent) -> [UInt8] { CardCodec().encode(content) }
    func encode(links: [CardLink], successions: [KeySuccession]) -> [UInt8] {
        CardCodec().encode(links: links, successions: successions)
    }
}
