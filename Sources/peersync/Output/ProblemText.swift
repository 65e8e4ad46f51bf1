internal import LocalAPI

/// One problem, with its remedies below it.
enum ProblemText {
    static func lines(_ problem: ProblemView) -> [String] {
        let sign = problem.urgent ? Symbols.of(SyncState.error) : Symbols.of(SyncState.pending)
        return ["\(sign) \(Printable.paragraph(problem.sentence))"]
            + (problem.remedy.map { ["  \(Printable.paragraph($0))"] } ?? [])
    }
}
