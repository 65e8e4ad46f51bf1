internal import Foundation
internal import LocalAPI

/// Detects a running agent that accepts requests and answers none.
struct SilentAgent {
    let client: LocalClient

    /// The answer, which must come within a time. Throws otherwise.
    func answer<Answer: Sendable>(
        within limit: Duration, _ request: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        guard let answer = try await client.answer(within: limit, request) else {
            throw agentSilent(client.agentProcess)
        }
        return answer
    }

    /// The result of a command that talks to the agent, as long as that gives signs of life.
    func watched<Value: Sendable>(
        _ output: Output, _ body: (any AgentService) async throws -> Value
    ) async throws -> Value {
        let watch = Task { try await self.watch(for: output) }
        defer { watch.cancel() }
        return try await withTaskCancellationHandler {
            try await body(client)
        } onCancel: {
            // It cannot say whether it was too late.
            guard let process = client.agentProcess, AgentProcess(process)?.isStopped == true else {
                return
            }
            client.endCalls(with: stoppedBoth(process))
        }
    }

    /// Reports it once, two seconds after a command began to wait, and ends the wait after ten.
    private func watch(for output: Output) async throws {
        var pause = Duration.seconds(1)
        var signs = SignsOfLife()
        var process: Int32?
        var isTold = false
        while true {
            try await Task.sleep(for: pause)
            guard await !client.isResponding(within: .seconds(1)) else {
                (pause, signs) = (.seconds(5), SignsOfLife())
                continue
            }
            try Task.checkCancellation()
            // A person who is asked something lets no call wait.
            guard client.silentSince != nil else {
                pause = .seconds(1)
                continue
            }
            pause = .zero
            // Asked once: each connection waits in a queue that may be full.
            process = process ?? client.agentProcess
            if !isTold {
                let failure = agentSilent(process)
                output.fleeting("")
                output.remark(
                    [failure.sentence, failure.hint].compactMap(\.self).joined(separator: "\n"))
                isTold = true
            }
            let seen = process.flatMap { AgentProcess($0) }
            if signs.areOver(seen, silentSince: client.silentSince, at: .now), let process {
                client.endCalls(with: gaveUp(process, isStopped: seen?.isStopped ?? false))
            }
        }
    }
}

/// Decides when nothing is expected of an agent any more. One that works long, or waits for a disk, is waited for.
package struct SignsOfLife {
    /// With the seconds before, a command ends ten seconds after it began to wait.
    private static let patience = Duration.seconds(9)

    private var ticks: UInt64?
    private var lastWork: ContinuousClock.Instant?

    package init() {}

    /// Whether it is over, by what is seen of the process now; nil: it is not known.
    package mutating func areOver(
        _ process: AgentProcess?, silentSince silence: ContinuousClock.Instant?,
        at now: ContinuousClock.Instant
    ) -> Bool {
        guard let process, let silence else { return false }
        if !process.isStopped, process.isBusy || ticks != nil && ticks != process.ticks {
            lastWork = now
        }
        ticks = process.ticks
        return now - max(silence, lastWork ?? silence) >= Self.patience
    }
}

/// It accepts connections, but does not answer.
private func agentSilent(_ process: Int32?) -> APIError {
    let number = process.map { String($0) } ?? "PID"
    let which = process.map { tr(" (process \($0))") } ?? ""
    let isStopped = process.flatMap { AgentProcess($0) }?.isStopped ?? false
    return APIError(
        code: .noAgent,
        sentence: isStopped
            ? "The agent is stopped\(which): it holds the data and does not answer."
            : "The agent does not answer\(which): it is very busy, or it hangs.",
        hint: isStopped
            ? "Let it go on: kill -CONT \(number)"
            : """
            Wait a little. If that does not help, end it with 'kill \(number)' and start it \
            again.
            """)
}

/// A person stopped the command, and the agent is stopped, too.
private func stoppedBoth(_ process: Int32) -> APIError {
    APIError(
        code: .noAgent,
        sentence: """
            Stopped. The agent is stopped, too (process \(process)): it may still do what you asked \
            for when it goes on.
            """, hint: "Let it go on: kill -CONT \(process)")
}

/// A command waits no longer.
private func gaveUp(_ process: Int32, isStopped: Bool) -> APIError {
    APIError(
        code: .noAgent,
        sentence: isStopped
            ? "The agent gave no sign of life for 10 seconds: it is stopped (process \(process))."
            : "The agent gave no sign of life for 10 seconds: it hangs (process \(process)).",
        hint: isStopped
            ? "Let it go on: kill -CONT \(process). It may then still do what you asked for."
            : "End it with 'kill \(process)' and start it again: \(Sentence.startAgent)")
}
