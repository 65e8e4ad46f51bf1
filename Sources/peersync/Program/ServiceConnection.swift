internal import Agent
import Device
internal import LocalAPI

/// The agent for one command: the running one over its socket, or one in this process.
struct ServiceConnection: Sendable {
    /// The parts that the command needs of an agent in its own process.
    enum Need: Sendable {
        /// Only the store; without listening and sending.
        case localOnly
        /// Listening, discovery and sync, while the command runs.
        case network
    }

    let service: any AgentService
    /// The agent in this process; nil if another one answers.
    private let opened: OpenedAgent?

    /// Tries for 5 s while another command holds the store, and reports that. Throws ``APIError``.
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

    /// The client of a running agent, or nil if none answers at the socket.
    static func running(_ home: AgentHome) -> LocalClient? {
        let client = LocalClient(socketPath: home.socketPath)
        return client.isAnswered ? client : nil
    }

    /// Calls `body` and closes the opened agent, even if it throws. Reports a running agent that is
    /// silent.
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
