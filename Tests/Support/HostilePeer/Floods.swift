import Identity
import SyncCore
import Wire

/// Allowed messages that a paired device sends endlessly, as fast as the agent accepts them.
enum Flood: String, CaseIterable {
    /// Each asks for everything from the start.
    case watermarks
    case pings
    /// Answers accumulate at the agent.
    case pingsUnread
    case spaces
    /// New titles for the same offers.
    case offers
    /// The agent's own commits, returned to it.
    case commits
    /// Signed, each newer than the previous one.
    case acks
    case holdings
    case declines
    case wants
    /// Connections that say hello and close.
    case hellos
    /// Connections that break the protocol, again and again.
    case misbehaviour

    /// Sends until the time is over; returns the numbers of messages and connections.
    func run(_ scene: Scene, seconds: Double) async throws -> (messages: Int, connections: Int) {
        let end = ContinuousClock.now + .seconds(seconds)
        var sent = 0
        var connections = 0
        while ContinuousClock.now < end {
            connections += 1
            guard let line = try? await scene.open(purpose, reads: self != .pingsUnread) else {
                // The agent slows us down: that is a valid reaction, too.
                try await Task.sleep(for: .milliseconds(100))
                continue
            }
            while ContinuousClock.now < end, !line.isClosed {
                let (bytes, count) = batch(scene, number: sent)
                if await send(bytes, on: line, before: end) { sent += count }
                if isBrief { break }
            }
            await line.close()
        }
        return (sent, connections)
    }

    private var purpose: Hello.Purpose { self == .wants ? .bulk : .session }
    private var isBrief: Bool { self == .hellos || self == .misbehaviour }

    private func batch(_ scene: Scene, number: Int) -> (bytes: [UInt8], count: Int) {
        switch self {
        case .watermarks:
            repeated(Trial.message(.watermark(scene.space, Watermark(), answer: false)), 50)
        case .pings, .pingsUnread: repeated(Trial.message(.ping(token: 1)), 1000)
        case .spaces:
            (Trial.message(.spaces(summaries(10_000, titled: nil), answer: false)), 1)
        case .offers:
            (Trial.message(.spaces(summaries(2_000, titled: "\(number)"), answer: true)), 1)
        case .commits: (Trial.message(.commits(scene.space, scene.commits, live: true)), 1)
        case .acks:
            repeated(10) { index in
                let known = Watermark(scene.commits.map(\.position))
                return Trial.message(
                    .ack(scene.signedAck(counter: UInt64(1 << 41 + number + index), known)))
            }
        case .holdings:
            repeated(10) { index in
                Trial.message(
                    .holdings(scene.signedHoldings(counter: UInt64(1 << 41 + number + index))))
            }
        case .declines: repeated(Trial.message(.decline(scene.space)), 500)
        case .wants:
            repeated(
                Trial.message(
                    .want(
                        Want(
                            request: 1, space: scene.space, blob: BlobID(.zero), list: true,
                            firstChunk: 0, chunkCount: 1))), 10)
        case .hellos: ([], 0)
        case .misbehaviour: (RawBytes.frame(kind: 9, []), 1)
        }
    }

    private func repeated(_ message: [UInt8], _ count: Int) -> (bytes: [UInt8], count: Int) {
        ([[UInt8]](repeating: message, count: count).flatMap(\.self), count)
    }

    private func repeated(
        _ count: Int, _ message: (Int) -> [UInt8]
    ) -> (bytes: [UInt8], count: Int) {
        ((0..<count).flatMap(message), count)
    }

    private func summaries(_ count: Int, titled title: String?) -> [SpaceSummary] {
        (0..<count).map { number in
            SpaceSummary(
                space: SpaceID(sha256(Array("flood \(number)".utf8))), digest: .zero,
                offer: title.map { Offer(title: $0, from: "x", flags: .all, bytes: 1) })
        }
    }

    /// Sends; if the time is over first, closes a connection that the agent does not read.
    private func send(
        _ bytes: [UInt8], on line: Line, before end: ContinuousClock.Instant
    ) async -> Bool {
        let limit = Task {
            try await Task.sleep(until: end, clock: .continuous)
            await line.close()
        }
        await line.send(bytes)
        limit.cancel()
        return ContinuousClock.now < end
    }
}
