/// Errors about records that are added from a file.
extension APIError {
    /// The same error, about one line of a file.
    package func inLine(_ line: Int) -> APIError { within(tr("Line \(line)")) }

    /// The same error, about one of several records.
    package func inRecord(_ number: Int) -> APIError { within(tr("Record \(number)")) }

    private func within(_ place: String) -> APIError {
        let rest = hint.map { " " + $0 } ?? ""
        return APIError(
            code: code, sentence: "\(place): \(sentence)", hint: "Nothing was added.\(rest)",
            candidates: candidates)
    }

    /// `what` is the mistake in a line, as a sentence.
    package static func badLine(_ line: Int, _ what: String) -> APIError {
        APIError(
            code: .badInput, sentence: "Line \(line): \(what)",
            hint: "Nothing was added. What a file looks like: peersync record add --help")
    }

    package static let nothingToAdd = APIError(
        code: .badInput, sentence: "There is no record in it.",
        hint: "What a file looks like: peersync record add --help")
}

extension Sentence {
    /// Mistakes in a line of a file with records.
    package enum BatchLine {
        package static var notUTF8: String { tr("It is not UTF-8 text.") }
    }
}
