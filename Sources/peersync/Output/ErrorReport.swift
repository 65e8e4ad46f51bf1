internal import Agent
internal import Foundation
internal import LocalAPI

/// Shows one failure on standard error: a sentence, the possible meanings of a name, and a hint.
struct ErrorReport {
    let output: Output

    init(json: Bool, terminal: Terminal) {
        output = Output(json: json, terminal: terminal)
    }

    private var isForJournal: Bool {
        StandardError.isJournal(ProcessInfo.processInfo.environment)
    }

    func show(_ error: APIError) {
        guard !output.json else { return output.errorAsJSON(error) }
        var lines = [Style.red(Sentence.Usage.errorMark.text) + " " + error.sentence]
        if !error.candidates.isEmpty {
            var table = Table([.text(tr("name")), .text(tr("id"))])
            for candidate in error.candidates.prefix(20) {
                table.add([candidate.name, candidate.shortID])
            }
            lines.append(table.rendered(width: nil, indent: 2, headings: false))
        }
        if let hint = error.hint {
            lines.append(Style.bold(Sentence.Usage.hintMark.text) + " " + hint)
        }
        let text = lines.joined(separator: "\n")
        output.problem(isForJournal ? StandardError.asErrors(text) : text)
    }
}
