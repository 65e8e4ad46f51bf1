import Identity
import SyncCore
import Wire

/// A device proves that its own log forked, at positions where it did nothing wrong: it signs
/// another header for each of its commits in standard input; the space's genesis comes first.
struct Forking {
    private let scene: Scene
    private let space: SpaceID

    init(_ scene: Scene, space: String) throws {
        self.scene = scene
        guard let id = Bytes32(try RawBytes.hex(space[...])) else {
            throw Scene.Failure(reason: "not a space: \(space)")
        }
        self.space = SpaceID(id)
    }

    /// Sends the proofs, and prints how many the agent accepted without closing the connection.
    func run() async throws {
        let line = try await scene.open(.session)
        guard let genesis = readLine(), let agent = scene.agent(on: line) else {
            throw Scene.Failure(reason: "no genesis, or no Hello")
        }
        // A removed member proves that it was once given the space.
        let proof = Label.spaceProof.hash(
            try RawBytes.hex(genesis[...]) + scene.keys.device.bytes + agent.bytes)
        await line.send(
            .spaces([SpaceSummary(space: space, digest: .zero, proof: proof)], answer: true))
        var count = 0
        while let text = readLine() {
            let parts = text.split(separator: "|")
            guard parts.count == 2 else { throw Scene.Failure(reason: "not a header: \(text)") }
            let (bytes, signature) = (try RawBytes.hex(parts[0]), try RawBytes.hex(parts[1]))
            let header = try CommitCodec().decodeHeader(bytes)
            var other = header
            other.clock = HybridTime(raw: header.clock.raw + 1)
            let forged = CommitCodec().encodeHeader(other)
            let proof = UnverifiedFork(
                first: UnverifiedFork.Side(bytes: bytes, header: header, signature: signature),
                second: UnverifiedFork.Side(
                    bytes: forged, header: other, signature: scene.keys.sign(.commit, forged)))
            await line.send(.fork(space, proof))
            count += 1
        }
        let isAnswered = await line.answers(7, within: 8)
        await line.close()
        print("\(count) proofs: the agent \(isAnswered ? "goes on" : "hung up")")
    }
}
