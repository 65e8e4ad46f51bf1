internal import Agent
internal import ArgumentParser
import Device
internal import LocalAPI

/// Checks everything, lists the problems, and repairs them if asked to.
struct Doctor: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "doctor", "Find problems and repair them.",
        examples: [
            "peersync doctor", "peersync doctor --repair", tr("peersync doctor --report bug.json"),
            "peersync doctor network", "peersync doctor damage",
        ],
        remarks: """
            Verifies every change, file and signature, and checks permissions, disk, clocks and \
            network. It works with and without a running agent. The exit code is 0 if these checks \
            leave no problem and 1 otherwise. --repair restricts permissions, rebuilds the shown data \
            from the log, and fetches damaged files again; it deletes only unfinished files.
            """,
        subcommands: [DoctorNetwork.command, DoctorDamage.command])

    @Flag(help: .tr("Repair what can be repaired safely."))
    var repair = false

    @Option(
        help: .tr("Also write a bug report without names to a new file.", valueName: "file"),
        completion: .file())
    var report: String?

    /// Exits with 0 if there is no problem, with 1 if one is left.
    func run(in context: CommandContext) async throws {
        let home = try context.home()
        guard home.isInitialised else { throw APIError.notInitialised }
        let file = try report.map {
            try PrivateFile(creating: InputPath.absolute($0), option: "--report")
        }
        let health: HealthReport
        do {
            let request = DoctorRequest(repair: repair, masked: file != nil)
            health = try await DoctorConnection.use(home, context.output) { service in
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
        if let file {
            context.output.remark(
                tr(
                    """
                    The report is in \(file.path). It holds no titles, no names and no keys; read \
                    it before you send it to anybody.
                    """))
        }
        if !health.sound { throw ExitCode(1) }
    }
}

struct DoctorNetwork: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "network", "Find out why devices do not find each other, and what to do.",
        examples: ["peersync doctor network"],
        remarks: """
            Distinguishes a missing Avahi, a firewall, blocked multicast and a network that \
            isolates its devices. Takes a few seconds.
            """)

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

struct DoctorDamage: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "damage", "List data lost to damage of the database, and dismiss it.",
        examples: [
            "peersync doctor damage", "peersync doctor damage --dismiss",
            "peersync doctor damage --undo",
        ],
        remarks: """
            What another device has comes back by itself. 'status' and 'doctor' report the rest until \
            you dismiss it. Dismissed losses stay listed here. If a device has the data after all, it comes \
            back and counts. A later loss is reported again.
            """)

    @Flag(help: .tr("Stop reporting what is missing now."))
    var dismiss = false

    @Flag(help: .tr("Report what you dismissed again."))
    var undo = false

    func validate() throws {
        guard !dismiss || !undo else {
            throw ValidationError(tr("Say --dismiss or --undo, not both."))
        }
    }

    func run(in context: CommandContext) async throws {
        let views: [DamageView]
        if dismiss || undo {
            views = try await context.show(
                \.doctor.dismissDamage, DamageDismissal(dismissed: dismiss),
                as: dismiss ? DamageText.dismissed : DamageText.undone)
        } else {
            views = try await context.show(\.doctor.damage, as: DamageText.rendered)
        }
        if let next = DamageText.next(views) { context.output.remark(next) }
    }
}
