internal import LocalAPI

/// One trip with its people.
enum TripDetails {
    static func rendered(_ trip: TripView, width: Int?) -> String {
        var table = Table([.text(""), .wrapping("", shrinksTo: 16)])
        table.add([tr("contents"), TripTable.standing(trip)])
        if let role = trip.role { table.add([tr("your role"), role.rawValue]) }
        if let encryption = trip.encryption {
            table.add([tr("encrypted"), standing(encryption)])
        }
        if let vaults = trip.vaults, !vaults.isEmpty {
            table.add([tr("vaults"), Sentence.Member.list(vaults.map { Sentence.plain($0.name) })])
        }
        if let origin = trip.origin {
            let isArchived = !origin.author.isEmpty
            table.add([isArchived ? tr("archived by") : tr("goes on since"), OriginText.of(origin)])
        }
        table.add([tr("id"), trip.id])
        var lines = [
            "\(Style.bold(Printable.line(TripTable.name(trip))))  "
                + "\(Symbols.of(trip.state)) \(short(trip.state))",
            table.rendered(width: width, indent: 2),
        ]
        if let members = trip.members, !members.isEmpty {
            lines += ["", MemberTable.rendered(members, width: width, indent: 2)]
        }
        if trip.membership == .granted, trip.role != nil {
            let words = Sentence.Problem.invitation(
                from: trip.grantedBy?.name, to: TripTable.name(trip), as: trip.role,
                isTrip: trip.isTrip)
            lines += ["", words.sentence, words.remedy ?? ""]
        }
        if trip.deletion != nil {
            lines += [
                "",
                "\(Style.yellow("!")) \(tr("Bring it back for everybody: \(Sentence.Trip.restore(trip))"))",
            ]
        }
        if !trip.problems.isEmpty {
            lines += [""] + trip.problems.flatMap { ProblemText.lines($0) }
        }
        return lines.joined(separator: "\n")
    }

    private static func standing(_ view: EncryptionView) -> String {
        var parts = [
            view.keysHere == view.keys
                ? tr("yes, \(Sentence.count(view.keys, "key", "keys"))")
                : tr(
                    view.keys, "yes, \(view.keysHere) of \(view.keys) key here",
                    "yes, \(view.keysHere) of \(view.keys) keys here")
        ]
        if view.closed > 0 {
            parts.append(
                tr("\(Sentence.count(view.closed, "change", "changes")) cannot be read here"))
        }
        if !view.writable { parts.append(tr("waits for an admin to make a new key")) }
        return parts.joined(separator: "; ")
    }

    private static func short(_ state: SyncState) -> String {
        switch state {
        case .synced: tr("synced")
        case .syncing: tr("syncing")
        case .pending: tr("waiting")
        case .localOnly: tr("only on this device")
        case .offline: tr("not in reach")
        case .error: tr("needs you")
        }
    }
}
