internal import Agent
internal import ArgumentParser
import Device
internal import LocalAPI

/// Looks at everything, says what is wrong, and puts right what it may.
struct Doctor: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "doctor", .doctor,
        subcommands: [DoctorNetwork.command])

    @Flag(help: ArgumentHelp(OptionHelp.repair)) var repair = false

    @Option(help: ArgumentHelp(OptionHelp.report, valueName: "file"), completion: .file())
    var report: String?

    /// 0 when all is sound, 1 when something is left to do.
    func run(in context: CommandContext) async throws {
        let home = try context.home()
        guard home.isInitialised else { throw APIError.notInitialised }
        let file = try report.map {
            try PrivateFile(creating: InputPath.absolute($0), option: "--report")
        }
        let health: HealthReport
        do {
            let request = DoctorRequest(repair: repair, masked: file != nil)
            health = try await DoctorConnection.use(home) { service in
                let health = try await ExaminationDialogue(context: context, service: service)
                    .follow(request)
                if let file {
                    let facts = try await service.call(\.doctor.diagnostics)
                    let report = DiagnosticsReport(health: health, diagnostics: facts)
                    let json = try JSONCoding.encodeIndented(report)
                    try file.write(String(decoding: json, as: UTF8.self) + "\n")
                }
                return health
            }
        } catch {
            file?.remove()
            throw error
        }
        try context.output.result(health) { HealthText.rendered($0) }
        if let file { context.output.remark(Sentence.Health.reportWritten(file.path)) }
        if !health.sound { throw ExitCode(1) }
    }
}

struct DoctorNetwork: PeersyncCommand {
    static let configuration = CommandConfiguration("network", .doctorNetwork)

    func run(in context: CommandContext) async throws {
        try await context.show(\.doctor.network, needs: .network) { report in
            var lines: [String] = []
            for finding in report.findings {
                lines.append("\(Symbols.of(finding.level)) \(finding.sentence)")
                if let remedy = finding.remedy { lines.append("  \(remedy)") }
            }
            return (lines + ["", Style.bold(report.verdict)]).joined(separator: "\n")
        }
    }
}
