package import LocalAPI
package import SyncCore

/// The result of the facts: the overall sign, that of each device and each space, and the problems. Pure;
/// everything that reports on sync uses it.
package struct StatusVerdict: Sendable {
    package let state: SyncState
    /// Of this device, then of the others and the spaces; urgent ones first.
    package let problems: [StatusProblem]
    package let devices: [DeviceID: DeviceVerdict]
    package let spaces: [SpaceID: SpaceVerdict]
    /// Decisions that only this person can make.
    package let person: PersonWaits
    /// Something waits for another device.
    package let isWaiting: Bool
    /// Trips and spaces that are shared with no other device.
    package let onlyHere: SpaceCount

    package init(_ facts: StatusFacts) {
        var facts = facts
        let clocks = ClockVerdict(
            facts.devices.map { ($0.device, $0.clockSkewMilliseconds) },
            ahead: facts.spaces.flatMap(\.ahead))
        for index in facts.spaces.indices { clocks.judge(&facts.spaces[index]) }
        let present = Set(facts.devices.filter(\.isPresent).map(\.device))
        let full = Set(facts.devices.filter(\.isDiskFull).map(\.device))
        let balances = facts.spaces.map { SpaceBalance($0) }
        let spaces = Dictionary(
            balances.map { ($0.facts.space, SpaceVerdict($0, present: present, full: full)) }
        ) { $1 }
        let devices = Dictionary(
            facts.devices.map { ($0.device, DeviceVerdict($0, balances, clocks)) }
        ) { $1 }
        let ofSpaces = facts.spaces.flatMap { spaces[$0.space]?.problems ?? [] }
        let ofDevices = facts.devices.flatMap { devices[$0.device]?.problems ?? [] }
        let ofCopy = StatusVerdict.copies(facts, ofDevices)
        problems = StatusProblem.sorted(
            StatusVerdict.problems(of: facts.here, clocks) + ofCopy
                + StatusVerdict.fullDisk(facts.here, balances, spaces.values)
                + ofDevices.filter { !$0.isOfCopy }
                + StatusVerdict.ahead(in: facts.spaces).map { .changesAhead($0) }
                + ofSpaces.filter { !StatusVerdict.isReportedOnce($0, facts.here) }
                + facts.arrivals.map { .arrival($0) }
                + facts.deletions.map { .deletedSpace($0.space, unseen: $0.unseen) }
                + facts.invitations.map { .invitation($0) }
                + facts.leaves.map { .unsentLeave($0, isSyncOn: facts.here.isSyncOn) }
                + facts.upgrades.map { .olderFields($0) }
                + StatusVerdict.answers(in: facts.spaces)
                + StatusVerdict.requests(in: facts.spaces))
        self.devices = devices
        self.spaces = spaces
        let person = StatusVerdict.waits(forPerson: facts)
        self.person = person
        onlyHere = SpaceCount(facts.spaces) { spaces[$0.space]?.state == .localOnly }
        isWaiting =
            devices.values.contains { $0.isWaiting } || !facts.leaves.isEmpty
            || spaces.values.contains { $0.missing != .nothing }
        state = StatusVerdict.state(
            facts, problems, Array(devices.values), Array(spaces.values),
            isAsked: !person.isNothing, isAlone: present.isEmpty)
    }

    /// Whether one problem stands for this one of every space: a full disk, a folder that may not be used, a clock, or
    /// the loss of this device.
    private static func isReportedOnce(_ problem: StatusProblem, _ here: HereFacts) -> Bool {
        switch problem {
        case .noRoom, .changesAhead: true
        case .givenUpFiles: fileFault(of: here) != nil
        case .taken: here.loss != nil
        default: false
        }
    }

    /// That this home is a copy, or has one, said once: by how many others notice it is of no interest here.
    private static func copies(
        _ facts: StatusFacts, _ ofDevices: [StatusProblem]
    ) -> [StatusProblem] {
        if let noticed = ofDevices.first(where: \.isOfCopy) { return [noticed] }
        return facts.isCopy ? [.copied] : []
    }

    private static func waits(forPerson facts: StatusFacts) -> PersonWaits {
        var waits = PersonWaits()
        waits.entries =
            facts.spaces.reduce(0) { $0 + $1.conflicts }
            + facts.deletions.count { $0.unseen > 0 }
        waits.invitations = facts.invitations.count
        waits.requests = facts.spaces.reduce(0) { $0 + $1.requests.count }
        waits.uncounted = SpaceCount(facts.spaces) { $0.uncounted.isTold }
        waits.taken = SpaceCount(facts.spaces) { $0.taken?.isLeft == false }
        waits.left = SpaceCount(facts.spaces) { $0.taken?.isLeft == true }
        return waits
    }

    /// Why this device exchanges nothing with anybody; most telling first.
    package static func obstacles(of here: HereFacts) -> [StatusProblem] {
        switch here.storageFault {
        case .readOnly:
            return [.readOnly(here.disk.map { $0.needing(UInt64(Limits.commitBytes)) })]
        case .broken(let fault):
            return [.storageFault(sentence: fault.message, hint: fault.advice)]
        case .noFiles, .closedFiles, nil: break
        }
        if !here.isSyncOn { return [.syncOff] }
        if !here.isAgentRunning { return [.noAgent] }
        return here.hasNetwork ? [] : [.noNetwork]
    }

    /// Why no file can be read or written here.
    static func fileFault(of here: HereFacts) -> StatusProblem? {
        switch here.storageFault {
        case .noFiles: .noFiles
        case .closedFiles(let folder): .closedFiles(folder: folder)
        case .readOnly, .broken, nil: nil
        }
    }

    private static func problems(
        of here: HereFacts, _ clocks: ClockVerdict
    ) -> [StatusProblem] {
        let obstacles = obstacles(of: here)
        var problems = obstacles + here.damage.map { .damaged($0) }
        if let fault = fileFault(of: here) { problems.append(fault) }
        if let loss = here.loss { problems.append(.calledLost(loss)) }
        if !here.keyRivals.isEmpty { problems.append(.contestedKey(here.keyRivals)) }
        if let seconds = clocks.here { problems.append(.clockHere(seconds)) }
        if let behind = clocks.behind {
            problems.append(.clockBehind(devices: behind.devices, seconds: behind.seconds))
        }
        problems += here.dataSets.map { .dataSet($0) } + here.moves.map { .interruptedMove($0) }
        // A device that exchanges nothing need not be found.
        return obstacles.isEmpty ? problems + unreachable(here) : problems
    }

    /// Obstacles on this machine to finding this device, or to connecting to it.
    private static func unreachable(_ here: HereFacts) -> [StatusProblem] {
        [
            here.discovery.map { .noDiscovery($0, here.administration) },
            here.port.map { .portTaken($0, isFound: here.discovery == nil) },
            here.firewall.map { .firewall($0, here.administration) },
        ].compactMap(\.self)
    }

    /// Reported even before anything was refused; urgent once something waits for room.
    private static func fullDisk(
        _ here: HereFacts, _ spaces: [SpaceBalance], _ verdicts: some Sequence<SpaceVerdict>
    ) -> [StatusProblem] {
        // The problem that nothing is written says it already.
        if case .readOnly = here.storageFault { return [] }
        let unfits = spaces.compactMap(\.unfitBytes)
        let unfit = unfits.isEmpty ? nil : unfits.reduce(0) { $0 &+ $1 }
        // Room for one of them would bring the same sentence again for the next one.
        let disk = here.disk.map { $0.needing(unfit ?? 0) }
        let isFull = here.isDiskFull || unfit != nil || disk?.isFull == true
        guard isFull else { return [] }
        // Files leave room for text: without them this device goes on.
        let hasRoomForText = here.disk.map { $0.freeBytes >= UInt64(Limits.commitBytes) } ?? false
        let isCalm =
            hasRoomForText && unfit == nil && verdicts.allSatisfy { $0.missing == .nothing }
        return [isCalm ? .diskFilling(disk) : .diskFull(disk)]
    }

    private static func answers(in spaces: [SpaceFacts]) -> [StatusProblem] {
        spaces.flatMap { space in
            space.answers.sorted { $0.key < $1.key }.map { person, answer in
                switch answer {
                case .nothing: .unanswered(space.space, person)
                case .no: .declined(space.space, person)
                }
            }
        }
    }

    private static func requests(in spaces: [SpaceFacts]) -> [StatusProblem] {
        spaces.flatMap { space in
            space.requests.sorted { $0.key < $1.key }.map {
                .request(space.space, $0.key, $0.value)
            }
        }
    }

    /// Future-dated changes by device, over all spaces.
    private static func ahead(in spaces: [SpaceFacts]) -> [AheadFacts] {
        var found: [DeviceID: AheadFacts] = [:]
        for facts in spaces.flatMap(\.ahead) {
            found[facts.device]?.add(facts) ?? { found[facts.device] = facts }()
        }
        return found.values.sorted { $0.device < $1.device }
    }

    private static func state(
        _ facts: StatusFacts, _ problems: [StatusProblem], _ devices: [DeviceVerdict],
        _ spaces: [SpaceVerdict], isAsked: Bool, isAlone: Bool
    ) -> SyncState {
        if problems.contains(where: \.isUrgent) { return .error }
        if isAlone || !obstacles(of: facts.here).isEmpty { return .offline }
        if devices.contains(where: { $0.state == .syncing })
            || spaces.contains(where: { $0.state == .syncing })
        {
            return .syncing
        }
        let isWaiting =
            isAsked || devices.contains { $0.isWaiting }
            || spaces.contains { $0.missing != .nothing } || !facts.here.damage.isEmpty
            || !facts.leaves.isEmpty
        return isWaiting ? .pending : .synced
    }
}

