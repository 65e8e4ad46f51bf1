package import LocalAPI

/// The last line of an examination. It never says less than `peersync status`.
package struct HealthVerdict: Sendable {
    /// Findings that remain.
    package let open: Int
    private let repaired: Int
    /// Urgent problems of status that no finding reports; nil without an agent, which alone knows status.
    private let untold: Int?

    /// `urgent` are the checks of the urgent problems in status. A check that found trouble has reported its own.
    package init(_ findings: [HealthReport.Finding], urgent: [HealthReport.Check]?) {
        let trouble = findings.filter { $0.severity.isTrouble && $0.repaired == nil }
        let told = Set(trouble.map(\.check))
        open = trouble.count
        repaired = findings.count { $0.repaired != nil }
        untold = urgent.map { checks in checks.count { !told.contains($0) } }
    }

    package var sentence: String {
        let fixed = tr(
            repaired, "\(repaired) thing was put right", "\(repaired) things were put right")
        let left = tr(
            open, "\(open) thing needs your attention", "\(open) things need your attention")
        switch (open, repaired) {
        case (0, 0): return whole
        case (0, _):
            return untold == 0 ? tr("\(fixed), and nothing is broken now.") : "\(fixed). \(whole)"
        case (_, 0): return left + "." + more
        default: return "\(left); \(fixed)." + more
        }
    }

    private var whole: String {
        switch untold {
        case nil: tr("Nothing stored here is broken. How sync stands: peersync status")
        case 0: tr("Nothing is broken.")
        case let untold?:
            tr(
                untold,
                "Nothing stored here is broken, but status shows \(untold) urgent problem: peersync status",
                "Nothing stored here is broken, but status shows \(untold) urgent problems: peersync status"
            )
        }
    }

    private var more: String {
        guard let untold, untold > 0 else { return "" }
        return " "
            + tr(
                untold, "Status shows \(untold) more urgent problem: peersync status",
                "Status shows \(untold) more urgent problems: peersync status")
    }
}
