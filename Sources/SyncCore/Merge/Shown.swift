extension Schema {
    /// What is shown of a record: per field the value that its strategy chooses, or the elements that
    /// are in a set.
    /// Fields the schema does not know stay in the log and are not shown.
    package func shown(_ state: RecordState, in collection: String) -> ShownRecord? {
        guard let collection = self.collection(collection) else { return nil }
        var values: [String: ShownValue] = [:]
        for field in collection.fields where !field.isLocal {
            if case .set = field.type {
                let elements = state.elements(of: field.name)
                if !elements.isEmpty { values[field.name] = .elements(elements) }
            } else if let register = state.fields[field.name],
                let shown = state.shown(field.name, by: field.strategy)
            {
                values[field.name] = .value(
                    shown.value, writes: register.writes.map(\.id),
                    isConflicted: shown.isConflicted && field.type != .order)
            }
        }
        return ShownRecord(values: values, isDeleted: state.isDeleted)
    }

    /// The state of a record of this collection under the names that its fields have now.
    package func current(_ state: RecordState, in collection: String) -> RecordState {
        guard let former = formerFields[collection] else { return state }
        var current = state
        for (before, now) in former {
            if let register = current.fields.removeValue(forKey: before), current.fields[now] == nil
            {
                current.fields[now] = register
            }
            if let elements = current.sets.removeValue(forKey: before) {
                current.sets[now, default: [:]].merge(elements) { now, _ in now }
            }
        }
        return current
    }
}

extension CollectionSchema {
    /// What people call a record, deleted or not; nil when nothing says it.
    package func name(of state: RecordState) -> String? {
        guard let field = titleField, let register = state.fields[field.name] else { return nil }
        return field.strategy.shown(register, merged: state.merged[field.name])?.value.text
    }
}

extension RecordState {
    /// What a field shows by a strategy; nil for one that was never written.
    package func shown(_ field: String, by strategy: MergeStrategy) -> ShownRegister? {
        fields[field].flatMap { strategy.shown($0, merged: merged[field]) }
    }
}

/// A record as people see it.
package struct ShownRecord: Hashable, Sendable {
    /// By field name; a field never written is absent.
    package let values: [String: ShownValue]
    package let isDeleted: Bool

    package init(values: [String: ShownValue], isDeleted: Bool) {
        (self.values, self.isDeleted) = (values, isDeleted)
    }

    package func value(_ field: String) -> Value? {
        if case .value(let value, _, _) = values[field], value != .null { value } else { nil }
    }

    package func elements(_ field: String) -> [Value] {
        if case .elements(let elements) = values[field] { elements } else { [] }
    }

    /// Whether somebody should decide what a field shows.
    package func isConflicted(_ field: String) -> Bool {
        if case .value(_, _, let isConflicted) = values[field] { isConflicted } else { false }
    }

    /// The write ids that the shown value of a field stands for: what a later save replaces.
    package func writes(_ field: String) -> [WriteID] {
        if case .value(_, let writes, _) = values[field] { writes } else { [] }
    }
}

package enum ShownValue: Hashable, Sendable {
    case value(Value, writes: [WriteID], isConflicted: Bool)
    /// In the order of their canonical bytes.
    case elements([Value])

    /// For digests: equal bytes on equal hosts.
    package var canonicalBytes: [UInt8] {
        switch self {
        case .value(let value, _, _): [1] + lengthPrefixed(value.canonicalBytes)
        case .elements(let elements):
            [2] + bigEndian(UInt64(elements.count))
                + elements.flatMap { lengthPrefixed($0.canonicalBytes) }
        }
    }
}
