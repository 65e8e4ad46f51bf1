package import LocalAPI
package import SyncCore

/// A problem of sync that a person should know, without words yet.
package enum StatusProblem: Hashable, Sendable {
    case storageFault(sentence: Message, hint: Message?)
    /// The disk was too full to open the store for writing.
    case readOnly(DiskFacts?)
    case diskFull(DiskFacts?)
    /// Nothing waits for room, and text has some.
    case diskFilling(DiskFacts?)
    /// The folder of the files is not there.
    case noFiles
    /// This user may not use a folder of the files.
    case closedFiles(folder: String)
    /// Seconds that this clock is ahead of all others.
    case clockHere(Int)
    /// So many others made changes that are in the future here, by so many seconds at most.
    case clockBehind(devices: Int, seconds: Int)
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
    /// The data folder of this device is a copy.
    case copied
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
    case withoutContent(SpaceID, Int)
    case schemaObstacle(SpaceID, SchemaCache.Obstacle)
    case newerParts(SpaceID, by: [DeviceID], Int)
    case taken(SpaceID, RevocationFacts)
    /// Changes in it that the deletion had not seen.
    case deletedSpace(SpaceID, unseen: Int)
    case invitation(SpaceID)
    /// A person to whom this person gave the space has not answered, or declined.
    case unanswered(SpaceID, PersonID)
    case declined(SpaceID, PersonID)
    case unsentLeave(UnsentLeave, isSyncOn: Bool)
    case request(SpaceID, PersonID, Permissions)

    /// Everything about a problem but its words and when it holds.
    struct Traits {
        let kind: ProblemView.Kind
        /// The device that it is about; nil when it is about this one.
        let device: DeviceID?
        /// The space that it is about.
        let space: SpaceID?
        /// The number of files, changes or entries.
        let count: Int?
        /// Whether it makes the sign `!`. A device that is switched off is no trouble, no matter how often
        /// it is called; one that is there and cannot receive is.
        let isUrgent: Bool
        /// The problem as a reason why something is missing.
        let reason: WhyView.Reason.Kind
        /// The check of `doctor` that reports it, or finds the same by itself.
        let check: HealthReport.Check
        /// Whether it waits for a decision of this person.
        private(set) var waitsForPerson = false

        init(
            _ kind: ProblemView.Kind, of device: DeviceID? = nil, in space: SpaceID? = nil,
            _ count: Int? = nil, isUrgent: Bool = false, why reason: WhyView.Reason.Kind = .other,
            check: HealthReport.Check = .sync
        ) {
            (self.kind, self.device, self.space) = (kind, device, space)
            (self.count, self.isUrgent, self.reason) = (count, isUrgent, reason)
            self.check = check
        }

        func waiting(forPerson waits: Bool = true) -> Traits {
            var traits = self
            traits.waitsForPerson = waits
            return traits
        }
    }

    var traits: Traits {
        switch self {
        case .storageFault, .readOnly:
            Traits(.storageFault, isUrgent: true, why: .storeStopped, check: .store)
        case .diskFull: Traits(.diskFull, isUrgent: true, why: .diskFull)
        case .diskFilling: Traits(.diskFull, why: .diskFull)
        case .noFiles: Traits(.storageFault, isUrgent: true)
        // The check of the folder finds it by itself.
        case .closedFiles: Traits(.storageFault, isUrgent: true, check: .permissions)
        case .clockHere, .clockBehind: Traits(.clockHere, isUrgent: true, check: .clock)
        case .damaged(.changes(let changes, let holders, _)):
            Traits(.damaged, changes, isUrgent: holders.isEmpty)
        case .damaged(.emptied(let trips, _)): Traits(.damaged, trips, isUrgent: true)
        case .calledLost: Traits(.calledLost, isUrgent: true)
        case .contestedKey: Traits(.contestedKey, isUrgent: true)
        case .syncOff: Traits(.syncOff, why: .syncOff, check: .network)
        case .noAgent: Traits(.noAgent, why: .noAgent, check: .network)
        case .noNetwork: Traits(.noNetwork, why: .noNetwork, check: .network)
        case .noDiscovery: Traits(.noDiscovery, check: .network)
        case .portTaken: Traits(.portTaken)
        case .firewall: Traits(.firewall, check: .network)

        case .deviceLost(let device, _): Traits(.deviceLost, of: device)
        case .cameByKey(let device, _): Traits(.cameByKey, of: device, isUrgent: true)
        case .distrusted(let device):
            Traits(.distrusted, of: device, isUrgent: true, why: .distrusted)
        case .otherKey(let device):
            Traits(.otherKey, of: device, isUrgent: true, why: .otherKey)
        case .foreignVersion(let device, _, _):
            Traits(.foreignVersion, of: device, isUrgent: true, why: .foreignVersion)
        case .diskFullThere(let device):
            Traits(.diskFullThere, of: device, isUrgent: true, why: .diskFullThere)
        case .syncOffThere(let device): Traits(.syncOffThere, of: device, why: .syncOffThere)
        case .clockThere(let device, _):
            Traits(.clockThere, of: device, isUrgent: true, check: .clock)
        case .changesAhead(let ahead):
            Traits(
                .changesAhead, of: ahead.device, ahead.count, isUrgent: true, check: .clock)
        case .changesRefused(let device): Traits(.changesRefused, of: device, isUrgent: true)
        case .brokenData(let device): Traits(.brokenData, of: device, isUrgent: true)
        case .runsTwice(let device, _): Traits(.runsTwice, of: device, isUrgent: true)
        case .copied: Traits(.runsTwice, check: .store)
        case .leavesOut(let device): Traits(.leavesOut, of: device, isUrgent: true)
        case .undelivered(let device, let calls):
            Traits(
                .undelivered, of: device, isUrgent: calls.kind != .noNetwork, why: .callFailed)
        case .silent(let device, _): Traits(.silent, of: device, why: .silent)

        case .dataSet(let notice): Traits(.dataSet, in: notice.space)
        case .interruptedMove(let move): Traits(.interruptedMove, in: move.source)
        case .olderFields(let space): Traits(.olderFields, in: space)
        case .arrival(let arrival):
            arrival.kind == .deletions
                ? Traits(.manyDeletions, of: arrival.device, in: arrival.space, arrival.deletions)
                : Traits(.lateChanges, of: arrival.device, in: arrival.space, arrival.changes)
        case .lostFiles(let space, let files), .freedFiles(let space, let files, _):
            Traits(.lostFiles, in: space, files, isUrgent: true, why: .lost)
        case .goneFiles(let space, let files):
            Traits(.goneFiles, in: space, files, isUrgent: true, check: .files)
        case .givenUpFiles(let space, let files, _):
            Traits(.givenUpFiles, in: space, files, isUrgent: true, why: .failed)
        case .noRoom(let space, let files):
            Traits(.noRoom, in: space, files, isUrgent: true, why: .diskFull)
        case .conflicts(let space, let entries):
            Traits(.conflicts, in: space, entries, why: .conflict).waiting()
        case .incomplete(let space, let entries): Traits(.incomplete, in: space, entries)
        case .orphans(let space, let reason, let changes):
            Traits(
                reason == .branch ? .quarantined : .orphans, in: space, changes,
                isUrgent: reason == .gap || reason == .branch
            ).waiting(forPerson: reason != .branch && reason != .incomplete)
        case .tooMuch(let space, _): Traits(.tooMuch, in: space).waiting()
        case .closed(let space, let changes): Traits(.closed, in: space, changes)
        case .withoutContent(let space, let changes): Traits(.withoutContent, in: space, changes)
        case .schemaObstacle(let space, let obstacle):
            Traits(.schemaObstacle, in: space, isUrgent: obstacle != .absent, why: .schema)
        case .newerParts(let space, _, let changes): Traits(.newerParts, in: space, changes)
        case .taken(let space, _): Traits(.taken, in: space)
        case .deletedSpace(let space, _): Traits(.deletedSpace, in: space).waiting()
        case .invitation(let space): Traits(.invitation, in: space).waiting()
        case .unanswered(let space, _): Traits(.unanswered, in: space)
        case .declined(let space, _): Traits(.declined, in: space)
        case .unsentLeave(let leave, _): Traits(.unsentLeave, in: leave.space, leave.changes)
        case .request(let space, _, _): Traits(.request, in: space).waiting()
        }
    }

    package var kind: ProblemView.Kind { traits.kind }

    /// Whether it makes the sign `!`.
    package var isUrgent: Bool { traits.isUrgent }

    /// The check of `doctor` that reports it, or finds the same by itself.
    package var check: HealthReport.Check { traits.check }

    /// Whether another device says that this home has a copy.
    var isOfCopy: Bool {
        if case .runsTwice(_, isHere: true) = self { true } else { false }
    }

    /// Whether it is about this device, and not about a trip.
    package var isOfThisDevice: Bool { traits.device == nil && traits.space == nil }

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

extension StatusWords {
    /// Longer words stand in functions of their own; groups that are not about this device come below.
    package func words(for problem: StatusProblem) -> Sentence.Problem.Words {
        switch problem {
        case .storageFault(let sentence, let hint):
            Words(
                sentence, "nothing can be written here any more",
                hint ?? "Stop the agent and run it again; 'peersync doctor' tells more.")
        case .readOnly(let disk): words(readOnly: disk)
        case .diskFull(let disk), .diskFilling(let disk): words(disk)
        case .noFiles: wordsWithoutFiles
        case .closedFiles(let folder): words(closed: folder)
        case .clockHere(let seconds):
            Words(
                "The clock of this computer is \(apart(seconds)) all other devices.",
                "the clock of this computer is \(apart(seconds)) all others", setThisClock)
        case .clockBehind(let devices, let seconds):
            Sentence.Problem.clockBehind(devices, seconds)
        case .damaged(let damage): words(damage)
        case .calledLost(let loss): words(loss, of: nil)
        case .contestedKey(let devices): LostWords.contestedKey(devices.map { name($0) }.sorted())
        case .copied:
            Words(
                "This data folder was copied or put back from a backup: it writes a new log from now on.",
                "its data folder was copied or put back from a backup",
                """
                If you use both copies, stop the agent of one of them once it has synced, and \
                delete its folder. To use both computers, then run on that one: peersync join --mine
                """)
        case .syncOff:
            Words(
                "Sync is off: nothing listens, nothing is sent.", "sync is switched off here",
                "peersync sync on")
        case .noAgent:
            Words(
                "No agent runs here, so nothing is sent or received.", "no agent runs here",
                Sentence.startAgent)
        case .noNetwork:
            Words(
                "This computer is in no network.", "this computer is in no network",
                "Plug in a cable or join a wireless network; sync goes on by itself.")
        case .noDiscovery(let fault, let machine): fault.words(machine)
        case .portTaken(let conflict, let isFound):
            (isMasked ? conflict.masked : conflict).words(isFound: isFound)
        case .firewall(let obstacle, let machine): obstacle.words(machine)
        default: words(ofDevice: problem)
        }
    }

    private var wordsWithoutFiles: Words {
        Words(
            "The folder with the files of this device is not there.",
            "the folder with its files is not there",
            """
            Mount the disk that it is on. If the files are lost, stop the agent and run it again: \
            it fetches them from your other devices.
            """)
    }

    private func words(closed folder: String) -> Words {
        let error = APIError.noAccess(isMasked ? "blobs" : Sentence.plain(folder))
        return Words(error.message, "a folder of its files may not be used", error.advice)
    }

    /// Why a device gets nothing; else the words of the groups below.
    private func words(ofDevice problem: StatusProblem) -> Words {
        let device = problem.traits.device.map { Sentence.plain(name($0)) } ?? ""
        return switch problem {
        case .deviceLost(let device, let loss): words(loss, of: device)
        case .cameByKey(let device, let admission): words(admission, of: device)
        case .distrusted:
            Words(
                """
                \(device) does not trust this device any more: it was forgotten there or called \
                lost, and nothing is exchanged.
                """, "it does not trust this device any more",
                """
                Was it forgotten? Pair the two again: 'peersync pair' there and 'peersync join' here. \
                Did you call it lost? Take that back on another device of yours: peersync device found \
                DEVICE
                """)
        case .otherKey:
            Words(
                "Where \(device) was, a device with another key answers: it is not trusted.",
                "a device with another key answers where it was",
                """
                If \(device) was set up again, pair with it again and forget the old one; \
                else nothing has to be done.
                """)
        case .foreignVersion(_, let isNewer, let version):
            foreign(device, isNewer: isNewer, version: version)
        case .diskFullThere:
            Words(
                "The disk of \(device) is full: what is sent to it cannot be kept.",
                "its disk is full", "Make room on \(device); what waits is sent again by itself.")
        case .syncOffThere:
            Words(
                "Sync is switched off on \(device), and something waits for it.",
                "sync is switched off there", "On \(device): peersync sync on")
        case .clockThere(_, let seconds):
            Words(
                "The clock of \(device) is \(apart(seconds)) this one's.",
                "its clock is \(apart(seconds)) this one's", setOneClock)
        case .undelivered(let device, let calls): undelivered(calls, to: name(device))
        case .silent(_, let seconds): silent(device, seconds)
        default: words(ofFaultyDevice: problem)
        }
    }

    /// About devices that behave like no peersync does, or run twice; else the words of the group below.
    private func words(ofFaultyDevice problem: StatusProblem) -> Words {
        let device = problem.traits.device.map { Sentence.plain(name($0)) } ?? ""
        return switch problem {
        case .changesAhead(let ahead):
            Sentence.Problem.changesAhead(
                ahead.count, of: name(ahead.device), ahead.seconds,
                isRedatable: ahead.isRedatable)
        case .changesRefused:
            Words(
                "\(device) sends changes that it has no right to make: none is kept.",
                "it sends changes that it has no right to make",
                """
                peersync never sends such changes. Ask the owner of the device which program runs \
                there.
                """)
        case .brokenData:
            Words(
                "\(device) sends broken or changed data: none of it is kept.",
                "it sends broken or changed data",
                """
                What it should send comes from other devices. Its disk may be failing, or another \
                program runs there. Ask the owner of the device.
                """)
        case .runsTwice(_, let isHere): runsTwice(device, isHere: isHere)
        case .leavesOut:
            Words(
                """
                \(device) passes on changes and leaves out what comes before them: none of these \
                is kept.
                """, "it leaves out what comes before the changes that it passes on",
                """
                What is missing comes from other devices that have it. If this message stays, ask the \
                owner of the device which program runs there.
                """)
        default: words(ofSpace: problem)
        }
    }

    /// The last group: its switch names every problem, so that the compiler finds one without words.
    private func words(ofSpace problem: StatusProblem) -> Words {
        let place = problem.traits.space.flatMap { name($0) }
        return switch problem {
        case .dataSet(let notice): words(notice)
        case .interruptedMove(let move): words(move)
        case .olderFields: olderFields(place)
        case .arrival(let arrival): words(arrival)
        case .lostFiles(_, let files): Sentence.Problem.lostFiles(files, in: place)
        case .freedFiles(_, let files, let time):
            Sentence.Problem.freedFiles(
                files, in: place, ago: Sentence.Status.ago(seconds: seconds(since: time)))
        case .goneFiles(_, let files): Sentence.Problem.goneFiles(files, in: place)
        case .givenUpFiles(_, let files, let next):
            Sentence.Problem.givenUpFiles(files, in: place, next: soon(next))
        case .noRoom(_, let files): Sentence.Problem.noRoom(files, in: place)
        case .conflicts(_, let entries): Sentence.Problem.conflicts(entries, in: place)
        case .incomplete(_, let entries): Sentence.Problem.incomplete(entries, in: place)
        case .orphans(let space, let reason, let changes):
            Sentence.Problem.orphans(
                changes, reason, in: place,
                recoverable: replica.permissions(in: space).contains(.write))
        case .tooMuch(let space, let person): tooMuch(of: person, in: space)
        case .closed(_, let changes): closed(changes, in: place ?? "")
        case .withoutContent(_, let changes): withoutContent(changes, in: place ?? "")
        case .schemaObstacle(_, let obstacle):
            Sentence.Problem.schemaObstacle(Sentence.SchemaObstacle(obstacle), of: place)
        case .newerParts(_, let devices, let changes):
            Sentence.Problem.newerParts(changes, by: devices.map { name($0) }.sorted(), in: place)
        case .taken(let space, let taken): words(taken, in: space)
        case .deletedSpace(let space, _): deletion(space)
        case .invitation(let space): invitation(space)
        case .unanswered(let space, let person): answer(of: person, to: space, isNo: false)
        case .declined(let space, let person): answer(of: person, to: space, isNo: true)
        case .unsentLeave(let leave, let isSyncOn):
            Sentence.Problem.unsentLeave(of: place ?? "", leave.changes, isSyncOn: isSyncOn)
        case .request(let space, let person, let flags):
            Sentence.Problem.request(
                by: name(person), [Right](flags), in: place ?? "",
                isTrip: known(space)?.isTrip ?? true)
        case .storageFault, .readOnly, .diskFull, .diskFilling, .noFiles, .closedFiles, .clockHere,
            .clockBehind, .damaged, .calledLost, .contestedKey,
            .copied, .syncOff, .noAgent, .noNetwork, .noDiscovery, .portTaken, .firewall,
            .deviceLost,
            .cameByKey, .distrusted, .otherKey, .foreignVersion, .diskFullThere, .syncOffThere,
            .clockThere, .undelivered, .silent, .changesAhead, .changesRefused, .brokenData,
            .runsTwice, .leavesOut:
            preconditionFailure("\(problem.kind) is of no space")
        }
    }
}
