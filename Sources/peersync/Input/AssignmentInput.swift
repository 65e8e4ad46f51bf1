package import LocalAPI

/// `name=Milk`, `labels+=cold` or `labels-=cold`, as typed.
package struct Assignment: Equatable {
    package enum Sign: Equatable {
        case set, add, remove
    }

    package let field: String
    package let sign: Sign
    /// Everything behind the first `=`, byte for byte.
    package let text: String

    /// Throws ``APIError`` for what has no `=`, or no name before it.
    package init(_ typed: String) throws {
        guard let equals = typed.firstIndex(of: "=") else { throw APIError.noAssignment(typed) }
        var name = typed[..<equals]
        switch name.last {
        case "+": sign = .add
        case "-": sign = .remove
        default: sign = .set
        }
        if sign != .set { name.removeLast() }
        guard !name.isEmpty else { throw APIError.noAssignment(typed) }
        field = String(name)
        text = String(typed[typed.index(after: equals)...])
    }
}

/// What was typed for a record, read as the types of its fields say.
package struct AssignmentInput {
    package private(set) var fields: [String: FieldValue] = [:]
    package private(set) var add: [String: [FieldValue]] = [:]
    package private(set) var remove: [String: [FieldValue]] = [:]

    /// Without a collection, or for a field that it does not have, values are texts: the agent says
    /// what is wrong with them. With `comparesSets` a set is asked for one element.
    package init(
        _ typed: [Assignment], _ collection: SchemaView.Collection?, comparesSets: Bool = false
    ) throws {
        for assignment in typed {
            let field = collection?.fields.first { $0.name == assignment.field }
            let isElement = assignment.sign != .set || comparesSets
            let type = isElement ? field?.of ?? field?.type : field?.type
            let value = try TypedText().value(
                assignment.text, type ?? "text", of: assignment.field)
            switch assignment.sign {
            case .set: fields[assignment.field] = value
            case .add: add[assignment.field, default: []].append(value)
            case .remove: remove[assignment.field, default: []].append(value)
            }
        }
    }
}

extension SchemaView {
    /// Nil for a collection that the schema does not have: the agent says so.
    func collection(_ name: String) -> Collection? {
        collections.first { $0.name == name }
    }
}
