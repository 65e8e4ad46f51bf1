import Identity
import SyncCore
import Testing

/// Two machines, a desk and the people in front of them, with a wire between that tests can cut and
/// change. Messages are delivered in the order they were sent, one at a time.
struct PairingScene {
    enum Side: Hashable {
        case host
        case join
    }

    var host: HostPairing
    var join: JoinPairing
    var desk: PairingOffers
    var now: ContinuousClock.Instant
    /// What the people answer; nil: they do not.
    var answers: [Side: Bool] = [.host: true, .join: true]
    /// Whose disk fails.
    var brokenDisk: Side?
    /// Changes, drops or adds to what a side sends.
    var onTheWire: (Side, PairingMessage) -> [PairingMessage] = { _, message in [message] }
    /// The connection breaks instead of carrying this message.
    var breaksAt: (Side, PairingMessage) -> Bool = { _, _ in false }

    private(set) var actions: [Side: [PairingAction]] = [.host: [], .join: []]
    private var pending: [(Side, PairingEvent)] = []
    private var isBroken = false

    init(
        host: HostPairing, join: JoinPairing, desk: PairingOffers, now: ContinuousClock.Instant
    ) {
        self.host = host
        self.join = join
        self.desk = desk
        self.now = now
    }

    /// Starts, and goes on until nobody has anything left to do or `limit` events are handled.
    mutating func run(limit: Int = .max) {
        perform(join.start(), of: .join)
        goOn(limit: limit)
    }

    mutating func goOn(limit: Int = .max) {
        var handled = 0
        while handled < limit, !pending.isEmpty {
            let (side, event) = pending.removeFirst()
            give(event, to: side)
            handled += 1
        }
    }

    mutating func give(_ event: PairingEvent, to side: Side) {
        switch side {
        case .host: perform(host.handle(event, at: now), of: .host)
        case .join: perform(join.handle(event, at: now), of: .join)
        }
    }

    private mutating func perform(_ new: [PairingAction], of side: Side) {
        let other: Side = side == .host ? .join : .host
        for action in new {
            actions[side]?.append(action)
            switch action {
            case .send(let message):
                send(message, from: side, to: other)
            case .burn(let nameplate):
                switch desk.burn(nameplate: nameplate, now: now) {
                case .success(let offer): pending.append((.host, .burned(offer)))
                case .failure(let refusal): pending.append((.host, .notBurned(refusal.reason)))
                }
            case .askPerson:
                if let answer = answers[side] {
                    pending.append((side, .decided(accepted: answer)))
                }
            case .store:
                pending.append((side, brokenDisk == side ? .storeFailed : .stored))
            case .finished, .failed:
                if side == .host { desk.end(paired: failure(of: .host) == nil) }
                pending.append((other, .disconnected))
            }
        }
    }

    private mutating func send(_ message: PairingMessage, from side: Side, to other: Side) {
        guard !isBroken else { return }
        if breaksAt(side, message) {
            isBroken = true
            pending.append((.host, .disconnected))
            pending.append((.join, .disconnected))
            return
        }
        for carried in onTheWire(side, message) {
            pending.append((other, .message(carried)))
        }
    }

    // MARK: What came of it

    /// Nobody has anything left to do.
    var isOver: Bool { pending.isEmpty }

    func failure(of side: Side) -> PairingFailure? {
        for case .failed(let failure) in actions[side] ?? [] { return failure }
        return nil
    }

    func stored(by side: Side) -> PairingResult? {
        for case .store(let result) in actions[side] ?? [] { return result }
        return nil
    }

    func finished(_ side: Side) -> Bool {
        (actions[side] ?? []).contains { action in
            if case .finished = action { true } else { false }
        }
    }

    func question(to side: Side) -> PairingQuestion? {
        for case .askPerson(let question) in actions[side] ?? [] { return question }
        return nil
    }

    func sent(by side: Side) -> [PairingMessage] {
        (actions[side] ?? []).compactMap { action in
            if case .send(let message) = action { message } else { nil }
        }
    }

    var hasIntroduced: Bool {
        (sent(by: .host) + sent(by: .join)).contains { message in
            if case .introduction = message { true } else { false }
        }
    }
}
