internal import Agent
import Device
internal import LocalAPI

/// The agent as one command uses it: the running one over its socket, or one in this process.
struct ServiceConnection: Sendable {
    /// What the command needs of an agent that runs in its own process.
    enum Need: Sendable {
        /// Only the store; nothing listens and nothing is sent.
        case localOnly
        /// Listening, discovery and sync, for as long as the command takes.
        case network
    }

    let service: any AgentService
    /// The agent in this process; `nil` when another one answers.
    private let opened: OpenedAgent?

    /// Tries for 5 s while another command holds the store, and says so. Throws ``APIError``.
    static func open(
        home: AgentHome, needs need: Need, _ output: Output
    ) async throws -> ServiceConnection {
        guard home.isInitialised else { throw APIError.notInitialised }
        let clock = ContinuousClock()
        let (tell, giveUp) = (clock.now + .seconds(1), clock.now + .seconds(5))
        defer { output.fleeting("") }
        while true {
            if let running = running(home) {
                return ServiceConnection(service: running, opened: nil)
            }
            do {
                let opened = try await AgentProgram.open(home, network: need == .network)
                return ServiceConnection(service: opened.service, opened: opened)
            } catch let error as APIError where error.code == .busy && clock.now < giveUp {
                if clock.now > tell { output.fleeting(error.sentence) }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// A device without a person, opened to join one.
    static func openForJoining(home: AgentHome, deviceName: String) async throws
        -> ServiceConnection
    {
        let opened = try await AgentProgram.openForJoining(home, deviceName: deviceName)
        return ServiceConnection(service: opened.service, opened: opened)
    }

    /// The client of a running agent, or `nil` when none answers at the socket.
    static func running(_ home: AgentHome) -> LocalClient? {
        let client = LocalClient(socketPath: home.socketPath)
        return client.isAnswered ? client : nil
    }

    /// Calls `body` and closes what was opened, also when it throws. Says when the running agent is silent.
    func use<Value: Sendable>(
        _ output: Output, _ body: (any AgentService) async throws -> Value
    ) async throws -> Value {
        let watch = (service as? LocalClient).map { client in
            Task { try await SilentAgent(client: client).watch(for: output) }
        }
        defer { watch?.cancel() }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(service))
        } catch {
            result = .failure(error)
        }
        await opened?.close()
        return try result.get()
    }
}
