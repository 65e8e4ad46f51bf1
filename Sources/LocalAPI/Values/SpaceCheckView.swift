/// The consistency of a space's records: dangling references, duplicates, missing parts.
package struct SpaceCheckView: Codable, Sendable, Equatable {
    package let space: Reference
    /// The one sentence to read first.
    package let verdict: String
    /// Nothing is left to do; mere information does not count.
    package let sound: Bool
    /// Records that were looked at.
    package let records: Int
    package let findings: [Finding]
    /// The problems of the space in `status`.
    package let problems: [ProblemView]

    package init(
        space: Reference, verdict: String, sound: Bool, records: Int, findings: [Finding],
        problems: [ProblemView] = []
    ) {
        (self.space, self.verdict, self.sound) = (space, verdict, sound)
        (self.records, self.findings, self.problems) = (records, findings, problems)
    }

    /// One thing about records of one collection.
    package struct Finding: Codable, Sendable, Equatable {
        package let kind: Kind
        package let severity: HealthReport.Severity
        package let collection: String
        /// The field it is about; absent when it is about whole records.
        package let field: String?
        package let count: Int
        /// The first of these records.
        package let examples: [Reference]
        /// The observation, and its meaning.
        package let sentence: String
        /// The remedy.
        package let remedy: String?

        package init(
            kind: Kind, severity: HealthReport.Severity, collection: String, field: String?,
            count: Int, examples: [Reference], sentence: String, remedy: String?
        ) {
            (self.kind, self.severity, self.collection) = (kind, severity, collection)
            (self.field, self.count, self.examples) = (field, count, examples)
            (self.sentence, self.remedy) = (sentence, remedy)
        }
    }

    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A required field or reference has nothing in it.
        case incomplete
        /// A file failed, or does not fit on the disk.
        case failedFile
        /// A file that no device has any more.
        case lostFile
        /// Deleted, and shown because shown records need it.
        case heldRecord
        /// Hidden, because its owner is deleted.
        case orphan
        /// Refers to a record of which nothing has come yet.
        case pendingReference
        /// Refers to a deleted record, and shows empty.
        case emptyReference
        /// A file that is not here yet.
        case missingFile
        /// Equal to another record in every field that syncs.
        case duplicate
        /// Names a file that another record beside it names.
        case duplicateFile
        /// Of a collection that the schema does not know.
        case unknownCollection
    }
}
