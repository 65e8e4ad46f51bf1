internal import Foundation
package import LocalAPI
internal import Subprocess
import SyncCore

/// The service's log lines in the journal.
package struct ServiceJournal: Sendable {
    /// The selection of lines.
    package struct Query: Sendable {
        /// Continues with new lines until the task is cancelled.
        package var follows = false
        /// The number of latest lines.
        package var lines: Int
        /// Lines of this level and above.
        package var level: LogLevel?
        package var since: Moment?
        /// Prints each line as one JSON object.
        package var json = false

        package init(lines: Int) { self.lines = lines }

        /// Arguments of journalctl.
        package var words: [String] {
            var words = ["--lines=\(lines)", "--output=\(json ? "json" : "short-iso")"]
            if follows { words.append("--follow") }
            if let level { words.append("--priority=\(level.priority)") }
            if let since { words.append("--since=@\(since.milliseconds / 1000)") }
            return words
        }
    }

    package init() {}

    /// Prints to standard output. Throws ``APIError`` if there is no journal.
    package func show(_ query: Query) async throws {
        let result = try await translatingErrors {
            try await Subprocess.run(
                .name("journalctl"), arguments: Arguments(Self.unit + query.words),
                output: .currentStandardOutput, error: .currentStandardError)
        }
        try Task.checkCancellation()
        guard result.terminationStatus.isSuccess else {
            throw APIError(
                code: .failed, sentence: "The journal could not be read.",
                hint: "journalctl says the reason above.")
        }
    }

    /// The error message of the program that was started at this time and then failed; nil if the
    /// journal has none.
    func lastError(since: Moment?) async throws -> ServiceView.Failure? {
        var query = Query(lines: Limits.journalLinesSearched)
        query.since = since
        return Self.error(in: try await read(query))
    }

    /// Whether there are no lines.
    package func isEmpty(_ query: Query) async throws -> Bool {
        var one = query
        one.lines = min(1, query.lines)
        return try await read(one).isEmpty
    }

    /// The service's lines, without times.
    private func read(_ query: Query) async throws -> String {
        let words = Self.unit + query.words + ["--output=cat"]
        return try await translatingErrors {
            try await Subprocess.run(
                .name("journalctl"), arguments: Arguments(words),
                output: .string(limit: Limits.managerAnswerBytes), error: .discarded)
        }.standardOutput
    }

    /// The last lines that a failing command prints: a sentence and a hint.
    package static func error(in text: String) -> ServiceView.Failure? {
        let lines = text.split(separator: "\n")
        let errors = lines.indices.reversed().lazy.compactMap { index in
            said(lines[index], after: Sentence.Usage.errorMark).map { (index, $0) }
        }
        guard let (index, sentence) = errors.first else { return nil }
        let hints = lines[index...].lazy.compactMap { said($0, after: Sentence.Usage.hintMark) }
        return ServiceView.Failure(
            sentence: sentence, remedy: hints.first ?? ServiceFailure.seeLogs)
    }

    /// The text after a mark, in every language that the service may use.
    private static func said(_ line: Substring, after mark: Message) -> String? {
        Language.allCases.lazy.compactMap { language in
            let mark = mark.text(in: language) + " "
            return line.hasPrefix(mark) ? String(line.dropFirst(mark.count)) : nil
        }.first
    }

    /// Not `--user`, which omits a journal that is not split by user.
    private static let unit = ["--quiet", "--no-pager", "--user-unit=\(ServiceUnit.name)"]

    private func translatingErrors<Result>(
        _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw APIError(
                code: .failed,
                sentence: "There is no journalctl on this computer to read the logs with.",
                hint: "Run \(otherSupervisor)")
        }
    }
}

extension Limits {
    /// The number of last lines that are searched for the error of a failed service.
    static let journalLinesSearched = 50
}
