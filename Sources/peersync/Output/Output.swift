internal import Foundation
internal import Glibc
internal import LocalAPI
internal import Synchronization

/// The output of a command: results go to standard output, everything else to standard error.
///
/// With `--json` only JSON results and errors are written.
package struct Output: Sendable {
    let json: Bool
    let terminal: Terminal
    /// Where results go: standard output.
    private let results: Int32

    package init(json: Bool, terminal: Terminal, results: Int32 = STDOUT_FILENO) {
        (self.json, self.terminal, self.results) = (json, terminal, results)
    }

    /// Whether more results can be written: not when the reader of a pipe is gone, or the disk is full.
    package var isOpen: Bool {
        // A closed pipe is reported without being asked for.
        var state = pollfd(fd: results, events: 0, revents: 0)
        let isGone = unsafe poll(&state, 1, 0) > 0
        return !isGone && Output.failure == nil
    }

    /// The columns that a table may fill; nil for a file or pipe, where nothing is cut.
    var width: Int? { terminal.outputIsTerminal ? max(40, terminal.columns) : nil }

    /// A result: as JSON, or as the text that `describe` returns.
    func result<Value: Encodable>(_ value: Value, describe: (Value) -> String) throws {
        guard json else { return say(describe(value)) }
        let data =
            try terminal.outputIsTerminal
            ? JSONCoding.encodeIndented(value) : JSONCoding.encode(value)
        write(Array(data) + [UInt8(ascii: "\n")], to: results)
    }

    /// A part of a list that is shown as it comes: all parts together are one JSON array, or for people the text
    /// that `describe` makes of each.
    package func part<Value: Encodable>(
        _ values: [Value], isFirst: Bool, isLast: Bool, describe: ([Value]) -> String
    ) throws {
        guard json else {
            let text = describe(values)
            if !text.isEmpty { say(text) }
            return
        }
        let isIndented = terminal.outputIsTerminal
        let data =
            isIndented ? try JSONCoding.encodeIndented(values) : try JSONCoding.encode(values)
        // Without its brackets, and the line break before the last one.
        var elements = Array(data.dropFirst().dropLast())
        while elements.last == UInt8(ascii: "\n") { elements.removeLast() }
        let start = isFirst ? "[" : values.isEmpty ? "" : ","
        let end = isLast ? (isIndented ? "\n]\n" : "]\n") : ""
        write(Array(start.utf8) + elements + Array(end.utf8), to: results)
    }

    /// One line of JSON of a command that reports step by step.
    func event(_ value: some Encodable) throws {
        write(Array(try JSONCoding.encode(value)) + [UInt8(ascii: "\n")], to: results)
    }

    /// A result for people; nothing with `--json`.
    func say(_ text: String) {
        guard !json else { return }
        write(text + "\n", to: results, isTerminal: terminal.outputIsTerminal)
    }

    /// A remark beside the result; nothing with `--json`.
    func remark(_ text: String) {
        guard !json else { return }
        write(text + "\n", to: STDERR_FILENO, isTerminal: terminal.errorIsTerminal)
    }

    /// A failure in words, to standard error.
    func problem(_ text: String) {
        write(text + "\n", to: STDERR_FILENO, isTerminal: terminal.errorIsTerminal)
    }

    /// A failure as one line of JSON, to standard error.
    func errorAsJSON(_ error: APIError) {
        guard let data = try? JSONCoding.encode(error) else { return problem(error.sentence) }
        write(Array(data) + [UInt8(ascii: "\n")], to: STDERR_FILENO)
    }

    /// A line that the next one overwrites, or that an empty one clears; only on a terminal.
    func fleeting(_ text: String) {
        guard !json, terminal.errorIsTerminal else { return }
        write(text, to: STDERR_FILENO, isTerminal: true, clearingLine: true)
    }

    /// Replaces everything on the terminal with a text.
    func page(_ text: String) {
        // ECMA-48: move to the top left corner and erase everything after it.
        write(Array("\u{1B}[H\u{1B}[2J".utf8), to: results)
        say(text)
    }

    /// A question, without a line break; also with `--json`, as a person at the terminal must see
    /// it.
    func ask(_ text: String) {
        write(text, to: STDERR_FILENO, isTerminal: terminal.errorIsTerminal)
    }

    private func write(
        _ text: String, to descriptor: Int32, isTerminal: Bool, clearingLine: Bool = false
    ) {
        let fitting =
            isTerminal && !clearingLine
            ? WrappedText.wrapped(text, to: max(40, terminal.columns)) : text
        let clean = Printable.rendered(fitting, style: isTerminal && terminal.wantsStyle)
        let start = clearingLine ? "\r\u{1B}[K" : ""
        write(Array((start + clean).utf8), to: descriptor)
    }

    /// Why a result could not be written; nil if it could, or its reader is gone.
    static var failure: APIError? {
        let number = resultErrno.load(ordering: .relaxed)
        guard number != 0 else { return nil }
        return APIError(
            code: .failed,
            sentence: """
                What the command printed could not be written: \
                \(Sentence.System.reason(number)).
                """,
            hint: """
                Free some room. What the command was to change is changed: repeat it only if it just \
                shows something.
                """)
    }

    private static let resultErrno = Atomic<Int32>(0)

    private static func noteFailure(of descriptor: Int32) {
        let number = errno
        guard descriptor != STDERR_FILENO, number != EPIPE, number != 0 else { return }
        resultErrno.store(number, ordering: .relaxed)
    }

    /// Writes all bytes, or as many as the reader accepts: a closed pipe is not a failure.
    private func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if written < 0, errno == EINTR || errno == EAGAIN { continue }
            guard written > 0 else { return Output.noteFailure(of: descriptor) }
            rest = rest.dropFirst(written)
        }
    }
}

extension Printable {
    /// Text for a terminal: control characters are removed, style marks converted or removed.
    package static func rendered(_ text: String, style: Bool) -> String {
        var rendered = ""
        var run = ""
        for scalar in text.unicodeScalars {
            if let mark = Style(rawValue: scalar.value) {
                rendered += paragraph(run) + (style ? mark.escapeSequence : "")
                run = ""
            } else {
                run.unicodeScalars.append(scalar)
            }
        }
        return rendered + paragraph(run)
    }
}
