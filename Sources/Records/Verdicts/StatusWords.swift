package import LocalAPI
internal import SyncCore

/// Turns the findings of ``StatusVerdict`` into words.
package struct StatusWords {
    typealias Words = Sentence.Problem.Words

    let replica: any Replica
    let isMasked: Bool

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

    func words(_ loss: KnownLoss, of device: DeviceID?) -> Words {
        let cause = cause(of: loss)
        guard let device else { return LostWords.here(cause, name(replica.local.device)) }
        return LostWords.device(
            name(device), cause, seconds: loss.since.map { seconds(since: $0) } ?? 0)
    }

    private func cause(of loss: KnownLoss) -> LostWords.Cause {
        switch loss.cause {
        case .device(let signer): return .device(name(signer))
        case .key: return .key
        case .through(let elder):
            let above = replica.reading("loss not read", or: nil) {
                try replica.losses.loss(of: elder)
            }
            // A lost device is named here only if a device or the key said so of it.
            if case .device(let signer) = above?.cause {
                return .lostWith(name(elder), by: name(signer))
            }
            return .lostWith(name(elder), by: nil)
        case .formerKey: return .formerKey
        }
    }

    func words(_ admission: KeyAdmission, of device: DeviceID) -> Words {
        LostWords.cameByKey(
            name(device), to: admission.spaces.compactMap { name($0) },
            seconds: seconds(since: admission.since))
    }

    func words(_ notice: FollowedSetNotice) -> Words {
        isMasked
            ? Words(
                "A data set that this device follows wants attention.",
                "a data set wants attention",
                "See: peersync dataset status")
            : Words(
                notice.sentence, "the data set \(Sentence.name(notice.set)) wants attention",
                notice.hint)
    }

    func words(_ arrival: Arrival) -> Words {
        let (device, place) = (name(arrival.device), name(arrival.space))
        let sentence =
            switch arrival.kind {
            case .late:
                Sentence.Arrival.late(
                    arrival.changes, of: device, to: place, ageSeconds: arrival.ageSeconds,
                    deletions: arrival.deletions, conflicts: arrival.conflicts)
            case .afterUndo:
                Sentence.Arrival.afterUndo(arrival.changes, of: device, to: place)
            case .deletions:
                Sentence.Arrival.deletions(arrival.deletions, of: device, in: place)
            }
        let short: Message =
            switch arrival.kind {
            case .late: tr("it brought what it had written long before")
            case .afterUndo: tr("it brought what it had written before an undo")
            case .deletions: tr("it deleted many records")
            }
        return Words(
            Message(verbatim: sentence),
            short,
            "See what it was, and how to undo it: peersync log")
    }

    func seconds(since: Milliseconds) -> Int {
        Int(clamping: (replica.now.value - min(since.value, replica.now.value)) / 1000)
    }

    func words(_ move: InterruptedMove) -> Words {
        let (source, target) = (name(move.source) ?? tr("TRIP"), name(move.target) ?? tr("ANOTHER"))
        return Words(
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

    func tooMuch(of person: PersonID, in space: SpaceID) -> Words {
        let (who, place) = (name(person), name(space) ?? "")
        return Words(
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

    func words(_ disk: DiskFacts?) -> Words {
        guard let disk, disk.isFull else { return Sentence.Problem.diskFull }
        return Sentence.Problem.diskFull(
            folder: isMasked ? nil : disk.folder, free: Int64(clamping: disk.freeBytes),
            needed: Int64(clamping: disk.neededBytes), spare: Int64(clamping: disk.spareBytes))
    }

    func words(readOnly disk: DiskFacts?) -> Words {
        guard let disk, disk.isFull else { return Sentence.Problem.readOnly }
        return Sentence.Problem.readOnly(
            folder: isMasked ? nil : disk.folder, free: Int64(clamping: disk.freeBytes),
            needed: Int64(clamping: disk.neededBytes))
    }

    func words(_ damage: DamageFacts) -> Words {
        switch damage {
        case .changes(let count, let holders, let isComing):
            Sentence.Damage.changes(
                count, on: holders.map { name($0) }.sorted(), isComing: isComing)
        case .emptied(let trips, let lists): Sentence.Damage.spaces(trips: trips, lists: lists)
        }
    }

    func words(_ taken: RevocationFacts, in space: SpaceID) -> Words {
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
        let revocation = Sentence.Problem.Revocation(
            by: isMasked ? nil : author?.name, isMine: taken.isMine, ago: ago,
            isWholePerson: taken.isWholePerson)
        return Sentence.Problem.taken(
            name(space) ?? "", isTrip: known(space)?.isTrip ?? true, by: revocation,
            changes: Int(clamping: taken.changes), files: taken.files)
    }

    func deletion(_ space: SpaceID) -> Words {
        do {
            let known = known(space).map { [$0] } ?? []
            if let trip = try SpaceViews(replica).list(known).first {
                let at = trip.deletion?.at.milliseconds ?? 0
                let seconds = max(0, (Int64(clamping: replica.now.value) - at) / 1000)
                let ago = Sentence.Status.ago(seconds: Int(clamping: seconds))
                if let words = Sentence.Problem.deleted(trip, ago: ago) { return words }
            }
        } catch {
            replica.couldNotRead("space not read", error)
        }
        return Sentence.Problem.orphans(1, .noRight, in: name(space), recoverable: true)
    }

    func invitation(_ space: SpaceID) -> Words {
        let known = known(space)
        var (giver, role): (String?, LocalAPI.Role?) = (nil, nil)
        if case .granted(let offer, _) = known?.standing {
            (giver, role) = (ShownText.line(offer.from), LocalAPI.Role(offer.flags))
        }
        let person = giver.flatMap { $0.isEmpty ? nil : $0 }
        let name = name(space) ?? ""
        if known?.isSealed ?? false { return VaultWords.invitation(from: person, to: name) }
        return Sentence.Problem.invitation(
            from: person, to: name, as: role, isTrip: known?.isTrip ?? true)
    }

    /// A person who was given the space has not answered, or declined.
    func answer(of person: PersonID, to space: SpaceID, isNo: Bool) -> Words {
        let place = name(space) ?? ""
        if let vault = replica.membership(of: space)?.vaultsAlone(of: person).min() {
            return VaultWords.answer(
                of: name(person), for: name(vault), to: place,
                as: KnownSpace.sealedName(of: space), isNo: isNo)
        }
        return Sentence.Problem.answer(
            of: name(person), to: place, shortID: ShortIDs.alone(space.description),
            isTrip: known(space)?.isTrip ?? true, isNo: isNo)
    }

    // MARK: Names and times

    func name(_ device: DeviceID) -> String {
        isMasked ? replica.idText(of: device).short : replica.distinctReference(device).name
    }

    func name(_ person: PersonID) -> String {
        isMasked ? "a person" : replica.reference(person).name
    }

    /// Nil for the person's own space, whose name nobody types.
    func name(_ space: SpaceID) -> String? {
        guard space != replica.local.homeSpace else { return nil }
        guard !isMasked else { return ShortIDs.alone(space.description) }
        let known =
            replica.names.space(space) ?? known(space)?.name
            ?? replica.reading("space not read", or: nil) {
                try SpaceDirectory(replica).lastName(of: space)
            } ?? ""
        return known.isEmpty ? ShortIDs.alone(space.description) : known
    }

    func known(_ space: SpaceID) -> KnownSpace? {
        replica.reading("space not read", or: nil) { try SpaceDirectory(replica).known(space) }
    }

    /// Nil for the person's own space.
    func reference(_ space: SpaceID) -> Reference? {
        guard space != replica.local.homeSpace else { return nil }
        let id = space.description
        return Reference(id: id, shortID: ShortIDs([])[id], name: name(space) ?? "")
    }

    /// `in 40 seconds`.
    func soon(_ time: Milliseconds?) -> String? {
        time.map { time in
            let now = replica.now.value
            let seconds = time.value > now ? (time.value - now) / 1000 : 0
            return Sentence.Status.soon(seconds: Int(clamping: seconds))
        }
    }
}
