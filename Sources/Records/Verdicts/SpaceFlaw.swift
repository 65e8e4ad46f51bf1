package import LocalAPI
package import SyncCore

/// A flaw in records of one collection.
package struct SpaceFlaw: Sendable {
    package struct Key: Hashable {
        package let kind: SpaceCheckView.Kind
        package let collection: String
        package let field: String?
    }

    package let key: Key
    package internal(set) var count = 0
    /// The first records, with their names.
    package internal(set) var examples: [(id: RecordID, name: String)] = []

    /// Flaws that need nobody are mere information: normal while others are away, or after a deletion.
    package var severity: HealthReport.Severity {
        switch key.kind {
        case .lostFile: .error
        case .incomplete, .failedFile, .heldRecord: .warning
        case .orphan, .pendingReference, .emptyReference, .missingFile, .duplicate,
            .duplicateFile, .unknownCollection:
            .note
        }
    }
}

/// Flaws as they are found, in the order of the schema.
package struct SpaceFlaws {
    private var found: [SpaceFlaw.Key: SpaceFlaw] = [:]
    private var order: [SpaceFlaw.Key] = []
    /// The records for which a person or device has to do something.
    package private(set) var troubled: Set<RecordKey> = []

    package var all: [SpaceFlaw] {
        let kinds = SpaceCheckView.Kind.allCases
        return order.compactMap { found[$0] }.enumerated().sorted { one, other in
            let left = kinds.firstIndex(of: one.element.key.kind) ?? 0
            let right = kinds.firstIndex(of: other.element.key.kind) ?? 0
            return (left, one.offset) < (right, other.offset)
        }.map(\.element)
    }

    mutating func note(
        _ kind: SpaceCheckView.Kind, _ collection: String, _ field: String?,
        _ record: RecordID, _ name: @autoclosure () -> String
    ) {
        let key = SpaceFlaw.Key(kind: kind, collection: collection, field: field)
        if found[key] == nil { order.append(key) }
        var flaw = found[key] ?? SpaceFlaw(key: key)
        if flaw.severity.isTrouble {
            troubled.insert(RecordKey(collection: collection, record: record))
        }
        flaw.count += 1
        if flaw.examples.count < Limits.flawExamples { flaw.examples.append((record, name())) }
        found[key] = flaw
    }

    /// Records of which only the number is known.
    mutating func note(_ kind: SpaceCheckView.Kind, _ collection: String, count: Int) {
        let key = SpaceFlaw.Key(kind: kind, collection: collection, field: nil)
        order.append(key)
        found[key] = SpaceFlaw(key: key, count: count)
    }
}

extension Limits {
    /// Records to name for one flaw: enough to see what they have in common.
    package static let flawExamples = 10
}
