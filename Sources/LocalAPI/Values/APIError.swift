/// An error, in words for the person who asked.
///
/// Travels as JSON: `{"code", "sentence", "hint", "candidates"}`; `candidates` is empty unless the
/// code is `ambiguous`.
package struct APIError: Error, Codable, Sendable, Equatable {
    package let code: Code
    /// The error as one whole sentence.
    package let message: Message
    /// The next step, if there is one.
    package let advice: Message?
    /// The candidates for an ambiguous name.
    package let candidates: [Reference]

    private enum CodingKeys: String, CodingKey {
        case code
        case message = "sentence"
        case advice = "hint"
        case candidates
    }

    package init(
        code: Code, sentence: Message, hint: Message? = nil, candidates: [Reference] = []
    ) {
        (self.code, self.candidates) = (code, candidates)
        (message, advice) = (sentence, hint)
    }

    /// The error as one whole sentence, in the current language.
    package var sentence: String { message.text }
    /// The next step in the current language, if there is one.
    package var hint: String? { advice?.text }
}

extension APIError {
    /// The kind of failure, for programs; the sentence is for people.
    package enum Code: String, Codable, Sendable, CaseIterable {
        /// The request is malformed.
        case badInput
        /// This device has no identity yet.
        case notInitialised
        case alreadyInitialised
        /// Nothing has that name or id.
        case notFound
        /// Several things have that name or id prefix: see the candidates.
        case ambiguous
        /// The person's role does not permit it.
        case notAllowed
        /// The present state does not permit it, for example accepting a trip twice.
        case conflict
        /// The thing is known here but its bytes are still on another device.
        case notHere
        /// A code that is wrong, used or expired, or a peer that failed the check.
        case pairingFailed
        /// The person must agree first: repeat the request with the confirmation that the hint names.
        case confirmationNeeded
        /// Sync is switched off.
        case syncOff
        /// No device answered.
        case unreachable
        case tooLarge
        /// Another program or request holds a needed resource.
        case busy
        /// No running agent could be reached.
        case noAgent
        /// Any other error; also for unknown codes from a newer agent.
        case failed

        package init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            self = Code(rawValue: text) ?? .failed
        }
    }
}
