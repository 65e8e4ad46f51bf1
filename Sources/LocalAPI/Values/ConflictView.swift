/// What people wrote at once about one field of a record, or about the record being there, and what
/// somebody should decide.
package struct ConflictView: Codable, Sendable, Equatable {
    /// Names the conflict as it stands: when another value comes in, it has another id. The same on
    /// every device.
    package let id: String
    package let shortID: String
    /// Absent for the person's own lists.
    package let trip: Reference?
    package let collection: String
    package let record: Reference
    /// Absent when the question is whether the record is deleted.
    package let field: String?
    /// By which rule `shown` is shown.
    package let rule: Rule
    package let shown: String
    /// Each surviving value once, oldest first by the clocks of their devices;
    /// `take` counts them from 1.
    package let values: [Value]

    package init(
        id: String, shortID: String, trip: Reference?, collection: String, record: Reference,
        field: String?, rule: Rule, shown: String, values: [Value]
    ) {
        self.id = id
        self.shortID = shortID
        self.trip = trip
        self.collection = collection
        self.record = record
        self.field = field
        self.rule = rule
        self.shown = shown
        self.values = values
    }

    /// Why that is shown.
    package enum Rule: String, Codable, Sendable, CaseIterable {
        case lastWrite
        case longest
        case mostAccurate
        /// Put together from all; of the same words the last ones.
        case mergeText
        /// Texts that differ too much to be put together: the last one.
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
        /// The field it is a value of; of a conflict about a deletion only, absent for the deletion;
        /// absent also for what was written in a deleted space, of which `text` tells.
        package let field: String?
        package let text: String
        package let author: Reference
        package let device: Reference
        /// By the clock of that device.
        package let written: Moment
        package let isShown: Bool

        package init(
            field: String?, text: String, author: Reference, device: Reference, written: Moment,
            isShown: Bool
        ) {
            self.field = field
            self.text = text
            self.author = author
            self.device = device
            self.written = written
            self.isShown = isShown
        }
    }
}

/// How a conflict ends; exactly one of these is given.
package struct ConflictDecision: Codable, Sendable, Hashable {
    /// The number of a value of the view, from 1.
    package let take: Int?
    /// Another value, as for a record of that field.
    package let value: FieldValue?
    /// True: what was put together stays.
    package let merge: Bool

    package init(take: Int? = nil, value: FieldValue? = nil, merge: Bool = false) {
        self.take = take
        self.value = value
        self.merge = merge
    }
}

/// A conflict as it was, and what is shown since it was decided.
package struct ResolvedConflict: Codable, Sendable, Equatable {
    package let conflict: ConflictView
    package let shown: String

    package init(conflict: ConflictView, shown: String) {
        self.conflict = conflict
        self.shown = shown
    }
}
