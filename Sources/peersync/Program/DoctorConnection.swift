internal import Agent
internal import LocalAPI

/// The doctor as one command uses it: the running agent, or the folder alone.
enum DoctorConnection {
    static func use<Value: Sendable>(
        _ home: AgentHome, _ body: (any AgentService) async throws -> Value
    ) async throws -> Value {
        if let running = await ServiceConnection.running(home) { return try await body(running) }
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

/// Follows one examination to its end, showing how far it is. Ends it when the task is cancelled.
struct ExaminationDialogue {
    let context: CommandContext
    let service: any AgentService

    func follow(_ request: DoctorRequest) async throws -> HealthReport {
        var view = try await service.call(\.doctor.start, request)
        let display = ProgressDisplay(context.output)
        defer { display.end() }
        do {
            while view.phase == .running {
                if let check = view.check {
                    display.show(
                        Sentence.Health.checking(check, done: view.done, total: view.total))
                }
                view = try await service.call(
                    \.doctor.poll, RevisionPoll(knownRevision: view.revision, waitSeconds: 5))
            }
        } catch is CancellationError {
            display.end()
            let service = service
            // In a task of its own, as this one is cancelled.
            _ = await Task { try await service.call(\.doctor.cancel) }.result
            throw APIError.stopped
        }
        guard let report = view.report else { throw view.failure ?? .doctorNotStarted }
        return report
    }
}
