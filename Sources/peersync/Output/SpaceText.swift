internal import LocalAPI

/// What is said of spaces of any kind.
enum SpaceText {
    /// Another one has the same name.
    static func sameName(_ space: String, isTrip: Bool) -> String {
        let name = Sentence.name(space)
        return isTrip
            ? tr(
                "There is another trip called \(name): tell them apart by their ids, or rename one."
            )
            : tr(
                "There is another space called \(name): tell them apart by their ids, or rename one."
            )
    }
}
