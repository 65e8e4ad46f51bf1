internal import Agent
internal import ArgumentParser
internal import LocalAPI

/// Looks at everything, says what is wrong, and puts right what it may.
struct Doctor: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "doctor", .doctor,
        subcommands: [
            DoctorNetwork.self
        ])

    @Flag(help: ArgumentHelp(OptionHelp.repair)) var repair = false

    @Option(help: ArgumentHelp(OptionHelp.report, valueName: "file")) var report: String?

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    /// 0 when all is sound, 1 when something is left to do.
    func run(in context: CommandContext) async throws {
        let home = try context.home()
        guard home.isInitialised else { throw APIError.notInitialised }
        let file = try report.map { try ReportFile(creating: InputPath.absolute($0)) }
        let health: HealthReport
        do {
            let request = DoctorRequest(repair: repair, masked: file != nil)
            health = try await DoctorConnection.use(home) { service in
                let health = try await ExaminationDialogue(context: context, service: service)
                    .follow(request)
                if let file {
                    let facts = try await service.call(\.doctor.diagnostics)
                    try file.write(DiagnosticsReport(health: health, diagnostics: facts))
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
