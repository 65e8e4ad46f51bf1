internal import LocalAPI

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
