import LocalAPI
import SyncCore

/// Turns findings about one subject into words.
struct WhyWords {
    let replica: any Replica
    let subject: WhySubject
    let evidence: WhyService.Evidence

    private var isDeleted: Bool { evidence.record.isDeleted }
    private var noun: SpaceNoun { SpaceNoun(isTrip: subject.place.space.isTrip) }

    /// Devices that are only `invited` must answer first: nothing waits for them.
    func view(
        _ findings: [WhyFinding], status: RecordStatus, invited: Set<DeviceID>
    ) throws -> WhyView {
        let others = findings.filter { $0.device.map { !invited.contains($0) } ?? false }
        let lacking = others.count { $0.state != .complete }
        let isHere = findings.first?.state == .complete
        let isTaken = findings.first?.reasons.contains(.roleLost) ?? false
        let verdict: String
        if lacking > 0, isHere, !isDeleted, evidence.unsent.count > 0 {
            verdict = unsent(evidence.unsent.count, last: ago(evidence.unsent.last))
        } else if lacking > 0 || !isHere {
            verdict = missing(
                at: lacking, of: others.count, isHere: isHere, isDeleted: isDeleted)
        } else if isTaken {
            verdict = withoutRole
        } else if evidence.isHeld {
            verdict = tr(
                """
                It is deleted, and still shown because other records need it. To keep it: \
                peersync record restore.
                """)
        } else if others.isEmpty {
            verdict = alone(isOffered: !invited.isEmpty)
        } else {
            verdict =
                isDeleted
                ? tr("It is deleted, and every device knows.")
                : tr("It is on every device that may have it.")
        }
        return WhyView(
            subject: described, status: status, everywhere: lacking == 0 && isHere && !isTaken,
            verdict: verdict + uncounted, devices: findings.map { device($0) })
    }

    /// This device may not read the space any more.
    private var withoutRole: String {
        let unknown = tr(
            "It is whole here; what others have of it by now is not known on this device.")
        let unsent = evidence.unsentByThis
        guard unsent > 0 else { return unknown }
        let place = Sentence.quoted(subject.place.space.name)
        return unknown + " "
            + tr(
                unsent,
                """
                \(unsent) change of it was not sent before this device lost its role: for others it does not \
                count. Once an admin has given the role back: peersync orphans recover \(place)
                """,
                """
                \(unsent) changes of it were not sent before this device lost its role: for others they do not \
                count. Once an admin has given the role back: peersync orphans recover \(place)
                """)
    }

    /// Its changes that do not count, after the verdict on those that do.
    private var uncounted: String {
        let count = evidence.uncounted
        guard count > 0 else { return "" }
        let place = Sentence.quoted(subject.place.space.name)
        return " "
            + tr(
                count,
                """
                \(count) change of it does not count, because its author had no right to write it any more: \
                peersync orphans \(place)
                """,
                """
                \(count) changes of it do not count, because their authors had no right to write them any more: \
                peersync orphans \(place)
                """)
    }

    /// `lacking` of `others` devices, without this one, do not have everything.
    private func missing(
        at lacking: Int, of others: Int, isHere: Bool, isDeleted: Bool
    ) -> String {
        if isDeleted {
            return tr(
                others, "It is deleted; \(lacking) of \(others) other device may not know yet.",
                "It is deleted; \(lacking) of \(others) other devices may not know yet.")
        }
        switch (lacking, isHere) {
        case (0, false): return tr("It is not whole on this device.")
        case (_, true):
            return tr(
                others, "\(lacking) of \(others) other device may not have all of it yet.",
                "\(lacking) of \(others) other devices may not have all of it yet.")
        case (_, false):
            return tr(
                others,
                "Neither this device nor \(lacking) of \(others) other device have all of it.",
                "Neither this device nor \(lacking) of \(others) other devices have all of it.")
        }
    }

