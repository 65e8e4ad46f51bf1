/// Granting, revoking and requesting rights in a trip.
extension Sentence {
    package enum Member {
        /// `editor`, or `read, write and admin` where no role has exactly these rights.
        package static func standing(_ role: Role?, _ rights: [Right]) -> String {
            if let role, role.rights == rights { return role.rawValue }
            return list(rights.map(\.rawValue))
        }

        /// `a`, `a and b`, `a, b and c`.
        package static func list(_ words: [String]) -> String {
            guard let last = words.last, words.count > 1 else { return words.first ?? "" }
            return words.dropLast().joined(separator: ", ") + tr(" and ") + last
        }

        /// The smallest role that has all of some rights.
        package static func role(with rights: [Right]) -> Role {
            Role.allCases.first { Set($0.rights).isSuperset(of: rights) } ?? .admin
        }

        /// A person was let in again, or was given more rights, by somebody with a lower rank than the
        /// person who revoked them.
        package static func staysOut(
            _ person: String, trip: String, isMember: Bool, able: [String]
        ) -> APIError {
            let others = able.isEmpty ? "" : tr(" Ask \(list(able.map { plain($0) })) to do it.")
            return APIError(
                code: .notAllowed,
                sentence: isMember
                    ? """
                    Somebody of a higher rank took rights in \(name(trip)) from \(plain(person)): you cannot \
                    give them back.
                    """
                    : """
                    \(plain(person)) was removed from \(name(trip)) by somebody of a higher rank: you cannot \
                    let them in again.
                    """,
                hint: "Somebody of that rank can.\(others)")
        }

        /// Devices of a person that a grant to them leaves out.
        package static func leftOut(_ member: MemberView, trip: String) -> String? {
            guard let devices = member.leftOut, !devices.isEmpty else { return nil }
            let names = list(devices.map { plain($0.name) })
            return tr(
                devices.count, "\(names) does not get it: \(names) is called lost.",
                "\(names) do not get it: \(names) are called lost.")
        }

        /// The rights that a smaller grant revoked, and how to restore them.
        package static func lowered(_ member: MemberView, trip: String) -> String? {
            guard let lost = member.lost, !lost.isEmpty else { return nil }
            let verbs = list(lost.map(\.verb))
            let what =
                member.me
                ? tr("You may no longer \(verbs).")
                : tr("\(plain(member.person.name)) may no longer \(verbs).")
            let role = role(with: member.rights + lost)
            return member.me
                ? tr(
                    """
                    \(what) What was done until now stays; what is done from now on, \
                    also on a device that has not heard of this, has no effect.
                    Only another admin can undo it: peersync trip grant \(quoted(trip)) \
                    \(quoted(member.person.name)) --role \(role.rawValue)
                    """)
                : tr(
                    """
                    \(what) What was done until now stays; what is done from now on, \
                    also on a device that has not heard of this, has no effect.
                    Undo: peersync trip grant \(quoted(trip)) \(quoted(member.person.name)) \
                    --role \(role.rawValue)
                    """)
        }

        // MARK: Taking

        package static func askRevoke(_ view: RevokeView) -> String {
            let effect =
                view.me
                ? tr("what it writes from now on has no effect")
                : tr("what they write from now on has no effect")
            var lines = [
                tr(
                    """
                    \(who(view)) will no longer get anything new of \(name(view.trip.name)), and \(effect). \
                    What is there already can be read there for ever.
                    """)
            ]
            let hidden = view.discounted
            if hidden > 0 {
                lines.append(
                    tr(
                        hidden,
                        "\(hidden) change made since then is hidden for everybody, and can be brought back.",
                        "\(hidden) changes made since then are hidden for everybody, and can be brought back."
                    ))
            }
            if !view.invited.isEmpty {
                let invited = list(view.invited.map { plain($0.name) })
                lines.append(
                    view.withInvited
                        ? tr(
                            view.invited.count, "\(invited), let in by them, loses it as well.",
                            "\(invited), let in by them, lose it as well.")
                        : tr("\(stay(view)) To take it from them as well: --with-invited"))
            }
            lines.append(tr("Take \(name(view.trip.name)) from \(who(view))?"))
            return lines.joined(separator: "\n")
        }

        package static func revoked(_ view: RevokeView) -> String {
            let (who, place) = (who(view), name(view.trip.name))
            var lines = [
                tr(
                    view.kept.isEmpty ? 1 : view.devices.count, "\(who) no longer has \(place).",
                    "\(who) no longer have \(place).")
            ]
            if view.discounted > 0 {
                lines.append(
                    tr(
                        """
                        Hidden: \(count(view.discounted, "change", "changes")); see them with: \
                        peersync orphans \(quoted(view.trip.name))
                        """))
            }
            if !view.kept.isEmpty {
                let kept = list(view.kept.map { plain($0.name) })
                lines.append(tr(view.kept.count, "\(kept) keeps it.", "\(kept) keep it."))
            }
            if !view.invited.isEmpty {
                let invited = list(view.invited.map { plain($0.name) })
                lines.append(
                    view.withInvited
                        ? tr(
                            view.invited.count, "Nor has \(invited), let in by them.",
                            "Nor have \(invited), let in by them.")
                        : stay(view))
            }
            return lines.joined(separator: "\n")
        }

        /// The people they let in who stay.
        private static func stay(_ view: RevokeView) -> String {
            let invited = list(view.invited.map { plain($0.name) })
            return tr(
                view.invited.count, "\(invited), let in by them, stays.",
                "\(invited), let in by them, stay.")
        }

        package static func revokedNext(_ view: RevokeView) -> String {
            let whom =
                view.kept.isEmpty ? view.person.name : view.devices.first?.name ?? view.person.name
            let role = role(with: view.rights)
            return tr(
                """
                Undo: peersync trip grant \(quoted(view.trip.name)) \(quoted(whom)) --role \
                \(role.rawValue)
                """)
        }

        /// A person, or single devices where the person keeps others.
        private static func who(_ view: RevokeView) -> String {
            guard !view.kept.isEmpty else { return plain(view.person.name) }
            return list(view.devices.map { plain($0.name) })
        }

        // MARK: Asking

        package static func may(_ view: RightView) -> String {
            let (who, verb) = (plain(view.person.name), view.right.verb)
            let place = name(view.trip.name)
            let role = view.role.map { tr(", as \($0.rawValue)") }
            if view.allowed {
                return view.me
                    ? tr("Yes: you may \(verb) in \(place)\(role ?? "").")
                    : tr("Yes: \(who) may \(verb) in \(place)\(role ?? "").")
            }
            let none = view.me ? tr("; you have no access") : tr("; they have no access")
            return view.me
                ? tr("No: you may not \(verb) in \(place)\(role ?? none).")
                : tr("No: \(who) may not \(verb) in \(place)\(role ?? none).")
        }

        package static func mayNext(_ view: RightView) -> String? {
            guard !view.allowed else { return nil }
            if view.me { return asking(view.trip.name, view.right, view.ask) }
            let role = role(with: [view.right]).rawValue
            let command =
                "peersync trip grant \(quoted(view.trip.name)) \(quoted(view.person.name)) --role \(role)"
            return view.ask.isEmpty
                ? tr("You can allow it: \(command)")
                : tr("An admin can allow it: \(command)")
        }

        private static func asking(
            _ trip: String, _ right: Right, _ admins: [Reference]
        ) -> String? {
            guard !admins.isEmpty else { return nil }
            return tr(
                """
                Ask \(list(admins.map { plain($0.name) })) for it: peersync trip request \
                \(quoted(trip)) \(right.rawValue)
                """)
        }

        package static func requested(_ view: RequestView) -> String {
            let place = name(view.trip.name)
            guard !view.rights.isEmpty else {
                return view.me
                    ? tr("You do not ask for anything in \(place) any more.")
                    : tr("\(plain(view.person.name)) reads in 'peersync log' that you refused.")
            }
            let verbs = list(view.rights.map(\.verb))
            let whom = list(view.ask.map { plain($0.name) })
            let asked =
                view.ask.isEmpty ? tr("Nobody can grant it now.") : tr("\(whom) will see it.")
            return tr("You asked to \(verbs) in \(place). \(asked)")
        }

        package static func asks(_ rights: [Right]) -> String {
            tr("asks to \(verbs(rights))")
        }

        static func verbs(_ rights: [Right]) -> String { list(rights.map(\.verb)) }

        /// In the list of members, of devices that lag behind.
        package static func unaware(_ devices: [Reference], of all: Int) -> String? {
            guard !devices.isEmpty else { return nil }
            return devices.count == all && all > 1
                ? tr("no device has heard the latest")
                : tr("\(list(devices.map { plain($0.name) })) has not heard the latest")
        }
    }
}

extension Right {
    /// After "may".
    package var verb: String {
        switch self {
        case .read: tr("read", context: "may")
        case .write: tr("write", context: "may")
        case .delete: tr("delete", context: "may")
        case .admin: tr("give it to others", context: "may")
        }
    }
}
