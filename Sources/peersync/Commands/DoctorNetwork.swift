internal import ArgumentParser
internal import LocalAPI

/// Finds out why devices do not find each other.
struct DoctorNetwork: PeersyncCommand {
    static let configuration = CommandConfiguration("network", .doctorNetwork)

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let report = try await context.call(\.doctor.network, needs: .network)
        try context.output.result(report) { report in
            var lines: [String] = []
            for finding in report.findings {
                lines.append("\(Symbols.of(finding.level)) \(finding.sentence)")
                if let remedy = finding.remedy { lines.append("  \(remedy)") }
            }
            return (lines + ["", Style.bold(report.verdict)]).joined(separator: "\n")
        }
    }
}
