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
}
