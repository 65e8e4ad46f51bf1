internal import Synchronization

/// How the agent that answers compares with this program.
package enum AgentAge: Sendable, Equatable {
    case same, older, newer
    /// The same version, built from other sources.
    case another

    /// `product` is the agent's name in its answers; early versions had none.
    package init(product: String?, program: String = ProgramVersion.text) {
        guard let product else {
            self = .older
            return
        }
        guard product != ProgramVersion.product(program) else {
            self = .same
            return
        }
        let agent = AgentAge.numbers(product.dropFirst(ProgramVersion.product("").count))
        let own = AgentAge.numbers(program[...])
        self =
            agent == own
            ? .another : agent.lexicographicallyPrecedes(own) ? .older : .newer
    }

    /// Of `0.1.0 (cb4fd50)`, 0, 1 and 0.
    private static func numbers(_ version: Substring) -> [Int] {
        version.prefix { $0.isNumber || $0 == "." }.split(separator: ".").map { Int($0) ?? 0 }
    }

    package var sentence: String {
        switch self {
        case .older: tr("The agent that runs here is older than this program.")
        case .newer: tr("The agent that runs here is newer than this program.")
        case .another, .same: tr("The agent that runs here is another build than this program.")
        }
    }

    package var remedy: String {
        switch self {
        case .newer: tr("Use the peersync that started it, or update this one.")
        case .older, .another, .same:
            tr(
                """
                Restart it: systemctl --user restart peersync; without the service, stop it and \
                type 'peersync run'.
                """)
        }
    }

    /// The error to show when a command could not interpret an answer.
    var error: APIError? {
        self == .same
            ? nil
            : APIError(
                code: .failed, sentence: Message(verbatim: sentence),
                hint: Message(verbatim: remedy))
    }
}

/// The version in the last answer of an agent.
final class HeardAge: Sendable {
    private let age = Mutex<AgentAge?>(nil)

    var value: AgentAge? { age.withLock { $0 } }

    func note(product: String?) { age.withLock { $0 = AgentAge(product: product) } }
}
