package import SyncCore

/// A file that no shown record of a space names any more.
package struct DeletedFile: Hashable, Sendable {
    /// The deleted records that named it, or what they belonged to; of a deleted space the record that carries its name.
    package let records: Set<RecordKey>
    /// All writes that delete these.
    package let deletions: Set<SurvivingWrite>
}
