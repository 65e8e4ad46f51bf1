/// Which devices of one person are lost, by all statements that are known. The order in which they came
/// plays no part.
///
/// A device speaks with the level of its shortest chain of cards; the person's key, with level 0, before
/// all. Whom somebody of a smaller level called lost has no say any more, nor who came in through it.
package struct LostDevices: Sendable {
    /// What is known of a device that is lost.
    package struct Loss: Hashable, Sendable {
        /// The statements about it that count; none for one that came in through a lost one.
        package let statements: [LossID]
        /// Somebody said so who is senior to it: its rights are to be taken. Where it was an equal, or where
        /// only one that let it in is lost by an equal's word, a person has to decide.
        package let isBySenior: Bool
    }

    package private(set) var losses: [DeviceID: Loss] = [:]

    /// Exchanges of the person's key that count, in their order.
    package private(set) var exchanges: [UnverifiedKeyExchange] = []
    /// Devices of one level that exchanged the key for different ones while nothing decides between them; empty
    /// when the key is clear.
    package private(set) var keyRivals: Set<DeviceID> = []

    private let all: [VerifiedLossStatement]
    /// Those that are of devices, or of a key that counts.
    private var statements: [VerifiedLossStatement] = []
    private var chains: [DeviceID: Set<DeviceChain>] = [:]
    private var keys = ExchangedKeys()
    /// Devices that the former keys let in and that stay.
    private var kept: Set<DeviceID> = []
    private let granted: Set<DeviceID>
    /// By the device that they are about: statements that count as long as nobody takes them back.
    private var counting: [DeviceID: Set<LossID>] = [:]
    private var takenBack: Set<LossID> = []
    private var byID: [LossID: VerifiedLossStatement] = [:]

    /// `chains`: of devices whose cards are known beside those in the statements. `granted`: devices that
    /// members let into a space, and no key.
    package init(
        _ statements: [VerifiedLossStatement], chains known: [DeviceChain],
        granted: Set<DeviceID> = []
    ) {
        all = statements.sorted { $0.id < $1.id }
        self.granted = granted
        for statement in statements { byID[statement.id] = statement }
        for chain in known + statements.flatMap(\.chains) {
            for length in chain.devices.indices.map({ $0 + 1 }) {
                let part = DeviceChain(key: chain.key, Array(chain.devices.prefix(length)))
                if let device = part.devices.last { chains[device, default: []].insert(part) }
            }
        }
        exchangeKeys()
        self.statements = all.filter { keys.allows($0) }
        judge()
        findLost()
        Invariants.check(
            losses.allSatisfy { device, loss in
                loss.statements.allSatisfy {
                    byID[$0]?.said.lost == device && !takenBack.contains($0)
                }
            }, "a device is lost by a statement that does not count")
    }

    package func isLost(_ device: DeviceID) -> Bool { losses[device] != nil }

    /// The statements that have to be taken back for a device to be lost no more, which who says so can:
    /// nil when they cannot take back all of them.
    package func toTakeBack(for device: DeviceID, by signer: DeviceID?) -> [LossID]? {
        let about = counts(about: device).compactMap { byID[$0] }
        guard !about.isEmpty, about.allSatisfy({ mayTakeBack($0, signer) }) else { return nil }
        return about.map(\.id).sorted()
    }

    /// What a signer said of a device and has not taken back.
    package func said(by signer: DeviceID?, about device: DeviceID) -> [LossID] {
        counts(about: device).filter { byID[$0]?.said.signer == signer }.sorted()
    }

    /// The devices each of whose chains runs through another one.
    package func through(_ elder: DeviceID) -> Set<DeviceID> {
        Set(
            chains.filter { device, chains in
                device != elder && chains.allSatisfy { $0.devices.contains(elder) }
            }.keys)
    }

    /// Statements in the order in which they are kept when there are too many: of the smallest levels first.
    package var keepingOrder: [LossID] {
        let moot = takenBack.union(
            statements.filter { !$0.said.takesBack.isEmpty }.map(\.id))
        return statements.map(\.id).sorted { one, other in
            (moot.contains(one) ? 1 : 0, level(ofSigner: one), one)
                < (moot.contains(other) ? 1 : 0, level(ofSigner: other), other)
        }
    }

    // MARK: Levels

    /// The length of its shortest chain; nobody is senior to a device of which none is known.
    private func level(_ device: DeviceID?) -> Int {
        guard let device else { return 0 }
        return chains[device]?.map(\.devices.count).min() ?? Limits.cardLinks + 1
    }

    private func level(ofSigner id: LossID) -> Int { level(byID[id]?.said.signer) }

    private func shortest(_ device: DeviceID) -> [DeviceID] {
        chains[device]?.map(\.devices).min { one, other in
            one.count == other.count
                ? one.lexicographicallyPrecedes(other) : one.count < other.count
        } ?? []
    }

    private func mayTakeBack(_ statement: VerifiedLossStatement, _ signer: DeviceID?) -> Bool {
        signer == nil || statement.said.signer == signer
            || level(statement.said.signer) > level(signer)
    }

    // MARK: Keys

    /// One after the other, each judged without what the key says that it takes away: the most senior device
    /// decides of those that members let into a space, where there is one, as the old key makes others.
    private mutating func exchangeKeys() {
        while true {
            let person = all.first?.said.person
            let candidates = all.filter { statement in
                statement.exchange.map { keys.mayFollow($0.said) } ?? false
            }
            guard !candidates.isEmpty, let person else { return }
            var without = self
            without.statements = all.filter {
                keys.allows($0) && !($0.said.signer == nil && $0.said.key == keys.key(of: person))
            }
            without.judge()
            let counting = candidates.filter { without.mayExchange($0) }
            guard let chosen = chosen(counting) else {
                keyRivals = Set(counting.compactMap(\.said.signer))
                return
            }
            precondition(exchanges.count < all.count, "more keys are exchanged than was said")
            keys.add(chosen.said)
            kept.formUnion(chosen.said.keeps)
            exchanges.append(chosen)
        }
    }

    private func mayExchange(_ statement: VerifiedLossStatement) -> Bool {
        guard let signer = statement.said.signer else { return false }
        return bars(against: signer).allSatisfy { $0.upholds(statement.id) }
    }

    private func chosen(_ counting: [VerifiedLossStatement]) -> UnverifiedKeyExchange? {
        let byMembers = counting.filter { $0.said.signer.map { granted.contains($0) } ?? false }
        let able = byMembers.isEmpty ? counting : byMembers
        let first = able.map { level($0.said.signer) }.min()
        let equals = able.filter { level($0.said.signer) == first }.compactMap(\.exchange)
        return Set(equals.map(\.said)).count == 1 ? equals.first : nil
    }

    // MARK: Judging

    /// From the smallest level on: what those said who are senior to a device decides whether it may speak.
    private mutating func judge() {
        let bySigner = Dictionary(grouping: statements, by: \.said.signer)
        let signers = bySigner.keys.sorted { one, other in
            level(one) == level(other)
                ? (one ?? .zero) < (other ?? .zero) : level(one) < level(other)
        }
        for signer in signers {
            let bars = bars(against: signer)
            for statement in bySigner[signer] ?? []
            where bars.allSatisfy({ $0.upholds(statement.id) }) {
                note(statement, by: signer)
            }
        }
    }

    private mutating func note(_ statement: VerifiedLossStatement, by signer: DeviceID?) {
        switch statement.said.subject {
        case .exchanged: break
        case .found(let ids):
            takenBack.formUnion(
                ids.filter { id in byID[id].map { mayTakeBack($0, signer) } ?? false })
        case .lost(let device, _, _):
            guard signer == nil || (signer != device && level(signer) <= level(device)) else {
                return
            }
            counting[device, default: []].insert(statement.id)
        }
    }

    /// The statements that take from a signer the right to speak: those about it, and about one through whom
    /// each of its chains runs.
    private func bars(against signer: DeviceID?) -> [VerifiedLossStatement] {
        guard let signer else { return [] }
        let own = heard(about: signer, below: level(signer))
        func inherited(over chain: [DeviceID]) -> [VerifiedLossStatement] {
            chain.dropLast().flatMap { elder in
                heard(about: elder, below: level(signer)).filter { !$0.keeps(signer) }
            }
        }
        let isCutOff = (chains[signer] ?? []).allSatisfy { !inherited(over: $0.devices).isEmpty }
        return isCutOff ? own + inherited(over: shortest(signer)) : own
    }

    private func heard(about device: DeviceID, below level: Int) -> [VerifiedLossStatement] {
        counts(about: device).compactMap { byID[$0] }
            .filter { self.level($0.said.signer) < level }
    }

    private func counts(about device: DeviceID) -> Set<LossID> {
        (counting[device] ?? []).subtracting(takenBack)
    }

    // MARK: Who is lost

    private mutating func findLost() {
        for device in counting.keys {
            let statements = counts(about: device).sorted()
            guard !statements.isEmpty else { continue }
            losses[device] = Loss(
                statements: statements,
                isBySenior: statements.contains { level(ofSigner: $0) < level(device) })
        }
        for (device, chains) in chains
        where losses[device] == nil && chains.allSatisfy({ isOfFormerKey($0) }) {
            losses[device] = Loss(statements: [], isBySenior: true)
        }
        var isMore = true
        while isMore {
            isMore = false
            for (device, chains) in chains where losses[device] == nil {
                let open = chains.filter { !isOfFormerKey($0) }
                let elders = open.map { chain in
                    chain.devices.dropLast().filter { isLostThrough($0, device) }
                }
                guard !elders.contains(where: \.isEmpty) else { continue }
                losses[device] = Loss(
                    statements: [],
                    isBySenior: elders.allSatisfy { elders in
                        elders.contains { losses[$0]?.isBySenior == true }
                    })
                isMore = true
            }
        }
    }

    /// For a device that is lost with another one: of the devices of its shortest chain the first that is called
    /// lost and does not keep it, else the first that is called lost. Nil for any other device.
    package func elder(losing device: DeviceID) -> DeviceID? {
        guard losses[device]?.statements.isEmpty == true else { return nil }
        let open = Set((chains[device] ?? []).filter { !isOfFormerKey($0) }.map(\.devices))
        let shortest = open.min { one, other in
            one.count == other.count
                ? one.lexicographicallyPrecedes(other) : one.count < other.count
        }
        let called = (shortest ?? []).dropLast().filter {
            losses[$0]?.statements.isEmpty == false
        }
        return called.first { isLostThrough($0, device) } ?? called.first
    }

    /// Whether a chain begins with a device that a key let in which the person does not have any more.
    private func isOfFormerKey(_ chain: DeviceChain) -> Bool {
        guard let first = chain.devices.first, let current = exchanges.last?.said.newKey else {
            return false
        }
        return chain.key != current && !kept.contains(first)
    }

    /// Whether a device that came in through another one is lost with it.
    private func isLostThrough(_ elder: DeviceID, _ device: DeviceID) -> Bool {
        guard let loss = losses[elder] else { return false }
        let first = loss.statements.map { level(ofSigner: $0) }.min()
        let deciding = loss.statements.filter { level(ofSigner: $0) == first }
        return deciding.isEmpty || !deciding.allSatisfy { byID[$0]?.keeps(device) == true }
    }
}

