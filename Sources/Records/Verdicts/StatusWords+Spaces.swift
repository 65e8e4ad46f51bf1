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
        let (what, space) = (Sentence.count(changes, "change", "changes"), Sentence.name(place))
        return Sentence.Problem.Words(
            tr(
                changes, "\(what) in \(space) cannot be read here: its key has not come yet.",
                "\(what) in \(space) cannot be read here: their key has not come yet."),
            tr(changes, "its key has not come yet", "their key has not come yet"),
            "It comes when this device next connects with a member's that has it: peersync sync")
    }

    /// Changes that came from a vault, which does not keep their content.
    func withoutContent(_ changes: Int, in place: String) -> Sentence.Problem.Words {
        let (what, space) = (Sentence.count(changes, "change", "changes"), Sentence.name(place))
        return Sentence.Problem.Words(
            tr(
                changes, "\(what) in \(space) is here without its content.",
                "\(what) in \(space) are here without their content."),
            tr(changes, "its content is missing", "their content is missing"),
            """
            Vaults do not get the content of changes from before the encryption. Another device that \
            has the content sends it when it connects. If no device has it, it is lost.
            """)
    }
}
