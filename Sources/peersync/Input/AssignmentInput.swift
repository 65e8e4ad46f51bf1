internal import ArgumentParser
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
            let value = try AssignmentInput.value(assignment, type ?? "text")
            switch assignment.sign {
            case .set: fields[assignment.field] = value
            case .add: add[assignment.field, default: []].append(value)
            case .remove: remove[assignment.field, default: []].append(value)
            }
        }
    }

    private static func value(_ assignment: Assignment, _ type: String) throws -> FieldValue {
        let (field, text) = (assignment.field, assignment.text)
        // An empty text is a text; of other types it is no value.
        if text.isEmpty, type != "text", type != "set" { return .null }
        switch type {
        case "integer":
            guard let number = Int64(text) else { throw APIError.wrongType(field, type: type) }
            return .integer(number)
        case "decimal": return .decimal(text)
        case "boolean":
            guard let flag = flag(text) else { throw APIError.wrongType(field, type: type) }
            return .boolean(flag)
        case "time": return .time(try usage { try TimeInput().moment(text) })
        case "position": return .position(try position(text, field))
        case "json": return .json(text)
        case "blob":
            return .blob(
                BlobReference(
                    id: nil, bytes: nil, here: nil, path: try InputPath.existingFile(text)))
        case "reference": return .reference(RecordReference(id: text))
        default: return .text(text)
        }
    }

    private static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "on": true
        case "no", "false", "off": false
        default: nil
        }
    }

    /// Degrees north and east, then if known the radius and the altitude in metres.
    private static func position(_ text: String, _ field: String) throws -> Position {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard (2...4).contains(parts.count) else {
            throw APIError.wrongType(field, type: "position")
        }
        let place = try usage { try PositionInput(parts.prefix(2).joined(separator: ",")) }
        let rest = try parts.dropFirst(2).map { part in
            guard let metres = Double(part.trimmedLine) else {
                throw APIError.wrongType(field, type: "position")
            }
            return metres
        }
        return Position(
            latitude: place.latitude, longitude: place.longitude, radius: rest.first,
            altitude: rest.dropFirst().first)
    }

    /// What is wrong with a value is said like every other failure.
    private static func usage<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as ValidationError {
            throw APIError(code: .badInput, sentence: error.message)
        }
    }
}

extension SchemaView {
    /// Nil for a collection that the schema does not have: the agent says so.
    func collection(_ name: String) -> Collection? {
        collections.first { $0.name == name }
    }
}
