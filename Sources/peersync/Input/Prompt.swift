internal import LocalAPI

/// Asks the person at the terminal. Without a terminal, a question fails and names the flag that
/// answers it.
struct Prompt: Sendable {
    let terminal: Terminal
    /// With `--yes`.
    let answersYes: Bool
    let output: Output

    /// Fails now, not later, if a yes or no will be needed and nobody can give it.
    func requireAnswer(to question: String) throws {
        guard answersYes || terminal.canAsk else {
            let asked = question.split(separator: "\n").last.map(String.init) ?? question
            throw needsTerminal(question: asked, flag: "--yes")
        }
    }

    /// Reads yes or no, also in German, typed after the question was shown; asks again after any
    /// other text. The question may have several lines.
    func confirm(_ question: String) async throws -> Bool {
        if answersYes { return true }
        try requireAnswer(to: question)
        StandardInput.shared.discardTyped()
        output.ask("\(question) [\(tr("y/N"))] ")
        for _ in 0..<3 {
            guard let answer = try await StandardInput.shared.line() else { return false }
            switch answer.trimmedLine.lowercased() {
            case "y", "yes", "j", "ja": return true
            case "", "n", "no", "nein": return false
            default: output.ask(tr("Please type y or n: "))
            }
        }
        return false
    }

    /// Continues only after a yes. Throws ``APIError/declinedByPerson``.
    func insist(_ question: String) async throws {
        guard try await confirm(question) else {
            throw APIError(code: .failed, sentence: "Nothing was changed.")
        }
    }

    /// The value of an option, or the person's answer. `example` is a command that needs no answer.
    func text(
        given option: String?, _ question: String, default fallback: String? = nil, flag: String,
        example: String? = nil
    ) async throws -> String {
        if let option = option?.trimmedLine, !option.isEmpty { return option }
        return try await text(question, default: fallback, flag: flag, example: example)
    }

    /// Reads a text; an empty answer means the default, or asks again if there is none.
    func text(
        _ question: String, default fallback: String? = nil, flag: String, example: String? = nil
    ) async throws -> String {
        guard terminal.canAsk else {
            guard let fallback else {
                throw needsTerminal(question: question + "?", flag: flag, example: example)
            }
            return fallback
        }
        for _ in 0..<3 {
            output.ask(fallback.map { "\(question) [\($0)]: " } ?? "\(question): ")
            guard let answer = try await StandardInput.shared.line() else { break }
            let text = answer.trimmedLine
            if !text.isEmpty { return text }
            if let fallback { return fallback }
        }
        throw APIError(
            code: .badInput, sentence: "There was no answer.",
            hint: example.map { "For example: \($0)" }
                ?? "Give it with \(flag) to skip the question.")
    }
}

/// A question without a terminal to ask it on.
private func needsTerminal(question: String, flag: String, example: String? = nil) -> APIError {
    APIError(
        code: .badInput, sentence: "There is no terminal to ask: \(question)",
        hint: example.map { "For example: \($0)" } ?? "Give the answer with \(flag).")
}
