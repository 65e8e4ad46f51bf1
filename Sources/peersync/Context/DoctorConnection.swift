import Device
internal import Doctor
internal import LocalAPI

/// The doctor for one command: in the running agent, or on the folder alone.
enum DoctorConnection {
    static func use<Value: Sendable>(
        _ home: AgentHome, _ output: Output, _ body: (any AgentService) async throws -> Value
    ) async throws -> Value {
        if let running = ServiceConnection.client(of: home) {
            return try await SilentAgent(client: running).watched(output, body)
        }
        let doctor = StandaloneDoctor(home)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(doctor.service))
        } catch {
            result = .failure(error)
        }
        try doctor.close()
        return try result.get()
    }
}

/// Follows one examination to its end and shows its progress. Cancels it if the task is cancelled.
struct ExaminationDialogue {
    let context: CommandContext
    let service: any AgentService

    func follow(_ request: DoctorRequest) async throws -> HealthReport {
        var view = try await service.call(\.doctor.start, request)
        var (check, began) = (view.check, ContinuousClock.now)
        let display = ProgressDisplay(context.output)
        defer { display.end() }
        do {
            while view.phase == .running {
                if view.check != check { (check, began) = (view.check, .now) }
                if let check {
                    display.show(
                        checking(
                            check, done: view.done, total: view.total,
                            secondsLeft: secondsLeft(view, since: began)))
                }
                view = try await service.call(
                    \.doctor.poll, RevisionPoll(knownRevision: view.revision, waitSeconds: 5))
            }
        } catch is CancellationError {
            display.end()
            let service = service
            // In its own task, as this one is cancelled.
            _ = await Task { try await service.call(\.doctor.cancel) }.result
            throw APIError.stopped
        }
        guard let report = view.report else { throw view.failure ?? .doctorNotStarted }
        return report
    }

    /// The time left, computed from the check's time so far; nil while that says too little.
    private func secondsLeft(_ view: DoctorView, since began: ContinuousClock.Instant) -> Int? {
        let seconds = began.duration(to: .now) / .seconds(1)
        guard let done = view.done, let total = view.total, done > 0, seconds >= 1 else {
            return nil
        }
        return Int((seconds * Double(max(0, total - done)) / Double(done)).rounded(.up))
    }
}

/// `Checking files: 1200 of 20000, 40 seconds left`.
private func checking(
    _ check: HealthReport.Check, done: Int?, total: Int?, secondsLeft: Int?
) -> String {
    let what = tr("Checking \(check.words)")
    guard let done, let total, total > 0 else { return "\(what) …" }
    let left = secondsLeft.map { tr(", \(Sentence.Status.duration($0)) left") } ?? " …"
    return tr("\(what): \(done) of \(total)\(left)")
}
