/// A time of a space during which its operations are sealed under one secret. Architecture section 9.
package struct Epoch: Hashable, Comparable, Sendable {
    /// The fact that made it, the first of its commit to do so.
    fileprivate let fact: FactReference
    /// `age1…`
    package let recipient: String
    /// Who made it, and so knows its secret.
    package let maker: DeviceID
    let place: LogID
    let sequence: UInt64
    /// How many commits its own had seen, with itself: more than each of them. 2 where a space begins with it.
    package let past: UInt64
    /// Whether its maker might make one. Others are not written under; what was counts all the same.
    package let counts: Bool
    /// The same, also where the log forked: what was encrypted is not written in the clear because somebody's
    /// device lived twice.
    fileprivate let wasMeant: Bool
    /// The devices that were given its secret by somebody who had it.
    package fileprivate(set) var devices: Set<DeviceID>
    /// The same, whatever the one who gave it may.
    fileprivate(set) var rumoured: Set<DeviceID>

    /// The commit that made it.
    package var id: CommitID { fact.commit }

    /// By how much they had seen: an epoch comes after those that it knew of.
    package static func < (left: Epoch, right: Epoch) -> Bool {
        (left.past, left.id) < (right.past, right.id)
    }

    /// An epoch that counts was meant to, and each device that got the secret from an entitled device got it from some device.
    var isCoherent: Bool { (!counts || wasMeant) && rumoured.isSuperset(of: devices) }
}

/// A fact about epochs with where it stands.
struct PlacedEpochFact: Sendable {
    let fact: EpochFact
    let id: FactReference
    let origin: Membership.Origin
}

