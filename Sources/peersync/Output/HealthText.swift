internal import LocalAPI

/// What `peersync doctor` says, line by line: one for each thing looked at, and below it what to do.
enum HealthText {
    static func rendered(_ report: HealthReport) -> String {
        var lines: [String] = []
        for finding in report.findings {
            let symbol =
                finding.repaired == nil
                ? Symbols.of(finding.severity) : Symbols.of(HealthReport.Severity.ok)
            lines.append("\(symbol) \(finding.sentence)")
            if let done = finding.repaired {
                lines.append("  \(done)")
            } else if let remedy = finding.remedy {
                lines.append("  \(remedy)")
            }
        }
        return (lines + ["", Style.bold(report.verdict)]).joined(separator: "\n")
    }
}
