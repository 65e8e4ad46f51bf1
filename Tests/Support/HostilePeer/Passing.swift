import SyncCore
import Wire

/// Passes on others' commits from standard input: in another order, only in part, or again. Like a
/// peer that withholds some, it claims to have all up to the last of each log.
struct Passing {
    private let scene: Scene
    private let space: SpaceID

    init(_ scene: Scene, space: String) throws {
        self.scene = scene
        guard let id = Bytes32(try RawBytes.hex(space[...])) else {
            throw Scene.Failure(reason: "not a space: \(space)")
        }
        self.space = SpaceID(id)
    }

    /// Sends all commits in one message, again each second for this time. Returns whether the agent
    /// still answers.
    func run(seconds: Int) async throws -> Bool {
        var commits: [UInt8] = []
        var count = 0
        var watermark = Watermark()
        while let line = readLine() {
            let parts = line.split(separator: "|", omittingEmptySubsequences: false)
            guard parts.count == 4 else { throw Scene.Failure(reason: "not a commit: \(line)") }
            let bytes = try parts.map { try RawBytes.hex($0) }
            let fields = bytes.indices.flatMap { RawBytes.field(UInt64($0 + 1), bytes[$0]) }
            commits += RawBytes.field(2, fields)
            count += 1
            let commit = try CommitCodec().decode(
                EncodedCommit(
                    header: bytes[0], signature: bytes[1], clear: bytes[2], operations: bytes[3]))
            let position = commit.position
            if position.head.sequence > watermark.sequence(of: position.log) {
                watermark.advance(position.log, to: position.head)
            }
        }
        let message = RawBytes.frame(RawBytes.field(4, RawBytes.field(1, space.bytes) + commits))
        let line = try await scene.open(.session)
        await line.send(.watermark(space, watermark, answer: false))
        for turn in 0...UInt64(seconds) {
            if turn > 0 { try await Task.sleep(for: .seconds(1)) }
            await line.send(message)
            guard await line.answers(turn, within: 8) else {
                print("\(count) commits: the agent hung up")
                return false
            }
        }
        await line.close()
        print("\(count) commits: the agent goes on")
        return true
    }
}
