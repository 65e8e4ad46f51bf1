internal import FoundationEssentials
import Identity
import SyncCore
import Wire

/// The material of an authenticated hostile peer: the keys and card of a home that is really
/// paired, and the data that the agent sent it.
struct Scene {
    let place: Place
    let keys: DeviceKeys
    let card: UnverifiedCard
    /// The common space and its contents.
    private(set) var space = SpaceID(.zero)
    private(set) var commits: [UnverifiedCommit] = []
    /// The agent's own device.
    private(set) var agent = DeviceID(.zero)

    struct Failure: Error {
        let reason: String
    }

    /// Reads a home without a running agent.
    init(place: Place, home: String) throws {
        self.place = place
        keys = try KeyFile.read(from: home + "/device.key")
        card = try CardCodec().decode(
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: home + "/device.card"))))
    }

    var mask: Mask { .own(keys) }

    func hello(
        _ purpose: Hello.Purpose = .session, versions: ClosedRange<UInt32> = 1...1,
        card: UnverifiedCard? = nil
    ) -> PeerMessage {
        .hello(
            Hello(
                versions: versions, card: card ?? self.card, agentVersion: "hostile", features: [],
                wallClock: Milliseconds(UInt64(Date().timeIntervalSince1970 * 1000)),
                purpose: purpose, listeningPort: 0))
    }

    /// A connection past its Hello.
    func open(_ purpose: Hello.Purpose, reads: Bool = true) async throws -> Line {
        let line = try await Line.open(place, mask, reads: reads)
        await line.send(hello(purpose))
        guard reads else { return line }
        let isHeard = await line.message(within: 5) { message in
            switch (message, purpose) {
            case (.spaces, .session), (.hello, .bulk): true
            default: nil as Bool?
            }
        }
        guard isHeard == true else { throw Failure(reason: "no answer to a good Hello") }
        return line
    }

    /// Reads the data that the agent shares, as a correct peer would.
    mutating func lookAround() async throws {
        let line = try await open(.session)
        let shared = await line.message(within: 5) { message in
            if case .spaces(let spaces, _) = message { spaces.last?.space } else { nil }
        }
        guard let shared else { throw Failure(reason: "the agent shares nothing with this home") }
        space = shared
        agent = agent(on: line) ?? agent
        await line.send(.watermark(shared, Watermark(), answer: true))
        let seen = await line.message(within: 10) { message in
            if case .commits(_, let commits, _) = message { commits } else { nil }
        }
        guard let seen else { throw Failure(reason: "no commits came") }
        commits = seen
        await line.close()
    }

    /// The device that sent Hello on a connection.
    func agent(on line: Line) -> DeviceID? {
        let hello = line.messages.lazy.compactMap { message in
            if case .hello(let hello) = message { hello } else { nil }
        }.first
        return hello?.card.links.last.map { DeviceID(sha256($0.content.signingKey.bytes)) }
    }

    func signedAck(counter: UInt64, _ watermark: Watermark, by device: DeviceID? = nil)
        -> UnverifiedAck
    {
        let ack = Ack(
            space: space, device: device ?? keys.device, counter: counter, watermark: watermark)
        let bytes = AckCodec().encode(ack)
        return UnverifiedAck(
            ack, bytes: bytes, signature: keys.sign(.acknowledgement, bytes))
    }

    func signedHoldings(counter: UInt64) -> UnverifiedHoldings {
        let holdings = Holdings(
            space: space, device: keys.device, counter: counter, held: 0, missing: [],
            missingCount: UInt64(Int64.max), missingBytes: UInt64(Int64.max))
        let bytes = HoldingsCodec().encode(holdings)
        return UnverifiedHoldings(
            holdings, bytes: bytes, signature: keys.sign(.holdings, bytes))
    }
}