extension ExchangedKeys {
    fileprivate func allows(_ statement: VerifiedLossStatement) -> Bool {
        guard statement.said.signer == nil else { return true }
        return allows(
            StatementKey(
                statement.said.person, key: statement.said.key,
                statement: StatementID(statement.id.value)))
    }
}

extension VerifiedLossStatement {
    package var exchange: UnverifiedKeyExchange? {
        if case .exchanged(let exchange) = said.subject { exchange } else { nil }
    }

    fileprivate func upholds(_ id: LossID) -> Bool {
        if case .lost(_, let upholds, _) = said.subject { upholds.contains(id) } else { false }
    }

    fileprivate func keeps(_ device: DeviceID) -> Bool { said.kept.contains(device) }
}

/// That a device is lost, as this device knows it.
package struct KnownLoss: Hashable, Sendable {
    /// When this device heard of it; nil where nobody said it of this very device.
    package let since: Milliseconds?
    /// The device that said so first by what is here; nil where the person's recovery key said so, or nobody did.
    package let by: DeviceID?
    /// The lost device that it is lost with; nil for any other device.
    package let through: DeviceID?

    package init(since: Milliseconds?, by: DeviceID?, through: DeviceID? = nil) {
        (self.since, self.by, self.through) = (since, by, through)
    }

    /// Why a device is lost.
    package enum Cause: Hashable, Sendable {
        /// This device said so.
        case device(DeviceID)
        /// The person's recovery key said so.
        case key
        /// It came through this device, which a device or the key said is lost.
        case through(DeviceID)
        /// It came in with a recovery key that was exchanged.
        case formerKey
    }

    package var cause: Cause {
        if let by { return .device(by) }
        if let through { return .through(through) }
        return since == nil ? .formerKey : .key
    }
}
