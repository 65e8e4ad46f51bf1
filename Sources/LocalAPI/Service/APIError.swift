/// What went wrong, in words for the person who asked.
///
/// Travels as JSON: `{"code", "sentence", "hint", "candidates"}`; `candidates` is empty unless the
/// code is `ambiguous`.
package struct APIError: Error, Codable, Sendable, Equatable {
    package let code: Code
    /// One whole sentence: what is wrong.
    package let message: Message
    /// What to do next, if there is something.
    package let advice: Message?
    /// What an ambiguous name could have meant.
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

    /// One whole sentence in the language of now: what is wrong.
    package var sentence: String { message.text }
    /// What to do next in the language of now, if there is something.
    package var hint: String? { advice?.text }
}

extension APIError {
    /// The kind of failure, for programs; the sentence is for people.
    package enum Code: String, Codable, Sendable, CaseIterable {
        /// The request makes no sense as written.
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
        /// The state it is in does not permit it, for example accepting a trip twice.
        case conflict
        /// The thing is known here but its bytes are still on another device.
        case notHere
        /// A code that is wrong, used or expired, or a peer that failed the check.
        case pairingFailed
        /// The caller must say yes first: repeat with the confirmation the hint names.
        case confirmationNeeded
        /// Sync is switched off.
        case syncOff
        /// No device answered.
        case unreachable
        case tooLarge
        /// Another program or request holds what is needed.
        case busy
        /// No running agent could be reached.
        case noAgent
        /// Anything else; also a code of a newer agent that this program does not know.
        case failed

        package init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            self = Code(rawValue: text) ?? .failed
        }
    }
}
