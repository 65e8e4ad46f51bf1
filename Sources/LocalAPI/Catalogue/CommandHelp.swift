/// The help of one command: what it does, and how it is typed.
package struct CommandHelp: Sendable {
    /// One line, as shown in the list of commands.
    package let abstract: String
    /// Lines to type.
    package let examples: [String]
    /// What one has to know beyond that.
    package let remarks: String

    package init(_ abstract: String, examples: [String] = [], remarks: String = "") {
        (self.abstract, self.examples, self.remarks) = (abstract, examples, remarks)
    }

    /// Remarks and examples as they stand below the abstract.
    package var discussion: String {
        let title = examples.count == 1 ? "Example:" : "Examples:"
        let lines = examples.map { "  " + $0 }
        let typed = examples.isEmpty ? "" : ([title] + lines).joined(separator: "\n")
        return [remarks, typed].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
}
