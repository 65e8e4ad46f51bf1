package import Device
package import LocalAPI
import Status

/// One examination from start to end.
package struct ExaminationRun: Sendable {
    let home: AgentHome
    let request: DoctorRequest
    let tracker: ExaminationTracker
    /// Opens the store, after the folder has been checked and its permissions narrowed.
    let open: @Sendable () async throws -> OpenStore
    private let missingFiles = MissingFilesLook()

    package init(
        home: AgentHome, request: DoctorRequest, tracker: ExaminationTracker,
        open: @escaping @Sendable () async throws -> OpenStore
    ) {
        (self.home, self.request, self.tracker, self.open) = (home, request, tracker, open)
    }

    package func run() async throws -> HealthReport {
        var findings: [HealthReport.Finding] = []
        var urgent: [HealthReport.Check]?
        for check in HealthChecks.ofFolder { findings += try await self.findings(of: check, nil) }
        do {
            let open = try await open()
            for check in HealthChecks.ofStore {
                findings += try await self.findings(of: check, open)
            }
            if let agent = open.agent { urgent = await urgentChecks(of: agent.status) }
        } catch let error as CancellationError {
            throw error
        } catch {
            let failure = ErrorSentence.of(error)
            // Another process has the store: that one must run the examination.
            guard failure.code != .busy else { throw failure }
            findings.append(Problem.storeStopped(failure).finding)
            if !(error is AgentError) {
                for check in HealthChecks.ofFile {
                    findings += try await self.findings(of: check, nil)
                }
            }
            findings.append(
                Problem(
                    .store, .note,
                    Words("Everything else was not checked, as the store cannot be opened.")
                ).finding)
        }
        if request.masked { findings = findings.map(ReportMask(home).masked) }
        let verdict = HealthVerdict(findings, urgent: urgent)
        return HealthReport(
            verdict: verdict.sentence, sound: verdict.open == 0, findings: findings)
    }

    /// The checks of the urgent problems that status shows after all repairs.
    private func urgentChecks(of status: StatusService) async -> [HealthReport.Check] {
        do {
            return try await status.urgentChecks()
        } catch {
            // StatusCheck has reported that status cannot be read.
            return []
        }
    }

    private func findings(
        of check: any HealthCheck, _ open: OpenStore?
    ) async throws -> [HealthReport.Finding] {
        let problems = try await problems(of: check, open)
        var findings: [HealthReport.Finding] = []
        for problem in problems { findings += try await treated(problem) }
        let isLater = problems.contains(where: \.isRepairedLater)
        guard findings.contains(where: { $0.repaired != nil }), !isLater else { return findings }
        // What was repaired is looked at once more: the report shows the state after it.
        let failures = findings.filter { finding in
            finding.repaired == nil && !problems.contains { $0.finding == finding }
        }
        let after = try await self.problems(of: check, open).map(\.finding)
        return findings.filter { $0.repaired != nil } + failures + after
    }

    private func problems(
        of check: any HealthCheck, _ open: OpenStore?
    ) async throws -> [Problem] {
        try tracker.note(check.check)
        let examination = try Examination(
            of: home, open, isMasked: request.masked, missingFiles: missingFiles
        ) { [tracker] done, total in
            try tracker.note(check.check, done: done, total: total)
        }
        do {
            return try await check.run(examination)
        } catch let error as CancellationError {
            throw error
        } catch {
            return [.notChecked(check.check, because: ErrorSentence.of(error).sentence)]
        }
    }

    private func treated(_ problem: Problem) async throws -> [HealthReport.Finding] {
        guard request.repair, let repair = problem.repair else { return [problem.finding] }
        try tracker.note(problem.finding.check)
        var finding = problem.finding
        do {
            finding.repaired = try await repair()
            return [finding]
        } catch let error as CancellationError {
            throw error
        } catch {
            let words = Words(
                "Putting that right did not work: \(ErrorSentence.of(error).sentence)",
                "Stop the agent and try again.")
            return [finding, Problem(finding.check, .warning, words).finding]
        }
    }
}
