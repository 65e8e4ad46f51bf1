import SyncCore

/// The epochs of a space derived from the facts, as in section 9 of the design.
struct EpochVerdict: Equatable {
    /// The effective epochs, and the devices that were given the secret of each by a rightful
    /// holder.
    var devices: [CommitID: Set<DeviceID>] = [:]
    /// The epoch to write under, for a device that can open all of them.
    var writing: CommitID?
    var missing: [DeviceID: Set<CommitID>] = [:]
    /// Readers from whom some epochs are withheld on purpose.
    var fromNow: Set<DeviceID> = []
    var isToBeSealed = false

    init(_ membership: Membership) {
        devices = membership.epochs.mapValues(\.devices)
        writing = membership.writingEpoch(avoiding: []) { _ in true }
        missing = membership.missingEpochs
        fromNow = membership.readers.filter { membership.epochFacts.isFromNow($0) }
        isToBeSealed = membership.isToBeSealed
    }

    init(_ membership: ReferenceMembership) {
        let reference = ReferenceEpochs(membership)
        let made = reference.made.values
        for epoch in made where reference.counts(epoch) {
            devices[epoch.commit] = reference.devices(of: epoch)
        }
        writing =
            made.filter { reference.mayBeWrittenUnder($0) }.max { reference.isBefore($0, $1) }?
            .commit
        for device in reference.readers {
            let withheld = reference.withheld(from: device)
            if !withheld.isEmpty { fromNow.insert(device) }
            let lacking = made.filter { reference.lacks($0, device) }.map(\.commit)
            let wanted = Set(lacking).subtracting(withheld)
            if !wanted.isEmpty { missing[device] = wanted }
        }
        isToBeSealed = made.contains { membership.isMeantAsEpoch($0.entry) }
    }
}

/// A second evaluation of a space's epochs: each rule as a question that is answered from the facts
/// alone, however slowly.
private struct ReferenceEpochs {
    /// A fact about epochs with its position.
    struct Placed {
        let id: FactReference
        let fact: EpochFact
        let entry: ReferenceMembership.Entry

        var commit: CommitID { id.commit }
        var maker: DeviceID { entry.log.device }
        var named: Set<DeviceID> { Set(fact.keys.map(\.device)) }
    }

    /// For each commit, its first fact that makes an epoch.
    private(set) var made: [CommitID: Placed] = [:]
    private(set) var readers: Set<DeviceID> = []
    private let membership: ReferenceMembership
    /// Facts that give devices the keys of existing epochs, in the order of their ids.
    private var additions: [Placed] = []
    private let letIn: Set<DeviceID>

    init(_ membership: ReferenceMembership) {
        self.membership = membership
        letIn = membership.named
        for (id, entry) in membership.entries.sorted(by: { $0.key < $1.key }) {
            guard case .epoch(let fact) = entry.fact else { continue }
            let placed = Placed(id: id, fact: fact, entry: entry)
            if !fact.addedTo.isEmpty {
                additions.append(placed)
            } else if made[id.commit] == nil {
                made[id.commit] = placed
            }
        }
        readers = Set(membership.grants.filter { mayRead($0.key) }.map(\.value.card.device))
    }

    private func mayRead(_ grant: FactReference) -> Bool {
        membership.stands(grant) && membership.current(grant).contains(.read)
    }

    /// The holders, if those may pass it on whose facts satisfy this condition.
    private func holders(
        of epoch: Placed, _ mayHandOn: (Placed) -> Bool
    ) -> Set<DeviceID> {
        let own = additions.filter { $0.fact.addedTo.contains(epoch.commit) && mayHandOn($0) }
        var holders = epoch.named.intersection(letIn)
        while true {
            let more = own.filter { holders.union([epoch.maker]).contains($0.maker) }
                .reduce(holders) { $0.union($1.named) }.intersection(letIn)
            if more == holders { return holders }
            holders = more
        }
    }

    func counts(_ epoch: Placed) -> Bool { membership.isEpoch(epoch.entry) }

    /// The devices that were given its secret, among all that were ever let in.
    func devices(of epoch: Placed) -> Set<DeviceID> {
        holders(of: epoch) { membership.wasGiven(.read, $0.entry) }
    }

    func lacks(_ epoch: Placed, _ device: DeviceID) -> Bool {
        epoch.maker != device && !epoch.fact.recipient.isEmpty
            && !devices(of: epoch).contains(device)
    }

    /// No device has it that was let in once and may not read now, even if only a statement says
    /// so.
    func mayBeWrittenUnder(_ epoch: Placed) -> Bool {
        let all = holders(of: epoch) { _ in true }.union([epoch.maker])
        return counts(epoch) && all.intersection(letIn).isSubset(of: readers)
    }

    func isBefore(_ one: Placed, _ other: Placed) -> Bool {
        let (left, right) = (past(of: one), past(of: other))
        return left != right ? left < right : one.commit < other.commit
    }

    /// How many commits its own had seen, itself included; for a forked log those before the fork,
    /// or the pinned ones.
    private func past(of epoch: Placed) -> UInt64 {
        epoch.entry.seen.reduce(0) { sum, other in
            let isOwn = other.key == epoch.entry.log
            return sum + (isOwn ? other.value : min(other.value, membership.end(of: other.key)))
        }
    }

    // MARK: From now on

    /// Epochs withheld by every grant that lets a device read.
    func withheld(from device: DeviceID) -> Set<CommitID> {
        let own = membership.grants.filter { $0.value.card.device == device && mayRead($0.key) }
        let limits = own.keys.map { limit(of: $0) }
        return limits.dropFirst().reduce(limits.first ?? []) { $0.intersection($1) }
    }

    /// The limit of the grant or, if its commit has none, of the one of the same person above it.
    private func limit(of grant: FactReference) -> Set<CommitID> {
        var next: FactReference? = grant
        while let id = next, let own = membership.grants[id] {
            if let limiting = made[id.commit], limiting.fact.isFromNow, counts(limiting) {
                let seen = made.values.filter {
                    $0.entry.sequence <= limiting.entry.seen[$0.entry.log] ?? 0
                }
                return Set(seen.map(\.commit)).subtracting([id.commit])
            }
            next = own.parent.flatMap { parent in
                let isOwn = membership.grants[parent]?.card.person == own.card.person
                return isOwn && membership.stands(parent) ? parent : nil
            }
        }
        return []
    }
}
