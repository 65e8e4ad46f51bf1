/// Words for a trip that was revoked from this device.
extension Sentence.Problem {
    /// The revocation of a trip.
    package struct Revocation {
        /// The person who made it; nil where the person is unknown, or may not be named.
        let person: String?
        /// True for the person of this device.
        let isMine: Bool
        /// When, as ``Sentence/Status/ago(seconds:)`` says it.
        let ago: String?
        /// False if it is about one device of a person.
        let isWholePerson: Bool

        package init(by person: String?, isMine: Bool, ago: String?, isWholePerson: Bool) {
            (self.person, self.isMine, self.ago) = (person, isMine, ago)
            self.isWholePerson = isWholePerson
        }
    }

    /// A trip was revoked from this device, which keeps so many changes and files of it.
    package static func taken(
        _ trip: String, isTrip: Bool, by revocation: Revocation, changes: Int, files: Int
    ) -> Words {
        let noun = SpaceNoun(isTrip: isTrip)
        let who = revocation.isMine ? nil : revocation.person.map(Sentence.plain)
        let (happened, reason) = events(of: revocation, Sentence.name(trip), isTrip: isTrip, who)
        let held = Sentence.Member.list(
            [Sentence.count(changes, "change", "changes")]
                + (files > 0 ? [Sentence.count(files, "file", "files")] : []))
        return Words(
            """
            \(happened). What is here stays here (\(held)) and can be read; nothing new comes, and \
            nobody gets what is written to it here.
            """, reason,
            """
            \(who ?? tr("An admin")) can give it again: peersync \(noun) grant. To put it away \
            here: peersync \(noun) leave \(Sentence.quoted(trip))
            """)
    }

    /// What happened, as a sentence without its end, and as a reason after a colon.
    private static func events(
        of revocation: Revocation, _ name: String, isTrip: Bool, _ who: String?
    ) -> (happened: String, reason: Message) {
        let when = revocation.ago.map { ", \($0)" } ?? ""
        if revocation.isMine && revocation.isWholePerson {
            let left =
                isTrip
                ? tr("You left the trip \(name) on another device\(when)")
                : tr("You left the space \(name) on another device\(when)")
            return (left, tr("you left it on another device"))
        }
        let what = isTrip ? tr("The trip \(name)") : tr("The space \(name)")
        let passive =
            revocation.isWholePerson
            ? tr("was taken from you") : tr("was taken from this device")
        let by = revocation.isMine ? tr(" by you") : who.map { tr(" by \($0)") } ?? ""
        return (tr("\(what) \(passive)\(by)\(when)"), tr("it \(passive)"))
    }
}
