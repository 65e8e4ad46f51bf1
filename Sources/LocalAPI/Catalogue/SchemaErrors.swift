extension Sentence {
    /// Why a space's schema cannot be followed on this device.
    package enum SchemaObstacle: Sendable {
        case newer, unreadable, absent
    }
}

/// Errors about schemas and the spaces that follow them.
extension APIError {

    /// `first` is the first mistake, in words.
    package static func badSchema(first: String, count: Int) -> APIError {
        let more =
            count > 1
            ? tr(" (and \(Sentence.count(count - 1, "more mistake", "more mistakes")))") : ""
        return APIError(
            code: .badInput, sentence: "The schema has a mistake: \(first)\(more).",
            hint: "See all of them: peersync schema check FILE")
    }
}
