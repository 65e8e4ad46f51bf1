/// A value computed from the records that refer to a record, whenever that is read.
package struct DerivedField: Hashable, Sendable {
    package enum Rule: String, CaseIterable, Sendable {
        case minimum, maximum, sum, count, first, last

        /// Whether it takes the values of a field.
        package var hasField: Bool { self != .count }
        /// Whether another field says which record is the first.
        package var hasOrder: Bool { self == .first || self == .last }

        package func fits(_ type: FieldType) -> Bool {
            switch (self, type) {
            case (.sum, .integer), (.sum, .decimal): true
            case (.minimum, .integer), (.minimum, .decimal), (.minimum, .time),
                (.maximum, .integer), (.maximum, .decimal), (.maximum, .time):
                true
            case (.first, .set), (.last, .set): false
            case (.count, _), (.first, _), (.last, _): true
            case (.sum, _), (.minimum, _), (.maximum, _): false
            }
        }
    }

    package let name: String
    package let rule: Rule
    /// The collection whose records refer here, and its reference field.
    package let collection: String
    package let through: String
    /// The field whose values count; nil for ``Rule/count``.
    package let field: String?
    /// The field by which the first or last is meant; nil for other rules.
    package let by: String?

    package init(
        name: String, rule: Rule, collection: String, through: String, field: String?, by: String?
    ) {
        (self.name, self.rule, self.collection) = (name, rule, collection)
        (self.through, self.field, self.by) = (through, field, by)
    }
}
