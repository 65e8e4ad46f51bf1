internal import LocalAPI

/// One trip with its people.
enum TripDetails {
    static func rendered(_ trip: TripView, width: Int?) -> String {
        var table = Table([.text(""), .wrapping("", shrinksTo: 16)])
        table.add([tr("contents"), TripTable.standing(trip)])
        if let role = trip.role { table.add([tr("your role"), role.rawValue]) }
        if let encryption = trip.encryption {
            table.add([tr("encrypted"), Sentence.Encryption.standing(encryption)])
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
                + "\(Symbols.of(trip.state)) \(Sentence.Status.short(trip.state))",
            table.rendered(width: width, indent: 2),
        ]
        if let members = trip.members, !members.isEmpty {
            lines += ["", MemberTable.rendered(members, width: width, indent: 2)]
        }
        if trip.membership == .granted, trip.role != nil {
            let words = Sentence.Problem.invitation(
                from: trip.grantedBy?.name, to: TripTable.name(trip), isTrip: trip.isTrip)
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
}
