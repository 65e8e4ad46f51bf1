import Device
internal import LocalAPI
import Networking
import Records
import ServiceLifecycle
import Status

/// The agent as a long-running service: network and local socket, ended together.
struct LongRunningAgent: Service, CustomStringConvertible {
    let runtime: AgentRuntime
    /// Nil if there is no service manager.
    let reporter: ServiceReporter?
    let server: LocalServer
    let whenReady: @Sendable () async -> Void
    let advise: @Sendable ([ProblemView]) -> Void

    /// The group of services logs its services at each start; of one without a name, all that it holds.
    var description: String { "agent" }

    /// What runs while commands are served.
    private enum Part {
        case advice
        /// Keeps the service manager informed.
        case reports
        /// Ends the agent once its home was deleted or moved.
        case home
    }

    func run() async throws {
        do {
            try await runtime.startNetwork(advertises: true)
            let (runtime, reporter) = (runtime, reporter)
            runtime.backgroundWork.beginRounds()
            let (readiness, ready) = AsyncStream.makeStream(of: Void.self)
            let tasks = ServiceTasks<Part>()
            defer { _ = tasks.cancelAll() }
            tasks.run(.advice) { await adviseOnce(readiness) }
            tasks.run(.reports) { await reporter?.run() }
            tasks.run(.home) { await HomeWatch(runtime: runtime).run() }
            try await withGracefulShutdownHandler {
                try await serve { ready.yield() }
            } onGracefulShutdown: {
                runtime.restart.forbid()
                reporter?.ending(for: runtime.restart.reason)
                // Requests that wait for the network must be answered, or the server would wait for
                // them.
                Task { await runtime.leaveNetwork() }
            }
        } catch {
            await runtime.close()
            throw error
        }
        await runtime.close()
    }

    /// Reports why other devices cannot find and reach this one, as soon as that is known.
    private func adviseOnce(_ readiness: AsyncStream<Void>) async {
        do {
            guard await readiness.first(where: { true }) != nil else { return }
            try await runtime.network.discoveryIsKnown()
            advise(try await runtime.status.ownProblems())
        } catch is CancellationError {
            // The agent is ending.
        } catch {
            runtime.node.couldNotRead("status not read", error)
        }
    }

    /// Serves local commands; `isReady` is called once it does.
    private func serve(_ isReady: @escaping @Sendable () -> Void) async throws {
        let (reporter, whenReady) = (reporter, whenReady)
        try await server.run {
            await reporter?.ready()
            await whenReady()
            isReady()
        }
    }
}