    /// Others have it as it was before the last `changes`; `ago` says when the last of these was made.
    private func unsent(_ changes: Int, last ago: String) -> String {
        changes == 1
            ? tr("The last change, \(ago), is only here; others have it as it was before.")
            : tr(
                """
                The last \(changes) changes, the latest of them \(ago), are only here; others have \
                it as it was before.
                """)
    }

    private func ago(_ time: HybridTime?) -> String {
        let now = Moment(replica.now).milliseconds
        let seconds = time.map { max(0, (now - Moment($0).milliseconds) / 1000) } ?? 0
        return Sentence.Status.ago(seconds: Int(clamping: seconds))
    }

    private func alone(isOffered: Bool) -> String {
        switch (isDeleted, isOffered, noun) {
        case (true, true, .trip): tr("It is deleted; nobody has accepted the trip yet.")
        case (true, true, .space): tr("It is deleted; nobody has accepted the space yet.")
        case (true, false, .trip): tr("It is deleted; nobody else may read this trip.")
        case (true, false, .space): tr("It is deleted; nobody else may read this space.")
        case (false, true, .trip):
            tr("It is on this device alone: nobody has accepted the trip yet.")
        case (false, true, .space):
            tr("It is on this device alone: nobody has accepted the space yet.")
        case (false, false, .trip):
            tr("It is on this device alone: nobody else may read this trip.")
        case (false, false, .space):
            tr("It is on this device alone: nobody else may read this space.")
        }
    }

    /// For a record that no other device can have yet.
    var unfinished: WhyView {
        let schema = subject.place.reader.schema
        let collection = evidence.collection.flatMap { schema.collection($0) }
        return WhyView(
            subject: described, status: .unfinished, everywhere: false,
            verdict: tr(
                """
                It is unfinished: it stays on this device \
                \(Sentence.Unfinished.until(collection?.finishedBy)), then the others get it whole.
                """),
            devices: [device(WhyFinding(device: nil, state: .complete))])
    }

    private var described: WhyView.Subject {
        let isFile = if case .file = subject.thing { true } else { evidence.record.isFile }
        let id = subject.id
        return WhyView.Subject(
            kind: isFile ? .file : .record, id: id, shortID: ShortIDs.alone(id),
            name: ShownText.line(evidence.name), collection: evidence.collection,
            space: subject.place.space.reference, deleted: isDeleted)
    }

    private func device(_ finding: WhyFinding) -> WhyView.Device {
        let id = finding.device ?? replica.local.device
        let words = WhyReasonWords(
            replica: replica, space: subject.place.space.reference, noun: noun)
        let bytes = finding.files.reduce(UInt64(0)) { sum, file in
            let rest = file.size - min(file.size, finding.device == nil ? file.bytesHere : 0)
            return sum.addingReportingOverflow(rest).partialValue
        }
        let lacks = WaitingCount(
            changes: finding.changes, files: finding.files.count, bytes: Int64(clamping: bytes))
        return WhyView.Device(
            device: replica.reference(id),
            person: replica.author(with: id, in: subject.place.space.id),
            here: finding.device == nil, state: finding.state, lacks: lacks,
            sentence: sentence(finding.state, lacks),
            reasons: finding.reasons.map { words.reason($0) },
            remedy: WhyWords.telling(finding.reasons).lazy.compactMap {
                words.remedy($0, id)
            }.first)
    }

    /// A computer that answers need not be connected to the network.
    private static func telling(_ reasons: [WhyFinding.Reason]) -> [WhyFinding.Reason] {
        reasons.filter {
            if case .callFailed(let calls) = $0 { calls.error == .notListening } else { false }
        } + reasons
    }

    private func sentence(_ state: WhyView.State, _ lacks: WaitingCount) -> String {
        switch state {
        case .complete: isDeleted ? tr("knows that it is deleted") : tr("has it")
        case .lacksChanges, .lacksFiles:
            isDeleted
                ? tr("does not know yet that it is deleted")
                : tr("lacks \(Sentence.waiting(lacks))")
        case .notAccepted:
            noun == .trip
                ? tr("has not said that it took the trip")
                : tr("has not said that it took the space")
        case .unknown: tr("may have it or not")
        }
    }
}