/// The verdict on one device, as far as this one knows.
package struct DeviceVerdict: Sendable {
    package let state: SyncState
    package let problems: [StatusProblem]
    /// Items that it lacks and this device can send.
    package let toSend: WaitingCount
    /// Items that both devices lack.
    package let fromOthers: WaitingCount

    package var isWaiting: Bool { toSend != .nothing || fromOthers != .nothing }

    init(_ facts: DeviceFacts, _ spaces: [SpaceBalance], _ clocks: ClockVerdict) {
        var send = WaitingCount.nothing
        var others = WaitingCount.nothing
        for space in spaces {
            let owed = space.owed(to: facts.device)
            send += owed.toSend
            others += owed.fromOthers
        }
        // Sync that a person switched off there, or a full disk, is no problem while nothing waits for it.
        let needless: Set<ProblemView.Kind> = [.syncOffThere, .diskFullThere]
        var problems = DeviceVerdict.obstacles(of: facts)
            .filter { !needless.contains($0.kind) || send != .nothing }
        if let calls = facts.calls, problems.isEmpty, !facts.isPresent, send != .nothing,
            calls.failures >= Limits.deliveriesUntold
        {
            problems.append(.undelivered(facts.device, calls))
        }
        if let seconds = clocks.there[facts.device] {
            problems.append(.clockThere(facts.device, seconds))
        }
        let oddities = facts.oddities
        if oddities.contains(.meetsCopyOfThis) {
            problems.append(.runsTwice(facts.device, isHere: true))
        }
        if oddities.contains(.runsTwice) {
            problems.append(.runsTwice(facts.device, isHere: false))
        }
        if let admission = facts.admission {
            problems.append(.cameByKey(facts.device, admission))
        }
        if oddities.contains(.sentRefusedChanges) {
            problems.append(.changesRefused(facts.device))
        } else if oddities.contains(.sentBrokenData) {
            problems.append(.brokenData(facts.device))
        }
        if case .connected(_, let gap) = facts.link, gap > Limits.gapMilliseconds {
            problems.append(.leavesOut(facts.device))
        }
        self.problems = StatusProblem.sorted(problems)
        toSend = send
        fromOthers = others
        if problems.contains(where: \.isUrgent) {
            state = .error
        } else if facts.isPresent {
            state = send != .nothing ? .syncing : others != .nothing ? .pending : .synced
        } else {
            state = send == .nothing && others == .nothing ? .offline : .pending
        }
    }

    /// Obstacles to reaching a device, apart from its absence.
    package static func obstacles(of facts: DeviceFacts) -> [StatusProblem] {
        var found: [StatusProblem] = []
        if facts.distrustsThis { found.append(.distrusted(facts.device)) }
        if let isNewer = facts.speaksNewer {
            found.append(
                .foreignVersion(facts.device, isNewer: isNewer, version: facts.version))
        }
        if facts.calls?.error == .otherKey, !facts.isConnected {
            found.append(.otherKey(facts.device))
        }
        if facts.isSyncOff, !facts.isPresent { found.append(.syncOffThere(facts.device)) }
        if facts.isDiskFull { found.append(.diskFullThere(facts.device)) }
        if case .connected(let silence, _) = facts.link, facts.isSilent {
            found.append(.silent(facts.device, seconds: Int(clamping: silence / 1000)))
        }
        return found
    }
}

