internal import LocalAPI

/// `name=Milk`, `labels+=cold` or `labels-=cold`, as typed.
package struct Assignment: Equatable {
    package enum Sign: Equatable {
        case set, add, remove
    }

    package let field: String
    package let sign: Sign
    /// The text after the first `=`, byte for byte.
    package let text: String

    /// Throws ``APIError`` if there is no `=`, or no name before it.
    package init(_ typed: String) throws {
        guard let equals = typed.firstIndex(of: "=") else { throw noAssignment(typed) }
        var name = typed[..<equals]
        switch name.last {
        case "+": sign = .add
        case "-": sign = .remove
        default: sign = .set
        }
        if sign != .set { name.removeLast() }
        guard !name.isEmpty else { throw noAssignment(typed) }
        field = String(name)
        text = String(typed[typed.index(after: equals)...])
    }
}

/// The assignments typed for a record; the agent reads them by the types of the fields.
struct AssignmentInput {
    private(set) var fields: [String: FieldValue] = [:]
    private(set) var add: [String: [FieldValue]] = [:]
    private(set) var remove: [String: [FieldValue]] = [:]

    /// Throws ``APIError`` if a word is not an assignment.
    init(_ typed: [String]) throws {
        for assignment in try typed.map({ try Assignment($0) }) {
            let value = FieldValue.typed(TypedInput.text(assignment.text))
            switch assignment.sign {
            case .set: fields[assignment.field] = value
            case .add: add[assignment.field, default: []].append(value)
            case .remove: remove[assignment.field, default: []].append(value)
            }
        }
    }
}

/// `text` is the typed text.
private func noAssignment(_ text: String) -> APIError {
    APIError(
        code: .badInput, sentence: "\(Sentence.name(text)) is no FIELD=VALUE.",
        hint: "For example: name=Milk, labels+=cold or labels-=cold; quote values with spaces.")
}
