internal import Agent
internal import Foundation
internal import LocalAPI

/// The one place where the command line touches the agent's own types, and where their failures
/// become sentences.
enum AgentLink {
    /// Where the data is: `--home`, PEERSYNC_HOME or the user's data folder. Throws ``APIError``.
    static func home(option: String?) throws -> AgentHome {
        do {
            return try AgentHome.resolve(
                option: option.map(InputPath.absolute),
                environment: ProcessInfo.processInfo.environment)
        } catch let failure as AgentHome.Failure {
            throw apiError(for: failure)
        }
    }

    /// Makes this device and its person; answers with the recovery key, which is stored nowhere.
    static func initialise(
        _ home: AgentHome, deviceName: String, personName: String
    ) async throws -> (deviceID: String, recoveryKey: String) {
        try await translated {
            let identity = try await AgentProgram.initialise(
                home, deviceName: deviceName, personName: personName)
            return (identity.deviceID, identity.recoveryKey)
        }
    }

    /// Runs the agent until SIGINT or SIGTERM; `whenReady` is called once commands and other
    /// devices reach it.
    static func run(
        _ home: AgentHome, port: UInt16?, log: LogOptions,
        whenReady: @escaping @Sendable () async -> Void
    ) async throws {
        try await translated {
            try await AgentProgram.run(home, port: port, log: log, whenReady: whenReady)
        }
    }

    /// Opens the agent in this process. Throws ``APIError`` with code `busy` while another process
    /// holds the store.
    static func open(_ home: AgentHome, network: Bool) async throws -> OpenedAgent {
        try await translated { try await AgentProgram.open(home, network: network) }
    }

    /// Opens a device that has no person yet, only to join as a further device of one; nothing is
    /// kept unless that succeeds.
    static func openForJoining(_ home: AgentHome, deviceName: String) async throws -> OpenedAgent {
        try await translated {
            try await AgentProgram.openForJoining(home, deviceName: deviceName)
        }
    }

    /// Every mistake in a schema document.
    static func mistakes(inSchema document: [UInt8]) -> [SchemaMistake] {
        AgentProgram.mistakes(inSchema: document).map {
            SchemaMistake(line: $0.line, path: $0.path, reason: $0.reason)
        }
    }

    private static func translated<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let failure as AgentHome.Failure {
            throw apiError(for: failure)
        }
    }

    private static func apiError(for failure: AgentHome.Failure) -> APIError {
        switch failure {
        case .notAbsolute(let path): .homeNotAFolder(path)
        case .noHomeDirectory: .noHomeFolder
        case .pathTooLong(let path): .socketPathTooLong(path)
        case .cannotCreate(let path, let reason): .homeCannotBeMade(path, reason: reason)
        case .notOurs(let path): .homeOfAnotherUser(path)
        case .tooOpen(let path): .homeTooOpen(path)
        }
    }
}
