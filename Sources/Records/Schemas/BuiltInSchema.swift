package import SyncCore

/// A schema inside the program, with the program's knowledge beyond its document.
package struct BuiltInSchema: Sendable {
    package typealias DerivedID =
        @Sendable (
            _ record: RecordOperation, _ space: SpaceID, _ adder: PersonID,
            _ membership: Membership?
        ) -> RecordID?

    package let document: [UInt8]
    /// Further values of the record that carries a new space's name.
    package let titleWrites: [Write]
    /// Collections with records that several people add under one name, and that are shown as one.
    package let sharedNames: Set<String>
    /// The collections whose records a list of spaces counts: entries by people, and their files.
    package let counted: (entries: String, files: [String])
    /// The id that every device gives such a record in a space; nil for one with an id of its own.
    package let derivedID: DerivedID
    /// The word for a record of a collection; nil: the name of the collection.
    package let noun: @Sendable (_ collection: String, _ record: ShownRecord?) -> String?

    package init(
        document: [UInt8], titleWrites: [Write], sharedNames: Set<String>,
        counted: (entries: String, files: [String]),
        derivedID: @escaping DerivedID,
        noun: @escaping @Sendable (_ collection: String, _ record: ShownRecord?) -> String?
    ) {
        (self.document, self.titleWrites) = (document, titleWrites)
        (self.sharedNames, self.counted) = (sharedNames, counted)
        (self.derivedID, self.noun) = (derivedID, noun)
    }
}
