extension Membership {
    /// Whether the standings are those that all facts give now.
    var isJudged: Bool {
        var other = self
        other.evaluate()
        return other.standings == standings
    }
}