/// The epochs of one space: a pure function of its facts, as all of membership.
package struct EpochFacts: Sendable {
    private var placed: [PlacedEpochFact] = []
    /// All that anybody made.
    private(set) var epochs: [CommitID: Epoch] = [:]
    /// By log, where the first epoch of it stands that counts, and the first that was meant to.
    private var counting: [LogID: UInt64] = [:]
    private var meant: [LogID: UInt64] = [:]
    /// By device: epochs that its inviter did not give it.
    private(set) var withheld: [DeviceID: Set<CommitID>] = [:]

    var isEmpty: Bool { placed.isEmpty }

    mutating func collect(_ fact: EpochFact, _ id: FactReference, _ origin: Membership.Origin) {
        placed.append(PlacedEpochFact(fact: fact, id: id, origin: origin))
    }

    /// Judges all facts by who stands in the space; returns whether anything changed.
    mutating func judge(in membership: Membership) -> Bool {
        guard !placed.isEmpty else { return false }
        let before = (epochs, withheld)
        // What is said of others takes up memory and means nothing.
        let known = membership.facts.devicesEverLetIn
        makeEpochs(in: membership, known)
        addDevices(in: membership, known)
        return (epochs, withheld) != before
    }

    /// Of several in one commit the first is the epoch that is named by the commit. The first one of a space
    /// takes an admin; a writer may follow one that counts, so that nobody has to wait for an admin when
    /// somebody may not read any more.
    private mutating func makeEpochs(in membership: Membership, _ known: Set<DeviceID>) {
        (epochs, counting, meant) = ([:], [:], [:])
        var made: [CommitID: (entry: PlacedEpochFact, past: UInt64)] = [:]
        for entry in placed where entry.fact.addedTo.isEmpty {
            let first = made[entry.id.commit].map(\.entry.id.index) ?? .max
            guard entry.id.index < first else { continue }
            made[entry.id.commit] = (entry, entry.origin.past(in: membership))
        }
        // Nearly always each comes after what it had seen; where logs forked it may not.
        let ordered = made.values.sorted { ($0.past, $0.entry.id) < ($1.past, $1.entry.id) }
        var count: Int
        repeat {
            count = standing
            judge(ordered, in: membership, known)
            precondition(standing >= count, "\(count) epochs count, and then \(standing)")
        } while standing != count
        precondition(
            epochs.count == made.count, "\(made.count) epochs were made, \(epochs.count) are judged"
        )
        Invariants.check(
            counting.allSatisfy { meant[$0.key] ?? .max <= $0.value },
            "an epoch counts before any that was meant to")
    }

    /// How many count, or were meant to.
    private var standing: Int {
        epochs.values.reduce(0) { $0 + ($1.counts ? 1 : 0) + ($1.wasMeant ? 1 : 0) }
    }

    private mutating func judge(
        _ made: [(entry: PlacedEpochFact, past: UInt64)], in membership: Membership,
        _ known: Set<DeviceID>
    ) {
        for (entry, past) in made {
            let devices = Set(entry.fact.keys.map(\.device)).intersection(known)
            let origin = entry.origin
            let counts = mayMake(origin, in: membership, after: counting)
            let wasMeant = mayMake(origin, in: membership, isForkCounted: false, after: meant)
            if counts { counting[origin.log] = min(counting[origin.log] ?? .max, origin.sequence) }
            if wasMeant { meant[origin.log] = min(meant[origin.log] ?? .max, origin.sequence) }
            epochs[entry.id.commit] = Epoch(
                fact: entry.id, recipient: entry.fact.recipient, maker: origin.log.device,
                place: origin.log, sequence: origin.sequence, past: past, counts: counts,
                wasMeant: wasMeant, devices: devices,
                rumoured: devices.union([origin.log.device]))
        }
    }

    /// Whether an epoch counts that stands there, where it may follow others of which the first of each log
    /// is named.
    private func mayMake(
        _ origin: Membership.Origin, in membership: Membership, isForkCounted: Bool = true,
        after first: [LogID: UInt64]
    ) -> Bool {
        func wasGiven(_ flags: Permissions) -> Bool {
            membership.wasGiven(flags, origin, isForkCounted: isForkCounted)
        }
        if wasGiven([.read, .admin]) { return true }
        return wasGiven([.read, .write])
            && first.contains { origin.hasSeen($0.key, $0.value) }
    }

    private mutating func addDevices(in membership: Membership, _ known: Set<DeviceID>) {
        let additions = placed.filter { !$0.fact.addedTo.isEmpty }
        // Also where the log forked since: what was given was given.
        let allowed = additions.filter {
            membership.wasGiven(.read, $0.origin, isForkCounted: false)
        }
        handOn(\.rumoured, by: additions, known)
        handOn(\.devices, by: allowed, known)
        withhold(in: membership)
    }

    /// A device may report handing on a key only if it made the key, or got it from a device that had it:
    /// believing other reports would keep devices from getting the key.
    private mutating func handOn(
        _ holders: WritableKeyPath<Epoch, Set<DeviceID>>, by additions: [PlacedEpochFact],
        _ known: Set<DeviceID>
    ) {
        let byAuthor = Dictionary(grouping: additions, by: \.origin.log.device)
        var waiting = Array(byAuthor.keys)
        while let author = waiting.popLast() {
            for addition in byAuthor[author] ?? [] {
                let named = Set(addition.fact.keys.map(\.device)).intersection(known)
                for id in addition.fact.addedTo {
                    guard let epoch = epochs[id],
                        epoch.maker == author || epoch[keyPath: holders].contains(author)
                    else { continue }
                    let new = named.subtracting(epoch[keyPath: holders])
                    epochs[id]?[keyPath: holders].formUnion(new)
                    waiting += new.filter { byAuthor[$0] != nil }
                }
            }
        }
        Invariants.check(
            byAuthor.values.joined().allSatisfy { addition in
                addition.fact.addedTo.allSatisfy { id in
                    guard let epoch = epochs[id] else { return true }
                    let author = addition.origin.log.device
                    let isHeld = epoch.maker == author || epoch[keyPath: holders].contains(author)
                    let named = Set(addition.fact.keys.map(\.device)).intersection(known)
                    return !isHeld || epoch[keyPath: holders].isSuperset(of: named)
                }
            }, "a key was handed on by a device that had it, and counts as not given")
    }

    /// By device, the epochs whose secret another one said to have given it.
    package func given(by author: DeviceID) -> [DeviceID: Set<CommitID>] {
        placed.filter { $0.origin.log.device == author }.reduce(into: [:]) { given, entry in
            for key in entry.fact.keys {
                given[key.device, default: []].formUnion(entry.fact.addedTo)
            }
        }
    }

    /// The commits that may have brought the secret of an epoch to a device: those that name it, whatever their author
    /// may, and on its maker's own device the one that made it.
    package func commits(giving epoch: CommitID, to device: DeviceID) -> Set<CommitID> {
        Set(
            placed.filter { entry in
                let isOfIt =
                    entry.fact.addedTo.isEmpty
                    ? entry.id.commit == epoch : entry.fact.addedTo.contains(epoch)
                return isOfIt
                    && (entry.fact.keys.contains { $0.device == device }
                        || entry.origin.log.device == device)
            }.map(\.id.commit))
    }

    /// People whom the commit of an epoch lets in from now on have no epoch that it had seen, even where
    /// somebody gives it to them.
    private mutating func withhold(in membership: Membership) {
        var limits: [CommitID: Set<CommitID>] = [:]
        // A commit that lets nobody in limits nobody.
        let givers = Set(membership.standings.keys.map(\.commit))
        for entry in placed where entry.fact.isFromNow && givers.contains(entry.id.commit) {
            guard let own = epochs[entry.id.commit], own.fact == entry.id, own.counts else {
                continue
            }
            let earlier = epochs.values.filter {
                $0.id != own.id && entry.origin.hasSeen($0.place, $0.sequence)
            }
            limits[own.id] = Set(earlier.map(\.id))
        }
        withheld = limits.isEmpty ? [:] : withheld(by: limits, membership.standings)
        Invariants.check(
            withheld.allSatisfy { device, lacking in
                membership.permissions(of: device).contains(.read)
                    && lacking.isSubset(of: epochs.keys)
            }, "epochs are withheld that are not there, or from devices that read nothing")
    }

    /// By device, what none of its grants that allow reading gives it. A device that was once let in without
    /// a limit has none; a grant that descends from another one of its person has the limit of that.
    private func withheld(
        by limits: [CommitID: Set<CommitID>], _ standings: [FactReference: GrantStanding]
    ) -> [DeviceID: Set<CommitID>] {
        var found: [DeviceID: Set<CommitID>] = [:]
        for (id, standing) in standings where standing.current.contains(.read) {
            let limit = limit(of: id, standings, limits)
            let device = standing.card.device
            found[device] = found[device]?.intersection(limit) ?? limit
        }
        return found.filter { !$0.value.isEmpty }
    }

    private func limit(
        of id: FactReference, _ standings: [FactReference: GrantStanding],
        _ limits: [CommitID: Set<CommitID>]
    ) -> Set<CommitID> {
        var id = id
        while true {
            if let limit = limits[id.commit] { return limit }
            guard let standing = standings[id], let parent = standing.parent,
                standings[parent]?.card.person == standing.card.person
            else { return [] }
            id = parent
        }
    }

    /// Whether a device that may read was not given some epochs on purpose.
    package func isFromNow(_ device: DeviceID) -> Bool { withheld[device]?.isEmpty == false }

    /// In each log that has them, the first commit that had seen an epoch: what it and later ones
    /// write has to be sealed. `firstSeen` tells of a log at which of its commits it had first seen a
    /// position of another one.
    package func sealedFrom(
        _ logs: some Sequence<LogID>,
        firstSeen: (_ log: LogID, _ other: LogID, _ sequence: UInt64) throws -> UInt64?
    ) rethrows -> [LogID: UInt64] {
        var first: [LogID: UInt64] = [:]
        let epochs = epochs.values.filter(\.counts)
        for log in logs {
            for epoch in epochs {
                let found =
                    epoch.place == log
                    ? epoch.sequence + 1 : try firstSeen(log, epoch.place, epoch.sequence)
                if let found { first[log] = min(first[log] ?? .max, found) }
            }
        }
        return first
    }

    /// Whether a commit at this position, that had seen this much of other logs, had seen an epoch.
    func hasSeenEpoch(at log: LogID, _ sequence: UInt64, seen: [LogID: UInt64]) -> Bool {
        epochs.values.contains { epoch in
            guard epoch.counts else { return false }
            return epoch.place == log
                ? epoch.sequence < sequence : seen[epoch.place] ?? 0 >= epoch.sequence
        }
    }
}

