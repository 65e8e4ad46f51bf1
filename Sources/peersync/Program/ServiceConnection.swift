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

    /// Tries for 5 s while another command holds the store. Throws ``APIError``.
    static func open(home: AgentHome, needs need: Need) async throws -> ServiceConnection {
        guard home.isInitialised else { throw APIError.notInitialised }
        let clock = ContinuousClock()
        let giveUp = clock.now + .seconds(5)
        while true {
            if let running = running(home) {
                return ServiceConnection(service: running, opened: nil)
            }
            do {
                let opened = try await AgentProgram.open(home, network: need == .network)
                return ServiceConnection(service: opened.service, opened: opened)
            } catch let error as APIError where error.code == .busy && clock.now < giveUp {
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

    /// Calls `body` and closes what was opened, also when it throws.
    func use<Value: Sendable>(
        _ body: (any AgentService) async throws -> Value
    ) async throws -> Value {
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
