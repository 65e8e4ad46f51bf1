internal import LocalAPI
internal import SyncCore

/// Spaces that this device carries without reading them, in words.
enum VaultWords {
    static func invitation(from person: String?, to place: String) -> Sentence.Problem.Words {
        let who = person.map { Sentence.plain($0) } ?? tr("Somebody")
        return Sentence.Problem.Words(
            """
            \(who) asks this device to carry \(Sentence.name(place)), which it cannot read.
            """, "it waits for your answer",
            """
            peersync \(SpaceNoun.space) accept \(Sentence.quoted(place)), or: \
            peersync \(SpaceNoun.space) decline \(Sentence.quoted(place))
            """
        )
    }

    /// The vault shows another name than its owner's device: `sealed`.
    static func answer(
        of person: String, for vault: String, to place: String, as sealed: String, isNo: Bool
    ) -> Sentence.Problem.Words {
        let (who, device) = (Sentence.plain(person), Sentence.plain(vault))
        let what = Sentence.name(place)
        let accept = "peersync \(SpaceNoun.space) accept \(Sentence.quoted(sealed))"
        let remove =
            "peersync vault remove \(Sentence.quoted(vault)) --trip \(Sentence.quoted(place))"
        return isNo
            ? Sentence.Problem.Words(
                "\(device) does not carry \(what): \(who) declined.", "the invitation was declined",
                "Take it back: \(remove); \(who) can still accept it on \(device): \(accept)")
            : Sentence.Problem.Words(
                "\(device) does not carry \(what) yet: \(who) has not answered.",
                "the invitation has no answer yet",
                "\(who) accepts it on \(device) with: \(accept); take it back: \(remove)")
    }

    static func carriedNoMore(
        _ name: String, by person: String?, ago: String?, changes: Int, files: Int
    ) -> Sentence.Problem.Words {
        let who = person.map { Sentence.plain($0) } ?? tr("Somebody")
        let when = ago.map { ", \($0)" } ?? ""
        let held = Sentence.Member.list(
            [Sentence.count(changes, "change", "changes")]
                + (files > 0 ? [Sentence.count(files, "file", "files")] : []))
        return Sentence.Problem.Words(
            """
            \(who) has \(Sentence.name(name)) carried by this device no more\(when). What is here \
            stays here (\(held)), unreadable as before; nothing new comes.
            """, "it is carried here no more",
            "To put it away here: peersync \(SpaceNoun.space) leave \(Sentence.quoted(name))")
    }
}

extension Membership {
    /// The devices of a person that may carry the space, if none of theirs may read it.
    func vaultsAlone(of person: PersonID) -> Set<DeviceID> {
        let devices = Set(members.map(\.standing.card).filter { $0.person == person }.map(\.device))
        return devices.isSubset(of: vaults) ? devices : []
    }
}
