internal import LocalAPI

/// One thing that a person should know, with what helps below it.
enum ProblemText {
    static func lines(_ problem: ProblemView) -> [String] {
        let sign = problem.urgent ? Symbols.of(SyncState.error) : Symbols.of(SyncState.pending)
        return ["\(sign) \(Printable.paragraph(problem.sentence))"]
            + (problem.remedy.map { ["  \(Printable.paragraph($0))"] } ?? [])
    }
}
