internal import Crypto

/// Version 1 of the protocol as peersync wrote it on 2026-11-21, made by hand from Protocol.md: it
/// shares no code with the current peersync.
///
/// Never changed, even if the protocol changes: old devices speak it.
struct VersionOne {
    /// A position in an author log.
    struct Position: Hashable {
        let device: [UInt8]
        let incarnation: [UInt8]
        let sequence: UInt64
        let head: [UInt8]
    }

    /// A commit as it is sent.
    struct Commit {
        let header: [UInt8]
        let signature: [UInt8]
        let clear: [UInt8]
        let operations: [UInt8]

        var id: [UInt8] { VersionOne.hash("peersync commit v1", header) }
    }

    private let key: Curve25519.Signing.PrivateKey
    /// The serialized chain of this device.
    private let card: [UInt8]

    init(secret: [UInt8], card: [UInt8]) throws {
        key = try Curve25519.Signing.PrivateKey(rawRepresentation: secret)
        self.card = card
    }

    var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }
    var device: [UInt8] { Array(SHA256.hash(data: publicKey)) }

    static func framed(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
        Array(label.utf8) + [0] + bytes
    }

    static func hash(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: framed(label, bytes)))
    }

    private func signature(_ label: String, over bytes: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: VersionOne.framed(label, bytes)))
    }

    // MARK: Messages; additions of a newer version come after the known fields

    /// The purpose is that of a session.
    func hello(versions: ClosedRange<UInt64>, at milliseconds: UInt64, more: [UInt8] = [])
        -> [UInt8]
    {
        RawBytes.field(
            1,
            RawBytes.field(1, varint: versions.lowerBound)
                + RawBytes.field(2, varint: versions.upperBound) + RawBytes.field(3, card)
                + RawBytes.field(4, Array("0.1".utf8))
                + RawBytes.field(6, fixed: milliseconds) + RawBytes.field(7, varint: 1) + more)
    }

    /// Asks for everything.
    func emptyWatermark(of space: [UInt8], more: [UInt8] = []) -> [UInt8] {
        RawBytes.field(3, RawBytes.field(1, space) + more)
    }

    func commits(_ commits: [Commit], of space: [UInt8]) -> [UInt8] {
        let all = commits.flatMap { commit in
            RawBytes.field(
                2,
                RawBytes.field(1, commit.header) + RawBytes.field(2, commit.signature)
                    + RawBytes.field(3, commit.clear) + RawBytes.field(4, commit.operations))
        }
        return RawBytes.field(4, RawBytes.field(1, space) + all + RawBytes.field(3, varint: 1))
    }

    func ack(
        of space: [UInt8], counter: UInt64, _ positions: [Position]
    ) throws -> [UInt8] {
        let ack =
            RawBytes.field(1, space) + RawBytes.field(2, device)
            + RawBytes.field(3, varint: counter)
            + positions.flatMap { RawBytes.field(4, VersionOne.bytes(of: $0)) }
        return RawBytes.field(
            5,
            RawBytes.field(1, ack)
                + RawBytes.field(2, try signature("peersync ack v1", over: ack)))
    }

    /// This side leaves.
    static let bye = RawBytes.field(12, RawBytes.field(1, varint: 1))

    private static func bytes(of position: Position) -> [UInt8] {
        RawBytes.field(1, position.device) + RawBytes.field(2, position.incarnation)
            + RawBytes.field(3, varint: position.sequence) + RawBytes.field(4, position.head)
    }

    // MARK: Commits

    /// The parts of a commit besides its content.
    struct Place {
        let space: [UInt8]
        let incarnation: [UInt8]
        let milliseconds: UInt64
        let seen: [Position]
        /// The commit with the grant, and the fact's index in it.
        let grant: (commit: [UInt8], index: UInt64)
        let schema: [UInt8]
        let schemaVersion: UInt64
    }

    /// The first commit of a log.
    func commit(
        at place: Place, clear: [UInt8], operations: [UInt8], more: [UInt8] = []
    ) throws -> Commit {
        let grant =
            RawBytes.field(1, place.grant.commit)
            + (place.grant.index == 0 ? [] : RawBytes.field(2, varint: place.grant.index))
        let header =
            RawBytes.field(1, varint: 1) + RawBytes.field(2, place.space)
            + RawBytes.field(3, device) + RawBytes.field(4, place.incarnation)
            + RawBytes.field(5, varint: 1)
            + RawBytes.field(6, [UInt8](repeating: 0, count: 32))
            + RawBytes.field(7, fixed: place.milliseconds << 16)
            + place.seen.flatMap { RawBytes.field(8, VersionOne.bytes(of: $0)) }
            + RawBytes.field(9, grant) + RawBytes.field(10, place.schema)
            + RawBytes.field(11, varint: place.schemaVersion)
            + RawBytes.field(13, VersionOne.hash("peersync clear part v1", clear))
            + RawBytes.field(14, VersionOne.hash("peersync operations part v1", operations))
        return Commit(
            header: header + more,
            signature: try signature("peersync commit v1", over: header + more), clear: clear,
            operations: operations)
    }

    /// The same commit with a header of another version, which is its first byte.
    func changed(_ commit: Commit, toHeaderVersion version: UInt64) throws -> Commit {
        let known = RawBytes.field(1, varint: 1)
        let header = RawBytes.field(1, varint: version) + commit.header.dropFirst(known.count)
        return Commit(
            header: header, signature: try signature("peersync commit v1", over: header),
            clear: commit.clear, operations: commit.operations)
    }

    /// The writes to one record, as a part of operations.
    static func record(_ collection: String, _ id: [UInt8], _ writes: [[UInt8]]) -> [UInt8] {
        RawBytes.field(
            1,
            RawBytes.field(1, Array(collection.utf8)) + RawBytes.field(2, id)
                + writes.flatMap { RawBytes.field(3, $0) })
    }

    /// A write of a person.
    static func write(_ field: String, value: [UInt8]) -> [UInt8] {
        RawBytes.field(1, Array(field.utf8)) + RawBytes.field(3, value)
            + RawBytes.field(5, varint: 1)
    }

    static func text(_ text: String) -> [UInt8] { RawBytes.field(2, Array(text.utf8)) }
}
