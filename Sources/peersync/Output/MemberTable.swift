internal import LocalAPI

/// The people of a trip as rows.
enum MemberTable {
    /// `replaced` are the ids of devices that were probably set up again.
    static func rendered(
        _ members: [MemberView], width: Int?, indent: Int = 0, replaced: Set<String> = []
    ) -> String {
        let areGiven = members.contains { $0.grantedBy != nil }
        var table = Table(
            [
                .text(tr("person"), shrinksTo: 8), .text(tr("role")),
                .text(tr("devices"), shrinksTo: 12),
            ] + (areGiven ? [.text(tr("from"), shrinksTo: 6)] : [])
                + [.wrapping("", shrinksTo: 16)])
        for member in members {
            var remarks: [String] = []
            if member.me { remarks.append(tr("you")) }
            if member.founder { remarks.append(tr("founder")) }
            if member.authority { remarks.append(tr("with authority")) }
            if !member.accepted {
                remarks.append(
                    member.declined == true
                        ? tr("the invitation was declined") : tr("not accepted yet"))
            } else if let unaware = Self.unaware(
                member.unaware, of: member.devices.count)
            {
                remarks.append(unaware)
            }
            if !member.devices.isEmpty, member.devices.allSatisfy({ replaced.contains($0.id) }) {
                remarks.append(tr("probably set up again since"))
            }
            let gone = member.lostDevices ?? []
            let (forgotten, lost) = (gone.filter(\.forgotten), gone.filter { !$0.forgotten })
            if !lost.isEmpty {
                remarks.append(isLost(lost, areAll: lost.count == member.devices.count))
            }
            if !forgotten.isEmpty { remarks.append(isForgotten(forgotten)) }
            if let reads = member.keys.flatMap(reads) {
                remarks.append(reads)
            }
            if let requested = member.requested {
                remarks.append(Sentence.Member.asks(requested))
            }
            table.add(
                [
                    member.person.name, MemberText.standing(member.role, member.rights),
                    member.devices.map(\.name).joined(separator: ", "),
                ] + (areGiven ? [member.grantedBy?.name ?? ""] : [])
                    + [remarks.joined(separator: ", ")])
        }
        return table.rendered(width: width, indent: indent)
    }

    /// In the list of members.
    private static func isLost(_ devices: [LostMember], areAll: Bool) -> String {
        let names = Sentence.Member.list(devices.map { Sentence.plain($0.name) })
        return areAll
            ? tr(
                devices.count, "\(names) is lost: they get nothing until they have another device",
                "\(names) are lost: they get nothing until they have another device")
            : tr(devices.count, "\(names) is lost", "\(names) are lost")
    }

    private static func isForgotten(_ devices: [LostMember]) -> String {
        let names = Sentence.Member.list(devices.map { Sentence.plain($0.name) })
        return tr(
            devices.count, "\(names) is forgotten here, but still gets this",
            "\(names) are forgotten here, but still get this")
    }

    /// In the list of members, of devices that lag behind.
    private static func unaware(_ devices: [Reference], of all: Int) -> String? {
        guard !devices.isEmpty else { return nil }
        return devices.count == all && all > 1
            ? tr("no device has heard the latest")
            : tr(
                "\(Sentence.Member.list(devices.map { Sentence.plain($0.name) })) has not heard the latest"
            )
    }

    private static func reads(_ keys: MemberKeys) -> String? {
        switch keys {
        case .all: nil
        case .fromNow: tr("reads what came after them")
        case .missing: tr("waits for a key")
        }
    }
}
