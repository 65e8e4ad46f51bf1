internal import LocalAPI

/// The problems found between the records of a space, with their remedies.
enum SpaceCheckText {
    static func rendered(_ check: SpaceCheckView) -> String {
        var lines: [String] = []
        for finding in check.findings {
            lines.append(
                "\(Symbols.of(finding.severity)) \(Printable.line(finding.sentence, isWhole: true))"
            )
            if !finding.examples.isEmpty { lines.append("  " + examples(of: finding)) }
            if let remedy = finding.remedy {
                lines.append("  \(Printable.line(remedy, isWhole: true))")
            }
        }
        lines += check.problems.flatMap { ProblemText.lines($0) }
        if !lines.isEmpty { lines.append("") }
        return (lines + [Style.bold(check.verdict)]).joined(separator: "\n")
    }

    private static func examples(of finding: SpaceCheckView.Finding) -> String {
        var names = finding.examples.map { record in
            record.name.isEmpty
                ? record.shortID : "\(Printable.line(record.name)) (\(record.shortID))"
        }
        let more = finding.count - finding.examples.count
        if more > 0 { names.append(tr("and \(more) more")) }
        return names.joined(separator: ", ")
    }
}
