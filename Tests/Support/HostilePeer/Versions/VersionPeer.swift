internal import Crypto
internal import FoundationEssentials
import Identity
import SyncCore

/// A device whose peersync is older or newer than the agent: it reads the common space, writes a
/// memory, and waits until the agent has it.
struct VersionPeer {
    enum Age: String {
        /// Speaks version 1, as it was.
        case older
        /// Speaks versions 1 and 2, and sends much that version 1 does not know.
        case newer
        /// Claims to speak version 1, and writes a commit with a future header version.
        case ahead
        /// Speaks versions 3 and 4.
        case farNewer = "far-newer"

        fileprivate var versions: ClosedRange<UInt64> {
            switch self {
            case .older, .ahead: 1...1
            case .newer: 1...2
            case .farNewer: 3...4
            }
        }
    }

    private let age: Age
    private let place: Place
    private let keys: DeviceKeys
    private let one: VersionOne
    private let milliseconds = UInt64(Date().timeIntervalSince1970 * 1000)

    /// Acts for a home without a running agent.
    init(_ age: Age, place: Place, home: String) throws {
        self.age = age
        self.place = place
        keys = try KeyFile.read(from: home + "/device.key")
        one = try VersionOne(
            secret: keys.signingSecret.bytes,
            card: [UInt8](try Data(contentsOf: URL(fileURLWithPath: home + "/device.card"))))
    }

    /// A part that version 1 does not know.
    private var news: [UInt8] {
        age != .newer ? [] : RawBytes.field(90, Array("of a newer version".utf8))
    }

    /// Reads, and writes a memory with this title unless there is none. Prints the understood
    /// parts.
    func run(title: String?) async throws {
        let line = try await Line.open(place, .own(keys))
        await say(one.hello(versions: age.versions, at: milliseconds, more: news), on: line)
        let hello = try await hear("Hello", line) { $0.message(1) }
        print("versions \(hello.number(1)) to \(hello.number(2))")
        guard age != .farNewer else { return try await part(line) }
        // A message that only newer versions know.
        if age == .newer { await say(RawBytes.field(500, [1, 2, 3]), on: line) }
        let space = try await hear("Spaces", line) { message in
            message.message(2)?.all(1).last.flatMap { OldFields($0)?.bytes(1) }
        }
        let known = try await read(space, line)
        if let title { try await write(title, to: space, known, line) }
        guard age != .ahead else { return try await part(line) }
        await say(VersionOne.bye, on: line)
        await line.close()
    }

    private func part(_ line: Line) async throws {
        let reason = try await hear("Bye", line) { $0.message(12)?.number(1) }
        let isClosed = await line.isClosed(within: 5)
        print("bye \(reason) \(isClosed ? "and closed" : "and open")")
    }

    // MARK: Reading

    private func read(_ space: [UInt8], _ line: Line) async throws -> [VersionOne.Commit] {
        await say(one.emptyWatermark(of: space, more: news), on: line)
        let wanted = try await hear("Watermark", line) { message -> [VersionOne.Position]? in
            guard let mark = message.message(3), mark.bytes(1) == space else { return nil }
            let positions = mark.all(2).compactMap { OldFields($0) }
            return positions.isEmpty ? nil : positions.compactMap { VersionOne.Position($0) }
        }
        let count = wanted.reduce(0) { $0 + $1.sequence }
        var commits: [VersionOne.Commit] = []
        for _ in 0..<100 where commits.count < count {
            try await Task.sleep(for: .milliseconds(50))
            commits = line.payloads.flatMap { payload in
                (OldFields(payload)?.message(4)?.all(2) ?? []).compactMap { bytes in
                    OldFields(bytes).flatMap { VersionOne.Commit($0) }
                }
            }
        }
        guard commits.count >= count else { throw Scene.Failure(reason: "commits are missing") }
        for title in commits.flatMap({ $0.texts(of: "memory", "title") }) {
            print("understood \(title)")
        }
        for dream in commits.flatMap({ $0.texts(of: "dream", "title") }) { print("kept \(dream)") }
        // Byte for byte, independent of the relay.
        let bytes = commits.map { $0.header + $0.signature + $0.clear + $0.operations }
            .sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self)
        print("commits \(commits.count) \(VersionPeer.hexadecimal(SHA256.hash(data: bytes)))")
        return commits
    }

    // MARK: Writing

    private func write(
        _ title: String, to space: [UInt8], _ known: [VersionOne.Commit], _ line: Line
    ) async throws {
        let grant = known.lazy.compactMap { commit in
            commit.grant(to: one.publicKey).map { (commit: commit.id, index: $0) }
        }.first
        var heads: [[UInt8]: VersionOne.Position] = [:]
        for position in known.compactMap(\.position) {
            let log = position.device + position.incarnation
            if heads[log]?.sequence ?? 0 < position.sequence { heads[log] = position }
        }
        guard let grant, let header = known.last.flatMap({ OldFields($0.header) }),
            let schema = header.bytes(10)
        else { throw Scene.Failure(reason: "no grant, or no schema") }
        let seen = heads.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        var commit = try one.commit(
            at: VersionOne.Place(
                space: space, incarnation: (0..<16).map { _ in UInt8.random(in: 0...255) },
                milliseconds: milliseconds, seen: seen, grant: grant, schema: schema,
                schemaVersion: header.number(11)),
            // A fact of a newer version keeps its index, and has no effect.
            clear: age == .newer ? RawBytes.field(2, RawBytes.field(60, [7])) + news : [],
            operations: operations(title), more: news)
        if age == .ahead { commit = try one.changed(commit, toHeaderVersion: 2) }
        await say(one.commits([commit], of: space), on: line)
        guard age != .ahead else { return }
        guard let own = commit.position else { throw Scene.Failure(reason: "no position") }
        _ = try await hear("Ack", line) { message in
            let ack = message.message(5)?.bytes(1).flatMap { OldFields($0) }
            guard let positions = ack?.all(4), ack?.bytes(2) != one.device else {
                return nil as Bool?
            }
            return positions.contains { bytes in
                OldFields(bytes).flatMap { VersionOne.Position($0) } == own
            } ? true : nil
        }
        await say(try one.ack(of: space, counter: milliseconds, seen + [own]), on: line)
        print("wrote \(VersionPeer.hexadecimal(commit.id))")
    }

    private func operations(_ title: String) -> [UInt8] {
        let id = Array(SHA256.hash(data: Array(title.utf8)).prefix(16))
        let titled = VersionOne.write("title", value: VersionOne.text(title))
        guard age == .newer else { return VersionOne.record("memory", id, [titled]) }
        // A field, a kind of value, a part of a write and a collection that version 1 does not know.
        let writes = [
            titled + news,
            VersionOne.write("mood", value: VersionOne.text("cheerful")),
            VersionOne.write("weather", value: RawBytes.field(77, [1, 2, 3])),
        ]
        return VersionOne.record("memory", id, writes)
            + VersionOne.record(
                "dream", id, [VersionOne.write("title", value: VersionOne.text("of " + title))])
            + news
    }

    // MARK: Talking

    private func say(_ payload: [UInt8], on line: Line) async {
        await line.send(RawBytes.frame(payload))
    }

    private func hear<Heard>(
        _ what: String, _ line: Line, _ pick: (OldFields) -> Heard?
    ) async throws -> Heard {
        for _ in 0..<300 {
            for payload in line.payloads {
                if let heard = OldFields(payload).flatMap(pick) { return heard }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Scene.Failure(reason: "no \(what) came")
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
