package import LocalAPI
package import SyncCore

/// A problem of sync that a person should know, without words yet.
package enum StatusProblem: Hashable, Sendable {
    case storageFault(sentence: Message, hint: Message?)
    case diskFull(DiskFacts?)
    /// Seconds that this clock is ahead of all others.
    case clockHere(Int)
    case damaged(DamageFacts)
    case calledLost(KnownLoss)
    /// Devices of this person that exchanged the recovery key, each for another one.
    case contestedKey([DeviceID])
    case syncOff
    case noAgent
    case noNetwork
    case noDiscovery(DiscoveryFault, Administration)
    /// `isFound` while others find this device by themselves.
    case portTaken(PortConflict, isFound: Bool)
    case firewall(FirewallObstacle, Administration)

    case deviceLost(DeviceID, KnownLoss)
    case cameByKey(DeviceID, KeyAdmission)
    case distrusted(DeviceID)
    case otherKey(DeviceID)
    /// `version` is the version that it reported, safe to print.
    case foreignVersion(DeviceID, isNewer: Bool, version: String)
    case diskFullThere(DeviceID)
    case syncOffThere(DeviceID)
    /// Seconds that its clock is ahead.
    case clockThere(DeviceID, Int)
    case changesAhead(AheadFacts)
    case changesRefused(DeviceID)
    case brokenData(DeviceID)
    /// The home of that device, or of this one as that one sees it.
    case runsTwice(DeviceID, isHere: Bool)
    case leavesOut(DeviceID)
    case undelivered(DeviceID, CallFacts)
    case silent(DeviceID, seconds: Int)

    case dataSet(FollowedSetNotice)
    case interruptedMove(InterruptedMove)
    /// A trip that this person may upgrade to the newest fields of the journal.
    case olderFields(SpaceID)
    case arrival(Arrival)
    case lostFiles(SpaceID, Int)
    /// Lost ones that were freed here, and when the last one was.
    case freedFiles(SpaceID, Int, at: Milliseconds)
    /// They were here, and are not lost.
    case goneFiles(SpaceID, Int)
    case givenUpFiles(SpaceID, Int, nextTry: Milliseconds?)
    case noRoom(SpaceID, Int)
    case conflicts(SpaceID, Int)
    case incomplete(SpaceID, Int)
    case orphans(SpaceID, OrphanView.Reason, Int)
    case tooMuch(SpaceID, PersonID)
    case closed(SpaceID, Int)
    case schemaObstacle(SpaceID, SchemaCache.Obstacle)
    case newerParts(SpaceID, by: [DeviceID], Int)
    case taken(SpaceID, TakenFacts)
    /// Changes in it that the deletion had not seen.
    case deletedSpace(SpaceID, unseen: Int)
    case invitation(SpaceID)
    /// A person to whom this person gave the space has not answered, or declined.
    case unanswered(SpaceID, PersonID)
    case declined(SpaceID, PersonID)
    case request(SpaceID, PersonID, Permissions)

    package var kind: ProblemView.Kind {
        switch self {
        case .storageFault: .storageFault
        case .diskFull: .diskFull
        case .clockHere: .clockHere
        case .damaged: .damaged
        case .calledLost: .calledLost
        case .contestedKey: .contestedKey
        case .syncOff: .syncOff
        case .noAgent: .noAgent
        case .noNetwork: .noNetwork
        case .noDiscovery: .noDiscovery
        case .portTaken: .portTaken
        case .firewall: .firewall
        case .deviceLost: .deviceLost
        case .cameByKey: .cameByKey
        case .distrusted: .distrusted
        case .otherKey: .otherKey
        case .foreignVersion: .foreignVersion
        case .diskFullThere: .diskFullThere
        case .syncOffThere: .syncOffThere
        case .clockThere: .clockThere
        case .changesAhead: .changesAhead
        case .changesRefused: .changesRefused
        case .brokenData: .brokenData
        case .runsTwice: .runsTwice
        case .leavesOut: .leavesOut
        case .undelivered: .undelivered
        case .silent: .silent
        case .dataSet: .dataSet
        case .interruptedMove: .interruptedMove
        case .olderFields: .olderFields
        case .arrival(let arrival): arrival.kind == .late ? .lateChanges : .manyDeletions
        case .lostFiles, .freedFiles: .lostFiles
        case .goneFiles: .goneFiles
        case .givenUpFiles: .givenUpFiles
        case .noRoom: .noRoom
        case .conflicts: .conflicts
        case .incomplete: .incomplete
        case .orphans(_, .branch, _): .quarantined
        case .orphans: .orphans
        case .tooMuch: .tooMuch
        case .closed: .closed
        case .schemaObstacle: .schemaObstacle
        case .newerParts: .newerParts
        case .taken: .taken
        case .deletedSpace: .deletedSpace
        case .invitation: .invitation
        case .unanswered: .unanswered
        case .declined: .declined
        case .request: .request
        }
    }

    /// Whether it makes the sign `!`. A device that is switched off is no trouble, no matter how often it
    /// is called; one that is there and cannot receive is.
    package var isUrgent: Bool {
        switch self {
        case .storageFault, .diskFull, .clockHere, .calledLost, .contestedKey, .cameByKey,
            .distrusted, .otherKey, .foreignVersion,
            .diskFullThere, .clockThere, .changesAhead, .changesRefused, .brokenData, .runsTwice,
            .leavesOut, .lostFiles, .freedFiles,
            .goneFiles, .givenUpFiles, .noRoom, .orphans(_, .branch, _),
            .orphans(_, .gap, _):
            true
        case .undelivered(_, let calls): calls.kind != .noNetwork
        case .damaged(.changes(_, let holders, _)): holders.isEmpty
        case .damaged(.emptied): true
        case .schemaObstacle(_, let obstacle): obstacle != .absent
        case .deviceLost, .syncOff, .syncOffThere, .noAgent, .noNetwork, .noDiscovery, .portTaken,
            .firewall, .silent, .dataSet, .interruptedMove, .olderFields, .arrival,
            .conflicts, .incomplete, .orphans(_, .noRight, _), .tooMuch, .closed, .newerParts,
            .taken,
            .deletedSpace,
            .invitation, .unanswered, .declined,
            .request:
            false
        }
    }

    /// Urgent ones first, then in the order of ``ProblemView/Kind``.
    static func sorted(_ problems: [StatusProblem]) -> [StatusProblem] {
        let kinds = ProblemView.Kind.allCases
        func rank(_ problem: StatusProblem) -> Int {
            (problem.isUrgent ? 0 : kinds.count) + (kinds.firstIndex(of: problem.kind) ?? 0)
        }
        return problems.enumerated().sorted {
            (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
        }.map(\.element)
    }
}
