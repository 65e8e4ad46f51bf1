import LocalAPI

extension StatusWords {
    /// `trip` is nil where names are masked.
    func olderFields(_ trip: String?) -> Sentence.Problem.Words {
        let place = trip.map { Sentence.name($0) } ?? tr("A trip")
        return Sentence.Problem.Words(
            "\(place) can have captions of photos, and what phones say of them.",
            "it can have captions of photos",
            "For everybody: peersync trip upgrade \(trip.map { Sentence.quoted($0) } ?? tr("TRIP"))"
        )
    }

    /// Changes that wait for their key.
    func closed(_ changes: Int, in place: String) -> Sentence.Problem.Words {
        let what = Sentence.count(changes, "change", "changes")
        return Sentence.Problem.Words(
            changes == 1
                ? "\(what) in \(Sentence.name(place)) cannot be read here: its key has not come yet."
                : "\(what) in \(Sentence.name(place)) cannot be read here: their key has not come yet.",
            "its key has not come yet",
            "It comes when this device next connects with a member's that has it: peersync sync")
    }

    /// Changes of which a vault alone had kept something, and no content.
    func withoutContent(_ changes: Int, in place: String) -> Sentence.Problem.Words {
        let what = Sentence.count(changes, "change", "changes")
        return Sentence.Problem.Words(
            changes == 1
                ? "\(what) in \(Sentence.name(place)) is here without its content."
                : "\(what) in \(Sentence.name(place)) are here without their content.",
            "its content is missing",
            """
            A vault does not get the content of what was written before the encryption. A device that has it \
            sends it as soon as it connects; if none has it any more, it is lost.
            """)
    }
}