/// Why something of a space is missing somewhere, and the remedy, in words.
struct WhyReasonWords {
    let replica: any Replica
    let space: Reference
    let noun: SpaceNoun

    func reason(_ reason: WhyFinding.Reason) -> WhyView.Reason {
        let sentence =
            switch reason {
            case .moving: tr("it is on its way")
            case .soon: tr("it is in reach: it comes by itself")
            case .problem(let problem): status.words(for: problem).phrase
            case .notConnected(let since): notConnected(since)
            case .noWay: tr("no address of it is known here, and it never called")
            case .callFailed(let calls): calls.error.words
            case .notAccepted: tr("it may still wait for an answer there")
            case .declined: tr("its person declined it")
            case .noSource(let holders): noSource(holders)
            case .filesUnsaid: tr("it has not said yet which files it has")
            case .behind(let changes): behind(changes)
            case .schema(let obstacle): Sentence.Why.schema(Sentence.SchemaObstacle(obstacle))
            case .roleLost:
                noun == .trip
                    ? tr("this device may not read the trip any more")
                    : tr("this device may not read the space any more")
            case .conflict: tr("several devices wrote to it at once, and nobody has decided")
            }
        return WhyView.Reason(kind: reason.kind, sentence: sentence)
    }

    private var status: StatusWords { StatusWords(replica) }

    private func notConnected(_ since: Milliseconds?) -> String {
        let now = replica.now.value
        guard let since else { return tr("not connected yet") }
        let seconds = now > since.value ? (now - since.value) / 1000 : 0
        return tr(
            "not connected, last seen \(Sentence.Status.ago(seconds: Int(clamping: seconds)))")
    }

    private func noSource(_ holders: [DeviceID]) -> String {
        guard !holders.isEmpty else {
            return tr("no device that has the file is connected to this one")
        }
        let names = holders.prefix(3).map { Sentence.plain(replica.reference($0).name) }.joined(
            separator: ", ")
        let others = holders.count > 3 ? tr(" and others") : ""
        return tr(
            holders.count,
            "only \(names)\(others) has all of it, and is not connected to this device",
            "only \(names)\(others) have all of it, and are not connected to this device")
    }

    private func behind(_ changes: Int) -> String {
        let what = Sentence.count(changes, "change", "changes")
        return noun == .trip
            ? tr(
                changes, "others wrote \(what) to this trip that is not here",
                "others wrote \(what) to this trip that are not here")
            : tr(
                changes, "others wrote \(what) to this space that is not here",
                "others wrote \(what) to this space that are not here")
    }

    func remedy(_ reason: WhyFinding.Reason, _ id: DeviceID) -> String? {
        let device = replica.reference(id).name
        return switch reason {
        case .moving, .soon, .filesUnsaid, .roleLost, .schema(.unreadable), .schema(.absent): nil
        case .problem(let problem): status.words(for: problem).remedy
        case .notConnected, .noWay:
            tr(
                """
                Bring \(Sentence.plain(device)) into one network with this device, or with any \
                that has it, and run the agent there: \(Sentence.startAgent)
                """)
        case .callFailed(let calls): Sentence.Why.callAgain(device, calls.error)
        case .notAccepted, .declined:
            tr("On \(Sentence.plain(device)): \(accept(on: id))")
        case .noSource, .behind:
            tr("It comes as soon as a device that has it is in reach and runs its agent.")
        case .schema(.newer): Sentence.Problem.updateHere.text
        case .conflict: "peersync conflicts"
        }
    }

    /// The command that accepts the space there: a vault shows it under another name.
    private func accept(on device: DeviceID) -> String {
        if let id = SpaceID(hexadecimal: space.id),
            replica.membership(of: id)?.vaults.contains(device) ?? false
        {
            return "peersync \(SpaceNoun.space) accept \(KnownSpace.sealedName(of: id))"
        }
        return "peersync \(noun) accept \(Sentence.quoted(space.name))"
    }
}
