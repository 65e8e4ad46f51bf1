/// Precedence: a data set's word yields to people's, and people's to an authority's, whenever it
/// was written. A grant fixes how much its holder may claim.
enum Authority {
    /// The writes that no other write outranks.
    static func outranking(_ writes: [SurvivingWrite]) -> [SurvivingWrite] {
        // Nearly always.
        if writes.count < 2 { return writes }
        guard let highest = writes.map(\.precedence).max() else { return [] }
        return writes.filter { $0.precedence == highest }
    }
}

extension Register {
    /// The latest write that another one outranks and that says something else, with the latest of
    /// those that outrank it; nil when there is none.
    package var outranked: (write: SurvivingWrite, by: SurvivingWrite)? {
        guard writes.count > 1, let winner = latest else { return nil }
        let ruling = Set(Authority.outranking(writes).map(\.value))
        return writes.filter { $0.precedence < winner.precedence && !ruling.contains($0.value) }
            .max(by: SurvivingWrite.isOlder).map { ($0, winner) }
    }
}

extension RecordOperation {
    /// The same with at least this precedence. Names of people, devices and the space are nobody's
    /// to rule over.
    package func raised(to precedence: UInt32) -> RecordOperation {
        guard !Schema.isEverywhere(collection) else { return self }
        var raised = self
        for index in raised.writes.indices {
            raised.writes[index].precedence = max(raised.writes[index].precedence, precedence)
        }
        return raised
    }
}
