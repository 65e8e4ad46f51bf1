internal import LocalAPI
internal import SyncCore

/// The differences between two versions of a schema.
struct SchemaComparison {
    typealias Change = SchemaMigrationReport.Change

    /// A field whose values have another type.
    struct Retyped {
        let collection: CollectionSchema
        let before: FieldSchema
        let after: FieldSchema

        var place: String { "\(collection.name).\(before.name)" }
        /// The error for a version that must not change types.
        var mistake: APIError {
            APIError(
                code: .conflict,
                sentence:
                    "\(place) is a \(before.phrase) now and would be a \(after.phrase): what is written would not fit.",
                hint: """
                    Give the new field another name, and keep the old one beside it. To convert what is written: \
                    peersync schema migrate SPACE FILE
                    """)
        }
    }

    private(set) var changes: [Change] = []
    /// The first name whose former names are incomplete: its earlier values would disappear.
    private(set) var forgotten: APIError?
    /// With the former collection.
    private(set) var retyped: [Retyped] = []

    init(_ old: Schema, _ new: Schema) {
        var known: Set<String> = []
        for collection in new.ownCollections {
            let names = [collection.name] + collection.formerNames
            guard let before = names.lazy.compactMap({ old.collection($0) }).first else {
                changes.append(Change(.addedCollection, collection.name))
                continue
            }
            known.insert(before.name)
            remember(before.formerNames + [before.name], among: names, of: collection.name)
            if before.name != collection.name {
                changes.append(
                    Change(.renamedCollection, before.name, from: before.name, to: collection.name)
                )
            }
            compare(before, collection)
        }
        for collection in old.ownCollections where !known.contains(collection.name) {
            changes.append(Change(.removedCollection, collection.name))
        }
    }

    private mutating func remember(
        _ earlier: [String], among names: [String], of place: String
    ) {
        guard forgotten == nil, !earlier.allSatisfy(names.contains) else { return }
        forgotten = APIError(
            code: .conflict,
            sentence: "What was written to \(place) under an earlier name would not be shown.",
            hint: """
                Under `was:` list all that it was called, each in a line of its own: \
                \(earlier.filter { $0 != names[0] }.map { "- \($0)" }.joined(separator: ", "))
                """)
    }

    private mutating func compare(_ old: CollectionSchema, _ new: CollectionSchema) {
        // The present name of a field, by its former name.
        var current: [String: String] = [:]
        for field in new.fields {
            let names = [field.name] + field.formerNames
            guard let before = names.lazy.compactMap({ old.field($0) }).first else {
                changes.append(Change(.addedField, "\(new.name).\(field.name)"))
                continue
            }
            current[before.name] = field.name
            remember(
                before.formerNames + [before.name], among: names, of: "\(new.name).\(field.name)")
            compare(before, field, old)
        }
        if old.finishedBy.map({ current[$0] ?? $0 }) != new.finishedBy {
            changes.append(
                Change(.changedFinish, old.name, from: old.finishedBy, to: new.finishedBy))
        }
        for field in old.fields where current[field.name] == nil {
            changes.append(Change(.removedField, "\(old.name).\(field.name)"))
        }
    }

    private mutating func compare(
        _ old: FieldSchema, _ new: FieldSchema, _ collection: CollectionSchema
    ) {
        let place = "\(collection.name).\(old.name)"
        if old.name != new.name {
            changes.append(Change(.renamedField, place, from: old.name, to: new.name))
        }
        if !old.type.isSameKind(as: new.type) || old.isLocal != new.isLocal {
            changes.append(Change(.changedType, place, from: old.phrase, to: new.phrase))
            retyped.append(Retyped(collection: collection, before: old, after: new))
            return
        }
        if old.type.referenced?.rule != new.type.referenced?.rule {
            changes.append(Change(.changedDeletion, place))
        }
        if old.strategy != new.strategy || old.isRequired != new.isRequired {
            changes.append(Change(.changedRule, place))
        }
    }
}

extension FieldSchema {
    /// For a sentence: `local text`, `set of text`.
    var phrase: String {
        var words = type.word
        if case .set(let element) = type { words += tr(" of \(element.word)", context: "type") }
        return isLocal ? tr("local ") + words : words
    }
}

extension FieldType {
    /// Whether values of one type can be shown as the other.
    func isSameKind(as other: FieldType) -> Bool {
        switch (self, other) {
        case (.set(let one), .set(let other)): one.isSameKind(as: other)
        // The rule for deletions may change, and the target may be renamed.
        default: word == other.word
        }
    }
}
