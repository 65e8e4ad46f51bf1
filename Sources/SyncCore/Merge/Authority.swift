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
