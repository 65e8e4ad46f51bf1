/// Simultaneous changes of one field of a record, or of its existence, about which somebody should decide.
package struct ConflictView: Codable, Sendable, Equatable {
    /// Identifies the present state of the conflict: another value changes the id. The same on every
    /// device.
    package let id: String
    package let shortID: String
    /// Absent for the person's own lists.
    package let trip: Reference?
    package let collection: String
    package let record: Reference
    /// Absent when the question is whether the record is deleted.
    package let field: String?
    /// The rule that selects `shown`.
    package let rule: Rule
    package let shown: String
    /// Each surviving value once, oldest first by the clocks of their devices;
    /// `take` counts them from 1.
    package let values: [Value]

    package init(
        id: String, shortID: String, trip: Reference?, collection: String, record: Reference,
        field: String?, rule: Rule, shown: String, values: [Value]
    ) {
        (self.id, self.shortID, self.trip) = (id, shortID, trip)
        (self.collection, self.record, self.field) = (collection, record, field)
        (self.rule, self.shown, self.values) = (rule, shown, values)
    }

    /// Why this value is shown.
    package enum Rule: String, Codable, Sendable, CaseIterable {
        case lastWrite
        case longest
        case mostAccurate
        /// Merged from all; where they changed the same words, the last ones.
        case mergeText
        /// Texts that differ too much to be merged: the last one.
        case unmerged
        /// The last one, until somebody decides.
        case userChoice
        /// Deleted by one and changed by another.
        case deletion
        /// A trip or space that was deleted by one while another one wrote in it.
        case spaceDeletion
    }

    /// One surviving value.
    package struct Value: Codable, Sendable, Equatable {
        /// The field of the value. In a conflict about a deletion, absent for the deletion, and for writes
        /// in a deleted space or to parts of the record, which `text` describes.
        package let field: String?
        package let text: String
        package let author: Reference
        package let device: Reference
        /// By the clock of that device.
        package let written: Moment
        package let isShown: Bool
        /// True when this person may not choose it; else absent.
        package var refused: Bool?

        package init(
            field: String?, text: String, author: Reference, device: Reference, written: Moment,
            isShown: Bool
        ) {
            (self.field, self.text, self.author) = (field, text, author)
            (self.device, self.written, self.isShown) = (device, written, isShown)
        }
    }
}

/// A decision about a conflict; exactly one of these is given.
package struct ConflictDecision: Codable, Sendable, Hashable {
    /// The number of a value of the view, from 1.
    package let take: Int?
    /// Another value, as for a record of that field.
    package let value: FieldValue?
    /// True: keeps the merged text.
    package let merge: Bool

    package init(take: Int? = nil, value: FieldValue? = nil, merge: Bool = false) {
        (self.take, self.value, self.merge) = (take, value, merge)
    }
}

/// A decided conflict, and the value that is shown since.
package struct ResolvedConflict: Codable, Sendable, Equatable {
    package let conflict: ConflictView
    package let shown: String

    package init(conflict: ConflictView, shown: String) {
        (self.conflict, self.shown) = (conflict, shown)
    }
}
