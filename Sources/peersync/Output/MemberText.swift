package import LocalAPI

/// The texts about granting, revoking and requesting rights in a trip.
package enum MemberText {
    /// `Ben is now editor of this trip. On their device it waits for: peersync trip accept Arezzo`.
    static func granted(
        _ member: MemberView, _ noun: SpaceNoun, name: String, shortID: String
    ) -> String {
        let (who, role) = (
            Sentence.plain(member.person.name), Self.standing(member.role, member.rights)
        )
        let place =
            noun == .trip
            ? tr("this trip", context: "member of") : tr("this space", context: "member of")
        let standing =
            switch (member.me, member.role.rights == member.rights) {
            case (true, true): tr("You are now \(role) of \(place).")
            case (true, false): tr("You are now allowed to \(role) in \(place).")
            case (false, true): tr("\(who) is now \(role) of \(place).")
            case (false, false): tr("\(who) is now allowed to \(role) in \(place).")
            }
        let word =
            member.me
            ? tr(" With authority: your values win over those of others, also newer ones.")
            : tr(" With authority: their values win over those of others, also newer ones.")
        let waits =
            member.declined == true
            ? tr(
                """
                 They declined it before and are not asked again; they can still accept it: \
                peersync \(noun) accept \(shortID)
                """)
            : tr(" On their device it waits for: peersync \(noun) accept \(Sentence.quoted(name))")
        return standing + (member.authority ? word : "") + (member.accepted ? "" : waits)
    }

    /// `editor`, or `read, write and admin` where no role has exactly these rights.
    static func standing(_ role: Role?, _ rights: [Right]) -> String {
        if let role, role.rights == rights { return role.rawValue }
        return Sentence.Member.list(rights.map(\.rawValue))
    }

    /// Devices of a person that a grant to them leaves out.
    static func leftOut(_ member: MemberView, trip: String) -> String? {
        guard let devices = member.grant?.leftOut, !devices.isEmpty else { return nil }
        let names = Sentence.Member.list(devices.map { Sentence.plain($0.name) })
        return tr(
            devices.count, "\(names) does not get it: \(names) is called lost.",
            "\(names) do not get it: \(names) are called lost.")
    }

    /// The rights that a smaller grant revoked, and how to restore them.
    package static func lowered(
        _ member: MemberView, _ noun: SpaceNoun, trip: String
    ) -> String? {
        guard let lost = member.grant?.lost, !lost.isEmpty else { return nil }
        let verbs = Sentence.Member.list(lost.map(\.verb))
        let what =
            member.me
            ? tr("You may no longer \(verbs).")
            : tr("\(Sentence.plain(member.person.name)) may no longer \(verbs).")
        let role = Sentence.Member.role(with: member.rights + lost)
        return member.me
            ? tr(
                """
                \(what) What was done until now stays; what is done from now on, \
                also on a device that has not heard of this, has no effect.
                Only another admin can undo it: peersync \(noun) grant \(Sentence.quoted(trip)) \
                \(Sentence.quoted(member.person.name)) --role \(role.rawValue)
                """)
            : tr(
                """
                \(what) What was done until now stays; what is done from now on, \
                also on a device that has not heard of this, has no effect.
                Undo: peersync \(noun) grant \(Sentence.quoted(trip)) \
                \(Sentence.quoted(member.person.name)) --role \(role.rawValue)
                """)
    }

    static func askRevoke(_ view: RevokeView) -> String {
        let effect =
            view.me
            ? tr("what it writes from now on has no effect")
            : tr("what they write from now on has no effect")
        var lines = [
            tr(
                """
                \(who(view)) will no longer get anything new of \(Sentence.name(view.trip.name)), and \(effect). \
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
            let invited = Sentence.Member.list(view.invited.map { Sentence.plain($0.name) })
            lines.append(
                view.withInvited
                    ? tr(
                        view.invited.count, "\(invited), let in by them, loses it as well.",
                        "\(invited), let in by them, lose it as well.")
                    : tr("\(stay(view)) To take it from them as well: --with-invited"))
        }
        lines.append(tr("Take \(Sentence.name(view.trip.name)) from \(who(view))?"))
        return lines.joined(separator: "\n")
    }

    static func revoked(_ view: RevokeView) -> String {
        let (who, place) = (who(view), Sentence.name(view.trip.name))
        var lines = [
            tr(
                view.kept.isEmpty ? 1 : view.devices.count, "\(who) no longer has \(place).",
                "\(who) no longer have \(place).")
        ]
        if view.discounted > 0 {
            lines.append(
                tr(
                    """
                    Hidden: \(Sentence.count(view.discounted, "change", "changes")); see them with: \
                    peersync orphans \(Sentence.quoted(view.trip.name))
                    """))
        }
        if !view.kept.isEmpty {
            let kept = Sentence.Member.list(view.kept.map { Sentence.plain($0.name) })
            lines.append(tr(view.kept.count, "\(kept) keeps it.", "\(kept) keep it."))
        }
        if !view.invited.isEmpty {
            let invited = Sentence.Member.list(view.invited.map { Sentence.plain($0.name) })
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
        let invited = Sentence.Member.list(view.invited.map { Sentence.plain($0.name) })
        return tr(
            view.invited.count, "\(invited), let in by them, stays.",
            "\(invited), let in by them, stay.")
    }

    static func revokedNext(_ view: RevokeView, _ noun: SpaceNoun) -> String {
        let whom =
            view.kept.isEmpty ? view.person.name : view.devices.first?.name ?? view.person.name
        let role = Sentence.Member.role(with: view.rights)
        return tr(
            """
            Undo: peersync \(noun) grant \(Sentence.quoted(view.trip.name)) \(Sentence.quoted(whom)) \
            --role \(role.rawValue)
            """)
    }

    /// A person, or single devices where the person keeps others.
    private static func who(_ view: RevokeView) -> String {
        guard !view.kept.isEmpty else { return Sentence.plain(view.person.name) }
        return Sentence.Member.list(view.devices.map { Sentence.plain($0.name) })
    }

    static func may(_ view: RightView) -> String {
        let (who, verb) = (Sentence.plain(view.person.name), view.right.verb)
        let place = Sentence.name(view.trip.name)
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

    static func mayNext(_ view: RightView, _ noun: SpaceNoun) -> String? {
        guard !view.allowed else { return nil }
        if view.me { return asking(view.trip.name, noun, view.right, view.ask) }
        let role = Sentence.Member.role(with: [view.right]).rawValue
        let command =
            "peersync \(noun) grant \(Sentence.quoted(view.trip.name)) \(Sentence.quoted(view.person.name)) --role \(role)"
        return view.ask.isEmpty
            ? tr("You can allow it: \(command)")
            : tr("An admin can allow it: \(command)")
    }

    private static func asking(
        _ trip: String, _ noun: SpaceNoun, _ right: Right, _ admins: [Reference]
    ) -> String? {
        guard !admins.isEmpty else { return nil }
        return tr(
            """
            Ask \(Sentence.Member.list(admins.map { Sentence.plain($0.name) })) for it: peersync \(noun) \
            request \(Sentence.quoted(trip)) \(right.rawValue)
            """)
    }

    static func requested(_ view: RequestView) -> String {
        let place = Sentence.name(view.trip.name)
        guard !view.rights.isEmpty else {
            return view.me
                ? tr("You do not ask for anything in \(place) any more.")
                : tr(
                    "\(Sentence.plain(view.person.name)) reads in 'peersync log' that you refused.")
        }
        let verbs = Sentence.Member.list(view.rights.map(\.verb))
        let whom = Sentence.Member.list(view.ask.map { Sentence.plain($0.name) })
        let asked =
            view.ask.isEmpty ? tr("Nobody can grant it now.") : tr("\(whom) will see it.")
        return tr("You asked to \(verbs) in \(place). \(asked)")
    }
}
