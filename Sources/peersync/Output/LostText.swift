package import LocalAPI

/// The texts of `device lost`: what is taken from the device, and what to do next.
package enum LostText {
    /// The most trips that are named with their role.
    private static let grantsShown = 10

    package static func question(_ view: LostView) -> String {
        var lines = view.trips.map { trip in line(trip, device: view.device.name, done: false) }
        if view.trips.isEmpty {
            lines.append(tr("\(Sentence.plain(view.device.name)) has no trip of yours."))
        }
        lines += call(view)
        if view.call != .everybody, !hasMore(view) {
            let device = Sentence.plain(view.device.name)
            lines.append(tr("\(device) will be forgotten here until you pair with it again."))
        }
        lines += ["", limits]
        lines.append(tr("Take from \(Sentence.plain(view.device.name)) what you can?"))
        return lines.joined(separator: "\n")
    }

    static func done(_ view: LostView) -> String {
        var lines = view.trips.map { trip in line(trip, device: view.device.name, done: true) }
        if view.again {
            let device = Sentence.plain(view.device.name)
            lines.insert(tr("Nothing more can be taken from \(device)."), at: 0)
        }
        let end =
            view.call == .everybody
            ? tr("This device gives it nothing more, and nor does anybody who has heard.")
            : hasMore(view)
                ? tr(
                    "\(Sentence.plain(view.device.name)) is no longer paired here, and gets only what stays."
                )
                : tr(
                    "\(Sentence.plain(view.device.name)) is forgotten here, and gets nothing more.")
        return (lines + call(view) + [end]).joined(separator: "\n")
    }

    /// Whether it keeps a trip of this device.
    private static func hasMore(_ view: LostView) -> Bool {
        view.trips.contains { $0.outcome != .taken }
    }

    /// The people to tell, and the devices that are lost with it.
    private static func call(_ view: LostView) -> [String] {
        let device = Sentence.plain(view.device.name)
        let person = Sentence.plain(view.person.name)
        var lines: [String] = []
        switch view.call {
        case .everybody:
            let whom = view.me ? tr("you", context: "shares with") : person
            lines.append(
                view.done
                    ? tr(
                        "Everybody who shares a trip with \(whom) is told that \(device) is lost."
                    )
                    : tr(
                        """
                        Everybody who shares a trip with \(whom) will be told that \(device) is lost.
                        """))
        case .needsKey:
            lines.append(
                tr(
                    """
                    Others are not told that \(device) is lost: it is older than this device, so it takes \
                    your recovery key.
                    """))
        case .notYours:
            lines.append(
                view.me
                    ? tr("Others are not told that \(device) is lost: only you can say so.")
                    : tr(
                        "Others are not told that \(device) is lost: only \(person) can say so."
                    ))
        }
        if let first = view.lostWithIt.first {
            let names = Sentence.Member.list(view.lostWithIt.map { Sentence.plain($0.name) })
            lines.append(
                tr(
                    view.lostWithIt.count,
                    """
                    \(names) was paired on \(device), and is lost with it. Is one of them in your hands? Keep it: \
                    --keep \(Sentence.quoted(first.name))
                    """,
                    """
                    \(names) were paired on \(device), and are lost with it. Is one of them in your hands? Keep it: \
                    --keep \(Sentence.quoted(first.name))
                    """))
        }
        return lines
    }

    private static func line(_ trip: LostTrip, device: String, done: Bool) -> String {
        let place = trip.trip.map { Sentence.name($0.name) } ?? tr("Your own lists")
        var parts: [String] = []
        switch trip.outcome {
        case .taken where wasTaken(trip): parts.append(tr("was taken before"))
        case .taken: parts.append(done ? tr("taken") : tr("can be taken"))
        case .needsKey: parts.append(tr("stays: only your recovery key can take it"))
        case .notAllowed: parts.append(tr("stays: you may not take it"))
        }
        if trip.outcome != .taken, !trip.ask.isEmpty {
            let who = Sentence.Member.list(trip.ask.map { Sentence.plain($0.name) })
            parts.append(
                tr("\(who) can: peersync device lost \(Sentence.quoted(device))"))
        }
        // Of what came after it was taken, it has nothing.
        if !wasTaken(trip) {
            parts.append(tr("it held \(held(trip))"))
        }
        if trip.discounted > 0 {
            let what = Sentence.count(trip.discounted, "change", "changes")
            parts.append(
                done
                    ? tr("\(what) of it count no more")
                    : tr("\(what) of it would count no more"))
        }
        if done, trip.outcome == .taken { parts.append(hearing(trip)) }
        if !trip.letIn.isEmpty {
            let who = Sentence.Member.list(trip.letIn.map { Sentence.plain($0.name) })
            parts.append(tr("it let in \(who), who stay: look whether you know them"))
        }
        return "\(place): \(parts.joined(separator: "; "))."
    }

    private static func wasTaken(_ trip: LostTrip) -> Bool {
        trip.outcome == .taken && trip.role == nil && trip.carries != true
    }

    private static func held(_ trip: LostTrip) -> String {
        let changes =
            trip.changesHeld == trip.changes
            ? tr("all changes")
            : tr("\(trip.changesHeld) of \(Sentence.count(trip.changes, "change", "changes"))")
        guard trip.files > 0 else { return changes }
        let files =
            trip.filesHeld.map {
                $0 >= trip.files
                    ? tr(trip.files, "the one file", "all \(trip.files) files")
                    : $0 == 0 ? tr("no file") : tr("\($0) of \(trip.files) files")
            } ?? tr("perhaps files")
        return tr("\(changes) and \(files)")
    }

    private static func hearing(_ trip: LostTrip) -> String {
        if trip.unaware.isEmpty { return tr("everybody has heard") }
        let unaware = Sentence.Member.list(trip.unaware.map { Sentence.plain($0.name) })
        return tr(
            trip.unaware.count, "\(unaware) has not heard yet", "\(unaware) have not heard yet")
    }

    /// Explains what revoking can do, and what it cannot.
    static var limits: String {
        tr(
            """
            What is on a lost device stays there, and whoever can open it can read it. From now on \
            everybody who has heard sends it nothing and takes nothing of what it writes. Who has not \
            heard yet still does; once they hear, what it wrote meanwhile counts for nothing.
            """)
    }

    package static func next(_ view: LostView) -> String {
        var lines = [
            tr("See who has heard: peersync device lost \(Sentence.quoted(view.device.name))")
        ]
        let keys = view.done ? view.trips.compactMap(\.newKey) : []
        if let isNewKey = keys.contains(false) ? false : keys.first {
            lines.append(Sentence.Encryption.revoked(isNewKey: isNewKey))
        }
        if view.trips.contains(where: { $0.discounted > 0 }) {
            lines.append(tr("What counts no more: peersync orphans"))
        }
        if let trip = view.trips.first(where: { $0.trip != nil && !$0.letIn.isEmpty }),
            let place = trip.trip, let device = trip.letIn.first
        {
            lines.append(
                tr(
                    """
                    Take it from somebody you do not know: peersync trip revoke \(Sentence.quoted(place.name)) \
                    \(Sentence.quoted(device.name))
                    """))
        }
        if view.call == .needsKey || view.trips.contains(where: { $0.outcome == .needsKey }) {
            lines.append(
                tr(
                    """
                    With your recovery key: peersync device lost \(Sentence.quoted(view.device.name)) \
                    --recovery-file FILE
                    """))
        }
        lines.append(
            view.call == .everybody
                ? tr("Found again? peersync device found \(Sentence.quoted(view.device.name))")
                : wayBack(view))
        return lines.joined(separator: "\n")
    }

    /// The way back of a device that is forgotten here, with the role that it had in each trip.
    private static func wayBack(_ view: LostView) -> String {
        let device = Sentence.quoted(view.device.name)
        // Where nothing can be taken, nothing has to be given back, and perhaps this person may not.
        if !view.trips.isEmpty, !view.trips.contains(where: { $0.outcome == .taken }) {
            return tr("Found again? Pair with it: peersync pair")
        }
        let commands = view.trips.compactMap { trip -> String? in
            guard trip.outcome == .taken, let place = trip.trip else { return nil }
            if trip.carries == true {
                return tr("peersync vault add \(device) --trip \(Sentence.quoted(place.name))")
            }
            guard let role = trip.role else { return nil }
            return tr(
                "peersync trip grant \(Sentence.quoted(place.name)) \(device) --role \(role.rawValue)"
            )
        }
        guard !commands.isEmpty, commands.count <= grantsShown else {
            return tr(
                """
                Found again? Pair with it: peersync pair. Then give it each trip back, with the role it \
                had: peersync trip grant TRIP \(device) --role ROLE
                """)
        }
        let head = tr("Found again? Pair with it: peersync pair. Then give it back what it had:")
        return ([head] + commands.map { "  \($0)" }).joined(separator: "\n")
    }
}
