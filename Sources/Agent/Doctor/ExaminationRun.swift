import LocalAPI
import Store

/// One examination from beginning to end.
struct ExaminationRun: Sendable {
    let home: AgentHome
    let request: DoctorRequest
    let desk: ExaminationDesk
    /// Gives the open store; the folder has been looked at, and narrowed, before.
    let open: @Sendable () async throws -> Patient

    func run() async throws -> HealthReport {
        var findings: [HealthReport.Finding] = []
        for check in HealthChecks.ofFolder { findings += try await self.findings(of: check, nil) }
        do {
            let patient = try await open()
            for check in HealthChecks.ofStore {
                findings += try await self.findings(of: check, patient)
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            let failure = ErrorSentence.of(error)
            // Another process has the store: it is that one's to be asked.
            guard failure.code != .busy else { throw failure }
            let words = Sentence.Health.storeStopped(failure.sentence, failure.hint)
            findings.append(Ailment(.store, .error, words).finding)
            if !(error is AgentError) {
                for check in HealthChecks.ofFile {
                    findings += try await self.findings(of: check, nil)
                }
            }
            findings.append(Ailment(.store, .note, Sentence.Health.restNotChecked).finding)
        }
        if request.masked { findings = findings.map(ReportMask(home).masked) }
        let open = findings.count { $0.severity.isTrouble && $0.repaired == nil }
        let repaired = findings.count { $0.repaired != nil }
        return HealthReport(
            verdict: Sentence.Health.verdict(open: open, repaired: repaired), sound: open == 0,
            findings: findings)
    }

    private func findings(
        of check: any HealthCheck, _ patient: Patient?
    ) async throws -> [HealthReport.Finding] {
        try desk.note(check.check)
        let examination = try Examination(of: home, patient, isMasked: request.masked) {
            [desk] done, total in
            try desk.note(check.check, done: done, total: total)
        }
        var ailments: [Ailment]
        do {
            ailments = try await check.run(examination)
        } catch let error as CancellationError {
            throw error
        } catch {
            let reason = ErrorSentence.of(error).sentence
            ailments = [
                Ailment(check.check, .warning, Sentence.Health.notChecked(check.check, reason))
            ]
        }
        var findings: [HealthReport.Finding] = []
        for ailment in ailments { findings += try await treated(ailment) }
        return findings
    }

    private func treated(_ ailment: Ailment) async throws -> [HealthReport.Finding] {
        guard request.repair, let repair = ailment.repair else { return [ailment.finding] }
        try desk.note(ailment.finding.check)
        var finding = ailment.finding
        do {
            finding.repaired = try await repair()
            return [finding]
        } catch let error as CancellationError {
            throw error
        } catch {
            let words = Sentence.Health.notRepaired(ErrorSentence.of(error).sentence)
            return [finding, Ailment(finding.check, .warning, words).finding]
        }
    }
}
