package import LocalAPI
internal import SyncCore

/// Turns the findings of ``StatusVerdict`` into words.
package struct StatusWords {
    private typealias Words = Sentence.Problem

    private let replica: any Replica
    private let isMasked: Bool

    /// Masked for reports that others read: without names.
    package init(_ replica: any Replica, isMasked: Bool = false) {
        self.replica = replica
        self.isMasked = isMasked
    }

    package func headLine(_ verdict: StatusVerdict, of facts: StatusFacts) -> String {
        StatusVerdict.headLine(
            verdict.state, person: verdict.person, isWaiting: verdict.isWaiting,
            onlyHere: verdict.onlyHere,
            because: StatusVerdict.obstacles(of: facts.here).first.map { words(for: $0).phrase })
    }

    package func view(of problem: StatusProblem) -> ProblemView {
        let words = words(for: problem)
        let traits = problem.traits
        return ProblemView(
            kind: traits.kind, urgent: traits.isUrgent,
            device: isMasked ? nil : traits.device.map { replica.reference($0) },
            space: isMasked ? nil : traits.space.flatMap { reference($0) }, count: traits.count,
            sentence: words.sentence, remedy: words.remedy, tries: tries(problem))
    }

    package func view(of calls: CallFacts) -> TriesView {
        TriesView(
            failed: calls.failures, nextTry: calls.nextTry.map { Moment($0) },
            lastError: calls.error.words, trouble: calls.kind)
    }

    private func tries(_ problem: StatusProblem) -> TriesView? {
        switch problem {
        case .undelivered(_, let calls): view(of: calls)
        case .givenUpFiles(_, _, let next):
            TriesView(
                failed: Limits.blobTries, nextTry: next.map { Moment($0) }, lastError: nil,
                trouble: .peerTrouble)
        case .distrusted:
            TriesView(
                failed: 1, nextTry: nil, lastError: words(for: problem).phrase,
                trouble: .notTrusted)
        case .foreignVersion:
            TriesView(
                failed: 1, nextTry: nil, lastError: words(for: problem).phrase, trouble: .refused)
        default: nil
        }
    }

    private func words(_ loss: KnownLoss, of device: DeviceID?) -> Words.Words {
        let signer = loss.by.map { name($0) }
        guard let device else { return LostWords.here(by: signer, name(replica.local.device)) }
        return LostWords.device(
            name(device), by: signer, seconds: loss.since.map { seconds(since: $0) })
    }

    private func contestedKey(_ devices: [DeviceID]) -> Words.Words {
        LostWords.contestedKey(devices.map { name($0) }.sorted())
    }

    private func words(_ admission: KeyAdmission, of device: DeviceID) -> Words.Words {
        LostWords.cameByKey(
            name(device), to: admission.spaces.compactMap { name($0) },
            seconds: seconds(since: admission.since))
    }

    private func words(_ notice: FollowedSetNotice) -> Words.Words {
        isMasked
            ? Words.Words(
                "A data set that this device follows wants attention.",
                "a data set wants attention",
                "See: peersync dataset status")
            : Words.Words(
                notice.sentence, "the data set \(Sentence.name(notice.set)) wants attention",
                notice.hint)
    }

    private func words(_ arrival: Arrival) -> Words.Words {
        let (device, place) = (name(arrival.device), name(arrival.space))
        let sentence =
            switch arrival.kind {
            case .late:
                Sentence.Arrival.late(
                    arrival.changes, of: device, to: place, ageSeconds: arrival.ageSeconds,
                    deletions: arrival.deletions, conflicts: arrival.conflicts)
            case .deletions:
                Sentence.Arrival.deletions(arrival.deletions, of: device, in: place)
            }
        return Words.Words(
            Message(verbatim: sentence),
            arrival.kind == .late
                ? "it brought what it had written long before" : "it deleted many records",
            "See what it was, and how to undo it: peersync log")
    }

    private func words(_ ahead: AheadFacts) -> Words.Words {
        Words.changesAhead(
            ahead.count, of: name(ahead.device), ahead.seconds, isRedatable: ahead.isRedatable)
    }

    private func seconds(since: Milliseconds) -> Int {
        Int(clamping: (replica.now.value - min(since.value, replica.now.value)) / 1000)
    }

    package func words(for problem: StatusProblem) -> Sentence.Problem.Words {
        switch problem {
        case .storageFault(let sentence, let hint): Words.storageFault(sentence, hint)
        case .readOnly(let disk): words(readOnly: disk)
        case .diskFull(let disk): words(disk)
        case .clockHere(let seconds): Words.clockHere(seconds)
        case .damaged(let damage): words(damage)
        case .calledLost(let loss): words(loss, of: nil)
        case .contestedKey(let devices): contestedKey(devices)
        case .dataSet(let notice): words(notice)
        case .interruptedMove(let move): words(move)
        case .olderFields(let space): olderFields(name(space))
        case .arrival(let arrival): words(arrival)
        case .deviceLost(let device, let loss): words(loss, of: device)
        case .cameByKey(let device, let admission): words(admission, of: device)
        case .syncOff: Words.syncOff
        case .noAgent: Words.noAgent
        case .noNetwork: Words.noNetwork
        case .noDiscovery(let fault, let machine): fault.words(machine)
        case .portTaken(let conflict, let isFound): words(conflict, isFound: isFound)
        case .firewall(let obstacle, let machine): obstacle.words(machine)
        case .distrusted(let device): Words.distrusted(name(device))
        case .otherKey(let device): Words.otherKey(name(device))
        case .foreignVersion(let device, let isNewer, let other): foreign(device, isNewer, other)
        case .diskFullThere(let device): Words.diskFullThere(name(device))
        case .syncOffThere(let device): syncOff(on: name(device))
        case .clockThere(let device, let seconds): Words.clockThere(name(device), seconds)
        case .changesAhead(let ahead): words(ahead)
        case .changesRefused(let device): Words.changesRefused(name(device))
        case .brokenData(let device): Words.brokenData(name(device))
        case .runsTwice(let device, let isHere): Words.runsTwice(name(device), isHere: isHere)
        case .leavesOut(let device): Words.leavesOut(name(device))
        case .silent(let device, let seconds): Words.silent(name(device), seconds)
        case .undelivered(let device, let calls): undelivered(calls, to: device)
        case .lostFiles, .freedFiles,
            .goneFiles, .givenUpFiles, .noRoom, .conflicts, .incomplete, .orphans,
            .tooMuch, .closed, .schemaObstacle, .newerParts, .taken, .deletedSpace, .invitation,
            .unanswered, .declined, .request:
            words(ofSpace: problem)
        }
    }

    private func words(ofSpace problem: StatusProblem) -> Sentence.Problem.Words {
        switch problem {
        case .lostFiles(let space, let files): Words.lostFiles(files, in: name(space))
        case .freedFiles(let space, let files, let time):
            Words.freedFiles(
                files, in: name(space), ago: Sentence.Status.ago(seconds: seconds(since: time)))
        case .goneFiles(let space, let files): Words.goneFiles(files, in: name(space))
        case .givenUpFiles(let space, let files, let next): givenUp(files, in: space, next)
        case .noRoom(let space, let files): Words.noRoom(files, in: name(space))
        case .conflicts(let space, let entries): Words.conflicts(entries, in: name(space))
        case .incomplete(let space, let entries): Words.incomplete(entries, in: name(space))
        case .orphans(let space, let reason, let changes): orphans(changes, reason, in: space)
        case .tooMuch(let space, let person): tooMuch(of: person, in: space)
        case .closed(let space, let changes): closed(changes, in: name(space) ?? "")
        case .schemaObstacle(let space, let obstacle): unreadable(space, obstacle)
        case .newerParts(let space, let devices, let changes): newer(changes, devices, in: space)
        case .taken(let space, let taken): words(taken, in: space)
        case .deletedSpace(let space, _): deletion(space)
        case .invitation(let space): invitation(space)
        case .unanswered(let space, let person): answer(person, in: space, isNo: false)
        case .declined(let space, let person): answer(person, in: space, isNo: true)
        case .request(let space, let person, let flags): request(person, flags, in: space)
        default: preconditionFailure("\(problem.kind) is of no space")
        }
    }

    private func syncOff(on device: String) -> Sentence.Problem.Words {
        let device = Sentence.plain(device)
        return Sentence.Problem.Words(
            "Sync is switched off on \(device), and something waits for it.",
            "sync is switched off there", "On \(device): peersync sync on")
    }

    private func foreign(
        _ device: DeviceID, _ isNewer: Bool, _ version: String
    ) -> Sentence.Problem.Words {
        Words.foreignVersion(name(device), isNewer: isNewer, version: version)
    }

    private func words(_ move: InterruptedMove) -> Sentence.Problem.Words {
        let (source, target) = (name(move.source) ?? tr("TRIP"), name(move.target) ?? tr("ANOTHER"))
        return Sentence.Problem.Words(
            """
            The move of \(Sentence.count(move.count, "memory", "memories")) to \(Sentence.name(target)) was \
            interrupted: what it moves is still in \(Sentence.name(source)), too.
            """,
            "a move was interrupted",
            """
            Move them again: peersync memory move … --from \(Sentence.quoted(source)) --to \
            \(Sentence.quoted(target))
            """)
    }

    private func undelivered(
        _ calls: CallFacts, to device: DeviceID
    ) -> Sentence.Problem.Words {
        Words.undelivered(
            name(device), failed: calls.failures, calls.error, next: soon(calls.nextTry))
    }

    private func tooMuch(of person: PersonID, in space: SpaceID) -> Sentence.Problem.Words {
        let (who, place) = (name(person), name(space) ?? "")
        return Words.Words(
            """
            \(Sentence.plain(who)) sends many changes to \(Sentence.name(place)) and has no right to write \
            there: this device takes a part of them each hour, so that they do not fill its disk.
            """, "its author has no right to write and sends many changes",
            replica.permissions(in: space).contains(.admin)
                ? """
                If they are welcome: peersync trip grant \(Sentence.quoted(place)) \(Sentence.quoted(who)) \
                --role editor; else nothing has to be done.
                """
                : "An admin can give the right to write; else nothing has to be done.")
    }

    private func request(
        _ person: PersonID, _ flags: Permissions, in space: SpaceID
    ) -> Sentence.Problem.Words {
        Words.request(
            by: name(person), [Right](flags),
            in: name(space) ?? "")
    }

    private func words(_ disk: DiskFacts?) -> Sentence.Problem.Words {
        guard let disk, disk.isFull else { return Words.diskFull }
        return Words.diskFull(
            folder: isMasked ? nil : disk.folder, free: Int64(clamping: disk.freeBytes),
            needed: Int64(clamping: disk.neededBytes), spare: Int64(clamping: disk.spareBytes))
    }

    private func words(readOnly disk: DiskFacts?) -> Sentence.Problem.Words {
        guard let disk, disk.isFull else { return Words.readOnly }
        return Words.readOnly(
            folder: isMasked ? nil : disk.folder, free: Int64(clamping: disk.freeBytes),
            needed: Int64(clamping: disk.neededBytes))
    }

    private func words(
        _ conflict: PortConflict, isFound: Bool
    ) -> Sentence.Problem.Words {
        (isMasked ? conflict.masked : conflict).words(isFound: isFound)
    }

    private func orphans(
        _ changes: Int, _ reason: OrphanView.Reason, in space: SpaceID
    ) -> Sentence.Problem.Words {
        Words.orphans(
            changes, reason, in: name(space),
            recoverable: replica.permissions(in: space).contains(.write))
    }

    private func words(_ damage: DamageFacts) -> Sentence.Problem.Words {
        switch damage {
        case .changes(let count, let holders, let isComing):
            Sentence.Damage.changes(
                count, on: holders.map { name($0) }.sorted(), isComing: isComing)
        case .emptied(let trips, let lists): Sentence.Damage.spaces(trips: trips, lists: lists)
        }
    }

    private func words(_ taken: TakenFacts, in space: SpaceID) -> Sentence.Problem.Words {
        let author = taken.by.map { replica.reference($0) }
        let ago = taken.written.map { written in
            let now = replica.now.value
            let seconds = now > written.value ? (now - written.value) / 1000 : 0
            return Sentence.Status.ago(seconds: Int(clamping: seconds))
        }
        if known(space)?.isSealed ?? false {
            return VaultWords.carriedNoMore(
                name(space) ?? "", by: isMasked ? nil : author?.name, ago: ago,
                changes: Int(clamping: taken.changes), files: taken.files)
        }
        return Words.taken(
            name(space) ?? "", isTrip: known(space)?.isTrip ?? true,
            by: isMasked ? nil : author?.name, isMine: author.map { replica.isOwn($0) } ?? false,
            ago: ago, changes: Int(clamping: taken.changes), files: taken.files,
            isWholePerson: taken.isWholePerson)
    }

    private func deletion(_ space: SpaceID) -> Sentence.Problem.Words {
        do {
            let known = known(space).map { [$0] } ?? []
            if let trip = try SpaceViews(replica).list(known).first {
                let at = trip.deletion?.at.milliseconds ?? 0
                let seconds = max(0, (Int64(clamping: replica.now.value) - at) / 1000)
                let ago = Sentence.Status.ago(seconds: Int(clamping: seconds))
                if let words = Words.deleted(trip, ago: ago) { return words }
            }
        } catch {
            replica.couldNotRead("space not read", error)
        }
        return Words.orphans(1, .noRight, in: name(space), recoverable: true)
    }

    private func invitation(_ space: SpaceID) -> Sentence.Problem.Words {
        let known = known(space)
        var giver: String?
        if case .granted(let offer, _) = known?.standing { giver = ShownText.line(offer.from) }
        let person = giver.flatMap { $0.isEmpty ? nil : $0 }
        let name = name(space) ?? ""
        if known?.isSealed ?? false { return VaultWords.invitation(from: person, to: name) }
        return Words.invitation(from: person, to: name, isTrip: known?.isTrip ?? true)
    }

    private func givenUp(
        _ files: Int, in space: SpaceID, _ next: Milliseconds?
    ) -> Sentence.Problem.Words {
        Words.givenUpFiles(files, in: name(space), next: soon(next))
    }

    private func unreadable(
        _ space: SpaceID, _ obstacle: SchemaCache.Obstacle
    ) -> Sentence.Problem.Words {
        Words.schemaObstacle(Sentence.SchemaObstacle(obstacle), of: name(space))
    }

    private func newer(
        _ changes: Int, _ devices: [DeviceID], in space: SpaceID
    ) -> Sentence.Problem.Words {
        Words.newerParts(changes, by: devices.map { name($0) }.sorted(), in: name(space))
    }

    private func answer(
        _ person: PersonID, in space: SpaceID, isNo: Bool
    ) -> Sentence.Problem.Words {
        Words.answer(
            of: name(person), to: name(space) ?? "", isTrip: known(space)?.isTrip ?? true,
            isNo: isNo)
    }

    // MARK: Names and times

    private func name(_ device: DeviceID) -> String {
        isMasked ? replica.idText(of: device).short : replica.reference(device).name
    }

    private func name(_ person: PersonID) -> String {
        isMasked ? "a person" : replica.reference(person).name
    }

    /// Nil for the person's own space, whose name nobody types.
    private func name(_ space: SpaceID) -> String? {
        guard space != replica.local.homeSpace else { return nil }
        guard !isMasked else { return String(space.description.prefix(8)) }
        let known = replica.names.space(space) ?? known(space)?.name ?? ""
        return known.isEmpty ? String(space.description.prefix(8)) : known
    }

    private func known(_ space: SpaceID) -> KnownSpace? {
        replica.reading("space not read", or: nil) { try SpaceDirectory(replica).known(space) }
    }

    private func reference(_ space: SpaceID) -> Reference? {
        guard space != replica.local.homeSpace else { return nil }
        let id = space.description
        return Reference(id: id, shortID: ShortIDs([])[id], name: name(space) ?? "")
    }

    /// `in 40 seconds`.
    private func soon(_ time: Milliseconds?) -> String? {
        time.map { time in
            let now = replica.now.value
            let seconds = time.value > now ? (time.value - now) / 1000 : 0
            return Sentence.Status.soon(seconds: Int(clamping: seconds))
        }
    }
}