extension Membership {
    /// Whether what is written in a space is sealed.
    package var isEncrypted: Bool { epochFacts.epochs.contains { $0.value.counts } }

    /// Whether what is written from now on has to be sealed: also where no epoch counts any more.
    package var isToBeSealed: Bool { epochFacts.epochs.contains { $0.value.wasMeant } }

    /// Whether anything says how something is sealed.
    package var hasEpochs: Bool { !epochFacts.isEmpty }

    /// The epochs that were made by somebody whose grant allowed it. What was taken from them since
    /// changes nothing.
    package var epochs: [CommitID: Epoch] { epochFacts.epochs.filter(\.value.counts) }

    /// Whether a commit there was written under a grant that is valid and was given these flags.
    func wasGiven(
        _ flags: Permissions, _ origin: Origin, isForkCounted: Bool = true
    ) -> Bool {
        guard let grant = origin.grant, let standing = standings[grant],
            standing.card.device == origin.log.device, standing.granted.isSuperset(of: flags)
        else { return false }
        guard isForkCounted else { return true }
        return origin.counts(in: self)
    }

    /// The epoch that operations are sealed under now: of those that can be opened here, and that
    /// nobody knows who was once let in and may not read any more, or who is `lost`, the one that had seen
    /// the most.
    package func writingEpoch(
        avoiding lost: Set<DeviceID>, where canOpen: (CommitID) -> Bool
    ) -> CommitID? {
        let former = facts.devicesEverLetIn.subtracting(readers).union(lost)
        return epochs.values.filter { epoch in
            epoch.rumoured.isDisjoint(with: former) && canOpen(epoch.id)
        }.max()?.id
    }

    /// By device that may read: the epochs whose secret it was not given, and should have been. Also
    /// those that do not count: what was written under them does.
    package var missingEpochs: [DeviceID: Set<CommitID>] {
        guard hasEpochs else { return [:] }
        return readers.reduce(into: [:]) { missing, device in
            let lacking = epochFacts.epochs.values.filter {
                $0.maker != device && !$0.devices.contains(device) && !$0.recipient.isEmpty
            }.map(\.id)
            let wanted = Set(lacking).subtracting(epochFacts.withheld[device] ?? [])
            if !wanted.isEmpty { missing[device] = wanted }
        }
    }

    /// The devices that a commit let in.
    package func devices(letInBy commit: CommitID) -> Set<DeviceID> {
        Set(standings.filter { $0.key.commit == commit }.map(\.value.card.device))
    }

    /// What would be if the facts of this commit were known as well.
    package func adding(_ commit: VerifiedCommit, seen: [LogID: UInt64]) -> Membership {
        var other = self
        _ = other.add(commit, seen: seen)
        return other
    }
}
