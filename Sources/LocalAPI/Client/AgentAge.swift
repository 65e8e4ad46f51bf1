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

    /// The error to show when a command could not interpret an answer.
    var error: APIError? {
        self == .same
            ? nil
            : APIError(
                code: .failed, sentence: Message(verbatim: Sentence.AgentVersion.sentence(self)),
                hint: Message(verbatim: Sentence.AgentVersion.remedy(self)))
    }
}

/// The version in the last answer of an agent.
final class HeardAge: Sendable {
    private let age = Mutex<AgentAge?>(nil)

    var value: AgentAge? { age.withLock { $0 } }

    func note(product: String?) { age.withLock { $0 = AgentAge(product: product) } }
}
