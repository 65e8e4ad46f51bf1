/// The help of one command: what it does, and how it is typed.
package struct CommandHelp: Sendable {
    private let said: Message
    private let remarks: Message?
    /// Lines to type.
    private let examples: [String]

    /// `remarks` is what one has to know beyond the abstract, which is one line.
    package init(_ abstract: Message, examples: [String] = [], remarks: Message? = nil) {
        (said, self.examples, self.remarks) = (abstract, examples, remarks)
    }

    /// One line, as shown in the list of commands.
    package var abstract: String { said.text }

    /// Remarks and examples as they stand below the abstract.
    package var discussion: String {
        let title = examples.count == 1 ? tr("Example:") : tr("Examples:")
        let lines = examples.map { "  " + $0 }
        let typed = examples.isEmpty ? "" : ([title] + lines).joined(separator: "\n")
        return [remarks?.text ?? "", typed].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
}
