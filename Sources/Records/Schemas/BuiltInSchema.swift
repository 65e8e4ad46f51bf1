package import SyncCore

/// A schema that ships inside the program, with what the program knows beyond its document.
package struct BuiltInSchema: Sendable {
    package typealias DerivedID =
        @Sendable (
            _ record: RecordOperation, _ space: SpaceID, _ adder: PersonID,
            _ membership: Membership?
        ) -> RecordID?

    package let document: [UInt8]
    /// What the record that carries a new space's name says besides.
    package let titleWrites: [Write]
    /// Collections to which several people bring records of one name, which are shown as one.
    package let sharedNames: Set<String>
    /// The collections whose records a list of spaces counts: what people write, and their files.
    package let counted: (entries: String, files: [String])
    /// The id that every device would make such a record under in a space; nil for one with an id of its
    /// own.
    package let derivedID: DerivedID
    /// What people call a record of a collection; nil: as the collection.
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