/// Finds the wrong clock. With one other device nobody can tell; when several others agree and this one
/// differs, it is this one's.
struct ClockVerdict {
    /// Seconds that this clock is ahead of all others; nil while it agrees with one of them.
    private(set) var here: Int?
    /// Seconds that a device's clock is ahead of this one, where that is too far.
    private(set) var there: [DeviceID: Int] = [:]
    /// How many others made changes that are in the future here, and by how much at most: this clock is behind then,
    /// unless one of them agreed with it.
    private(set) var behind: (devices: Int, seconds: Int)?

    /// How far the clocks of other devices are ahead of this one, in milliseconds; nil where that is unknown. And
    /// changes that are dated in the future.
    init(_ devices: [(device: DeviceID, skew: Int64?)], ahead: [AheadFacts]) {
        let skews = devices.compactMap { device, skew in skew.map { (device, $0) } }
        let limit = Int64(Limits.clockSkewMilliseconds)
        let apart = skews.filter { abs($0.1) > limit }
        let values = apart.map(\.1)
        if apart.count == skews.count, apart.count > 1, let low = values.min(),
            let high = values.max(), high - low <= limit
        {
            here = Int(-low / 1000)
        } else {
            there = Dictionary(apart.map { ($0.0, Int($0.1 / 1000)) }) { $1 }
        }
        let others = Set(devices.map(\.device))
        let those = ahead.filter { others.contains($0.device) }
        guard here == nil, apart.count == skews.count,
            AheadFacts.areOfThisClock(Set(those.map(\.device)), among: others.count)
        else { return }
        behind = (Set(those.map(\.device)).count, those.map(\.seconds).max() ?? 0)
    }

    /// With a wrong clock nobody can tell what is in the future.
    func judge(_ space: inout SpaceFacts) {
        if here != nil || behind != nil { space.ahead = [] }
    }
}

extension WaitingCount {
    package static func += (left: inout WaitingCount, right: WaitingCount) {
        left = WaitingCount(
            changes: left.changes + right.changes, files: left.files + right.files,
            bytes: left.bytes &+ right.bytes)
    }
}
