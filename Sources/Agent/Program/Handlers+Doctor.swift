import Device
import Doctor
import LocalAPI
internal import Logging
import Records

extension LocalAgent {
    mutating func addDoctorHandlers() {
        let runtime = runtime
        on(\.doctor.start, needsPerson: false) { _, request in
            let run = ExaminationRun(
                home: runtime.node.home, request: request, tracker: runtime.doctor
            ) { OpenStore(runtime.examined) }
            return try await runtime.doctor.start {
                let report = try await run.run()
                report.note(in: runtime.node.logger)
                return report
            }
        }
        on(\.doctor.poll, needsPerson: false) { try await runtime.doctor.poll($1) }
        on(\.doctor.cancel, needsPerson: false) { _, _ in try await runtime.doctor.cancel() }
        on(\.doctor.diagnostics, needsPerson: false) { _, _ in
            try await Diagnostics(of: runtime.node.home, runtime.examined).view()
        }
        let damage = DamageService(runtime.node)
        on(\.doctor.damage) { _, _ in try damage.list() }
        on(\.doctor.dismissDamage) { _, dismissal in try await damage.set(dismissal) }
    }
}

extension HealthReport {
    /// Logs the result of an examination; the findings, with names, are in the answer only.
    fileprivate func note(in logger: Logger) {
        let open = findings.count { $0.severity.isTrouble && $0.repaired == nil }
        logger.note(
            open > 0 ? .warning : .info, .doctor, "examined",
            details: [
                "open": "\(open)", "repaired": "\(findings.count { $0.repaired != nil })",
            ])
    }
}
