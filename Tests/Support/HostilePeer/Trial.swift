import SyncCore
import Wire

/// A message that a peer must not send, or may send without effect, and the required reaction.
struct Trial {
    enum Stage {
        /// Straight after the handshake.
        case start
        case session
        case bulk
    }

    enum Ending: String {
        /// The agent closes the connection, and logs that.
        case refused
        /// The agent continues and answers the next question.
        case tolerated
        /// The agent closes the connection, as requested.
        case parted
        /// This side closes in the middle, which the agent logs.
        case cut
    }

    let name: String
    let stage: Stage
    let ending: Ending
    let bytes: [UInt8]

    init(_ name: String, _ stage: Stage, _ ending: Ending, _ bytes: [UInt8]) {
        self.name = name
        self.stage = stage
        self.ending = ending
        self.bytes = bytes
    }

    /// Seconds in which the agent must have closed a refused connection or answered an accepted
    /// message. A busy machine is slow; a test must not reach the authentication timeout of 10 s.
    private static let patience = 8.0

    /// Nil if it ended as required, else a description.
    func run(_ scene: Scene) async throws -> String? {
        let line =
            switch stage {
            case .start: try await Line.open(scene.place, scene.mask)
            case .session: try await scene.open(.session)
            case .bulk: try await scene.open(.bulk)
            }
        guard line.hasHandshake else { return "no handshake" }
        let before = line.receivedBytes
        await line.send(bytes)
        switch ending {
        case .refused, .parted:
            guard await line.isClosed(within: Self.patience) else {
                await line.close()
                return "the agent did not hang up"
            }
            // Before Hello the agent has sent only its own Hello, and the reason for leaving.
            let said = line.messages.count { if case .bye = $0 { false } else { true } }
            let isQuiet = stage != .start || said <= 1
            return isQuiet ? nil : "the agent answered with \(line.messages.count) messages"
        case .cut:
            await line.close()
            return nil
        case .tolerated:
            let answer = await answers(line)
            await line.close()
            return answer ? nil : "no answer afterwards, \(line.receivedBytes - before) bytes came"
        }
    }

    private func answers(_ line: Line) async -> Bool {
        if stage == .bulk {
            let want = Want(
                request: 77, space: SpaceID(.zero), blob: BlobID(.zero), list: true, firstChunk: 0,
                chunkCount: 0)
            await line.send(.want(want))
            return await line.message(within: Self.patience) { message in
                if case .have(let have) = message, have.request == 77 { have.held } else { nil }
            } == false
        }
        return await line.answers(4711, within: Self.patience)
    }
}

extension Trial {
    /// All trials for this agent.
    static func all(_ scene: Scene) throws -> [Trial] {
        frames() + beginnings(scene) + fields() + encodings() + outOfPlace(scene)
            + sizes(scene) + reports(scene) + (try commits(scene)) + (try altered(scene))
            + forks(scene) + blobs(scene)
    }

    static func message(_ message: PeerMessage) -> [UInt8] {
        RawBytes.frame(MessageCodec().encode(message))
    }
}
