internal import Agent
import Device
internal import LocalAPI

/// The agent for one command: the running one over its socket, or one in this process.
enum ServiceConnection: Sendable {
    case running(LocalClient)
    case opened(OpenedAgent)

    /// The parts that the command needs of an agent in its own process.
    enum Need: Sendable {
        /// Only the store; without listening and sending.
        case localOnly
        /// Listening, discovery and sync, while the command runs.
        case network
    }

    /// Tries for 5 s while another command holds the store, and reports that. Throws ``APIError``.
    static func open(
        home: AgentHome, needs need: Need, _ output: Output
    ) async throws -> ServiceConnection {
        guard home.isInitialised else { throw APIError.notInitialised }
        let clock = ContinuousClock()
        let (tell, giveUp) = (clock.now + .seconds(1), clock.now + .seconds(5))
        defer { output.fleeting("") }
        while true {
            if let client = client(of: home) { return .running(client) }
            do {
                return .opened(try await AgentProgram.open(home, network: need == .network))
            } catch let error as APIError where error.code == .busy && clock.now < giveUp {
                if clock.now > tell { output.fleeting(error.sentence) }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// The client of a running agent, or nil if none answers at the socket.
    static func client(of home: AgentHome) -> LocalClient? {
        let client = LocalClient(socketPath: home.socketPath)
        return client.isAnswered ? client : nil
    }
}
