internal import LocalAPI

/// One trip with its people.
enum TripDetails {
    static func rendered(_ trip: TripView) -> String {
        var table = Table([.text(""), .text("")])
        table.add(["contents", TripTable.standing(trip)])
        if let role = trip.role { table.add(["your role", role.rawValue]) }
        table.add(["id", trip.id])
        var lines = [
            "\(Style.bold(Printable.line(TripTable.name(trip))))  "
                + "\(Symbols.of(trip.state)) \(Sentence.Status.short(trip.state))",
            table.rendered(width: nil, indent: 2),
        ]
        if let members = trip.members, !members.isEmpty {
            lines += ["", MemberTable.rendered(members, width: nil, indent: 2)]
        }
        if trip.membership == .granted {
            lines += [
                "", Sentence.Status.granted(by: trip.grantedBy?.name, trip: TripTable.name(trip)),
            ]
        }
        if trip.deletion != nil {
            lines += ["", "\(Style.yellow("!")) \(Sentence.Trip.bringBack(trip))"]
        }
        if trip.quarantined > 0 {
            let notice = Sentence.Status.quarantined(trip.quarantined, trip: TripTable.name(trip))
            lines += ["", "\(Style.yellow("!")) \(notice)"]
        }
        return lines.joined(separator: "\n")
    }
}
