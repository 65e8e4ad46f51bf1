import Identity
import SyncCore
import Synchronization
import Wire

extension FuzzTarget {
    /// What happens to two devices that pair, in any order: a byte that says which devices and how
    /// far they are, then one for each event.
    ///
    /// Stretching a code (scrypt) takes 32 MiB.
    static let pairingOrder = FuzzTarget(
        "pairing-order", longestInput: 512, allocationMebibytes: 64
    ) { input in
        var source = ByteSource(input)
        let stages = try FuzzPairing.stages(source.below(FuzzPairing.Scene.allCases.count))
        var pairing = stages[source.below(stages.count)]
        for _ in 0..<100 where !source.isEmpty {
            try pairing.step(&source)
        }
    }
}

/// Two pairing machines, a desk, and everything between them and around them.
struct FuzzPairing {
    /// Which two devices.
    enum Scene: CaseIterable {
        case friends
        case furtherDevice
        case wrongCode
        /// Somebody stands between them and passes everything on.
        case stranger

        /// Whether both have the same code and see each other's keys.
        var isSound: Bool { self == .friends || self == .furtherDevice }
    }

    private let scene: Scene
    private var host: HostPairing
    private var join: JoinPairing
    private var desk: PairingOffers
    private var now: ContinuousClock.Instant
    /// What the desk handed out, or why it did not.
    private var answer: PairingEvent?
    private var sides = [PairingSide(.host), PairingSide(.join)]
    private var wires: [[PairingMessage]] = [[], []]
    private var carried: [PairingMessage] = []

    // MARK: Honest runs

    /// A scene after each event of a run in which all is well, as far as it gets. What comes before the
    /// fourth takes tenths of a second (scrypt), so they are kept.
    static func stages(_ number: Int) throws -> [FuzzPairing] {
        try known.withLock { known in
            if let stages = known[number] { return stages }
            let scene = Scene.allCases[number]
            var pairing = FuzzPairing(scene)
            try pairing.perform(pairing.join.start(), .join)
            var stages = [pairing]
            while try pairing.goOn() { stages.append(pairing) }
            try require(
                pairing.sides.allSatisfy { $0.hasFinished == scene.isSound },
                "who should pair pairs: \(scene)")
            known[number] = stages
            return stages
        }
    }

    private static let known = Mutex<[Int: [FuzzPairing]]>([:])

    private init(_ scene: Scene) {
        var random = FuzzGenerator()
        let start = ContinuousClock.now
        let issuer = CardIssuer(encoding: FuzzCardEncoder())
        let (hostKeys, joinKeys) = (DeviceKeys.generate(), DeviceKeys.generate())
        let between = DeviceKeys.generate().signingKey
        let offer = PairingOffer(random: &random, now: start, nameplate: "7")
        let other = PairingOffer(random: &random, now: start, nameplate: "8")
        let hostCard = issuer.firstCard(of: hostKeys, person: PersonKey.generate())
        let joinCard = issuer.firstCard(of: joinKeys, person: PersonKey.generate())
        self.scene = scene
        now = start
        desk = PairingOffers(attempts: PairingAttempts(burned: 0))
        try? desk.open(offer)
        host = HostPairing(
            party: PairingParty(
                keys: hostKeys, peerKey: scene == .stranger ? between : joinKeys.signingKey,
                personName: "Anna", deviceName: "laptop", listeningPort: 7, issuer: issuer),
            card: hostCard, homeSpace: SpaceID(sha256([1])),
            randomness: PairingRandomness(random: &random), now: start)
        join = JoinPairing(
            party: PairingParty(
                keys: joinKeys, peerKey: scene == .stranger ? between : hostKeys.signingKey,
                personName: "Ben", deviceName: "phone", listeningPort: 8, issuer: issuer),
            identity: scene == .furtherDevice
                ? .hostsPerson(present: nil) : .ownPerson(joinCard),
            // A link has no nameplate, so that a wrong one burns the offer as well.
            secret: .link(scene == .wrongCode ? other.linkSecret : offer.linkSecret),
            expectedDevice: nil, randomness: PairingRandomness(random: &random), now: start)
    }

