internal import LocalAPI

/// The output of `peersync doctor`: one line per check, with remedies below it.
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
