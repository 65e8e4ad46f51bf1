package import LocalAPI
internal import Store
internal import SyncCore

/// Corrects the dates of changes by a device whose clock was wrong, in every space of this device at once.
package struct RedateService: Sendable {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// With `preview`, only reports the changes. Throws when there is nothing to redate, a clock is still
    /// wrong, or this person may redate none of it.
    package func redate(_ typed: String, _ draft: RedateDraft) async throws -> RedateView {
        let device = try find(typed)
        var places = try places(device, draft)
        guard !places.isEmpty else { throw try nothing(of: device, draft) }
        let refused = places.filter { !$0.isAllowed }.map(\.space)
        places.removeAll { !$0.isAllowed }
        if places.isEmpty, let space = refused.first {
            throw notAllowed(device, in: space)
        }
        let offset = try offset(places, device, draft)
        let preview = draft.preview ?? false
        if !preview {
            try await Deeds(replica).together(redating: device, isUndo: draft.undo ?? false) {
                for place in places {
                    try await replica.redate(
                        Redating(device: device, span: place.span, offsetMilliseconds: offset),
                        in: place.space.id)
                }
            }
        }
        return RedateView(
            device: replica.reference(device), offsetMilliseconds: offset, done: !preview,
            trips: places.map { $0.view(movedBy: offset) },
            refused: refused.map(\.reference))
    }

    /// The error where this person may not redate changes of a device.
    func notAllowed(_ device: DeviceID, in space: ReadableSpace) -> APIError {
        mayNotRedate(
            device: name(of: device), person: replica.author(with: device, in: space.id).name,
            space: space.name)
    }

    // MARK: The affected changes

    /// The affected changes of one space.
    private struct Place {
        let space: ReadableSpace
        let isAllowed: Bool
        let commits: [DatedCommit]

        /// By the clock of the device.
        var span: ClosedRange<UInt64> {
            let times = commits.map(\.raw.milliseconds)
            return (times.min() ?? 0)...(times.max() ?? 0)
        }

        func view(movedBy offset: Int64) -> RedatedTrip {
            func bounds(_ times: [HybridTime]) -> (first: Moment, last: Moment) {
                let none = HybridTime(raw: 0)
                return (Moment(times.min() ?? none), Moment(times.max() ?? none))
            }
            let (before, after) = (
                bounds(commits.map(\.clock)), bounds(commits.map { $0.raw.moved(by: offset) })
            )
            return RedatedTrip(
                trip: space.sharedReference, changes: commits.count, first: before.first,
                last: before.last, newFirst: after.first, newLast: after.last)
        }
    }

    private func places(_ device: DeviceID, _ draft: RedateDraft) throws -> [Place] {
        let soon = replica.now.value + Limits.clockSkewMilliseconds
        let isMeant: (DatedCommit) -> Bool
        if draft.undo ?? false {
            isMeant = { $0.clock != $0.raw }
        } else if draft.from != nil || draft.to != nil {
            let from = draft.from?.milliseconds ?? 0
            let to = draft.to?.milliseconds ?? .max
            isMeant = { (from..<max(from, to)).contains(Int64(clamping: $0.raw.milliseconds)) }
        } else {
            isMeant = { $0.clock.milliseconds > soon }
        }
        return try SpaceDirectory(replica).readable(.withDeleted).compactMap { space in
            let commits = try replica.store.log.datedCommits(of: device, in: space.id).filter(
                isMeant)
            guard !commits.isEmpty, let membership = replica.membership(of: space.id) else {
                return nil
            }
            return Place(
                space: space,
                isAllowed: membership.mayRedate(device, from: replica.local.device),
                commits: commits)
        }
    }

    private func nothing(of device: DeviceID, _ draft: RedateDraft) throws -> APIError {
        let name = name(of: device)
        if draft.undo ?? false {
            return APIError(
                code: .conflict, sentence: "No change of \(Sentence.name(name)) was redated.",
                hint: "See what it changed: peersync log --since all")
        }
        if draft.from != nil || draft.to != nil {
            return APIError(
                code: .conflict,
                sentence: "\(Sentence.name(name)) changed nothing in that time, by its own clock.",
                hint: "See what it changed: peersync log --since all")
        }
        // With a wrong clock nobody can tell what is in the future.
        try requireRightClocks(device)
        return APIError(
            code: .conflict,
            sentence: "No change of \(Sentence.name(name)) is dated in the future.",
            hint: """
                Other ones by their time: peersync device redate \(Sentence.quoted(name)) --from \
                TIME --to TIME --earlier 1h
                """)
    }

    // MARK: The offset

    private func offset(
        _ places: [Place], _ device: DeviceID, _ draft: RedateDraft
    ) throws -> Int64 {
        if draft.undo ?? false { return 0 }
        if let offset = draft.offsetMilliseconds, offset != 0 { return offset }
        try requireRightClocks(device)
        let now = replica.now
        // The clock was ahead by at least as much as a change came here before its own time.
        let least =
            places.flatMap(\.commits).map { commit -> Int64 in
                let seen = min(commit.receivedAt, now).value
                return Int64(clamping: commit.raw.milliseconds) - Int64(clamping: seen)
            }.max() ?? 0
        let noted = try notedLead(of: device)
        guard least > 0 || noted > 0 else {
            throw APIError(
                code: .badInput,
                sentence: """
                    How far the clock of \(Sentence.name(name(of: device))) was off is not known \
                    here.
                    """,
                hint: "Say it: --earlier 1h30m or --later 2d")
        }
        return -max(least, noted)
    }

    /// How far its clock was ahead when it last differed much from this one; for this device, the median
    /// difference from the others.
    private func notedLead(of device: DeviceID) throws -> Int64 {
        if device != replica.local.device {
            return try replica.store.devices.notedSkew(of: device) ?? 0
        }
        let leads = try replica.knownDevices().compactMap { known in
            try replica.store.devices.notedSkew(of: known.card.device).map { -$0 }
        }.sorted()
        return leads.isEmpty ? 0 : leads[leads.count / 2]
    }

    /// Throws while the clocks differ: then this device cannot tell how wrong the other one was.
    private func requireRightClocks(_ device: DeviceID) throws {
        let limit = Int64(Limits.clockSkewMilliseconds)
        var skews: [DeviceID: Int64] = [:]
        for known in try replica.knownDevices() {
            skews[known.card.device] = known.clockSkewMilliseconds
        }
        if let skew = skews[device], abs(skew) > limit {
            throw clocksDiffer(device: name(of: device), seconds: Int(skew / 1000))
        }
        if !skews.isEmpty, skews.values.allSatisfy({ abs($0) > limit }) {
            throw clocksDiffer(device: nil, seconds: 0)
        }
    }

    // MARK: Names

    /// Among all devices that wrote something here, including this one.
    // As Lookup.find, which it calls.
    @inline(never)
    private func find(_ typed: String) throws -> DeviceID {
        var devices = Set(try replica.knownDevices().map(\.card.device))
        devices.insert(replica.local.device)
        for space in try SpaceDirectory(replica).readable(.withDeleted) {
            devices.formUnion(replica.watermark(of: space.id).heads.keys.map(\.device))
        }
        return try Lookup.device(typed, among: devices.sorted(), of: replica) { $0 }
    }

    private func name(of device: DeviceID) -> String { replica.reference(device).name }
}

/// `device` is nil when this computer differs from all others.
private func clocksDiffer(device: String?, seconds: Int) -> APIError {
    APIError(
        code: .conflict,
        sentence: device.map { device in
            let (name, time) = (
                Sentence.name(device), Sentence.Status.exactDuration(abs(seconds))
            )
            return seconds > 0
                ? tr(
                    """
                    The clock of \(name) is still \(time) ahead of this one's, so nobody can say yet how \
                    wrong it was.
                    """)
                : tr(
                    """
                    The clock of \(name) is still \(time) behind this one's, so nobody can say yet how \
                    wrong it was.
                    """)
        } ?? """
            The clock of this computer differs from those of all other devices, so nobody can \
            say from here how wrong another one was.
            """,
        hint: """
            First set the clock right (sudo timedatectl set-ntp true), or say how far it was \
            off: --earlier 1h
            """)
}

private func mayNotRedate(device: String, person: String, space: String) -> APIError {
    APIError(
        code: .notAllowed,
        sentence: "You may not redate changes of \(Sentence.name(device)).",
        hint: """
            \(Sentence.plain(person)) can, and every admin of \(Sentence.name(space)): \
            peersync device redate \(Sentence.quoted(device))
            """)
}