    /// The next thing that happens when all is well; false when nothing is left.
    private mutating func goOn() throws -> Bool {
        if let answer, !sides[0].isAnswered {
            try give(answer, to: .host)
            return true
        }
        for side in PairingSide.Role.allCases {
            if !wires[side.rawValue].isEmpty {
                try deliver(wires[side.rawValue].removeFirst(), to: side)
            } else if sides[side.rawValue].isAsked, !sides[side.rawValue].hasDecided {
                try give(.decided(accepted: true), to: side)
            } else if sides[side.rawValue].isStoring {
                try give(.stored, to: side)
            } else {
                continue
            }
            return true
        }
        return false
    }

    // MARK: Anything

    mutating func step(_ source: inout ByteSource) throws {
        let choice = source.byte()
        let side: PairingSide.Role = choice & 0x80 == 0 ? .host : .join
        switch choice & 15 {
        case 0...3: _ = try goOn()
        case 4: if !wires[side.rawValue].isEmpty { wires[side.rawValue].removeFirst() }
        case 5: wires[side.rawValue].reverse()
        // Again, and also back to who said it.
        case 6 where !carried.isEmpty:
            try deliver(carried[source.below(carried.count)], to: side)
        case 7 where !wires[side.rawValue].isEmpty:
            let message = wires[side.rawValue].removeFirst()
            if let changed = changed(message, &source) { try deliver(changed, to: side) }
        case 8:
            guard let message = try? PairingCodec().decode(source.piece()) else { return }
            try deliver(message, to: side)
        case 9: try give(.decided(accepted: choice & 16 == 0), to: side)
        case 10: try give(.stored, to: side)
        case 11: try give(.storeFailed, to: side)
        case 12: try give(choice & 16 == 0 ? .cancelled : .disconnected, to: side)
        case 13: if let answer { try give(answer, to: side) }
        case 14:
            now += .seconds(source.below(200))
            try give(.tick, to: side)
        default: try give(.notBurned(.busy), to: side)
        }
    }

    private func changed(
        _ message: PairingMessage, _ source: inout ByteSource
    ) -> PairingMessage? {
        var bytes = PairingCodec().encode(message)
        guard !bytes.isEmpty else { return nil }
        bytes[Int(source.number(bytes: 2)) % bytes.count] ^= max(1, source.byte())
        return try? PairingCodec().decode(bytes)
    }

    private mutating func deliver(
        _ message: PairingMessage, to side: PairingSide.Role
    ) throws {
        if carried.count < 64 { carried.append(message) }
        try give(.message(message), to: side)
    }

    private mutating func give(_ event: PairingEvent, to side: PairingSide.Role) throws {
        sides[side.rawValue].note(event)
        switch side {
        case .host: try perform(host.handle(event, at: now), .host)
        case .join: try perform(join.handle(event, at: now), .join)
        }
    }

    private mutating func perform(
        _ actions: [PairingAction], _ side: PairingSide.Role
    ) throws {
        try sides[side.rawValue].check(
            actions, deadline: side == .host ? host.deadline : join.deadline,
            isSound: scene.isSound)
        for action in actions {
            switch action {
            case .send(let message):
                // Nobody answers without end, so neither wire grows.
                wires[1 - side.rawValue].append(message)
            case .burn(let nameplate):
                switch desk.burn(nameplate: nameplate, now: now) {
                case .success(let offer): answer = .burned(offer)
                case .failure(let refusal): answer = .notBurned(refusal.reason)
                }
            case .askPerson, .store, .finished, .failed: break
            }
        }
    }
}

/// Numbers that are the same in each run.
private struct FuzzGenerator: RandomNumberGenerator {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}

private struct FuzzCardEncoder: CardEncoding {
    func encode(_ content: CardContent) -> [UInt8] { CardCodec().encode(content) }
    func encode(links: [CardLink], successions: [KeySuccession]) -> [UInt8] {
        CardCodec().encode(links: links, successions: successions)
    }
}
