internal import LocalAPI

/// The people of a trip as rows.
enum MemberTable {
    static func rendered(_ members: [MemberView], width: Int?, indent: Int = 0) -> String {
        var table = Table([
            .text("person", shrinksTo: 8), .text("role"), .text("devices", shrinksTo: 12),
            .text(""),
        ])
        for member in members {
            var remarks: [String] = []
            if member.me { remarks.append(Sentence.Trip.you) }
            if member.founder { remarks.append(Sentence.Trip.founder) }
            if member.authority { remarks.append(Sentence.Trip.authority) }
            if !member.accepted { remarks.append(Sentence.Trip.notAcceptedYet) }
            table.add([
                member.person.name, member.role.rawValue,
                member.devices.map(\.name).joined(separator: ", "), remarks.joined(separator: ", "),
            ])
        }
        return table.rendered(width: width, indent: indent)
    }
}
