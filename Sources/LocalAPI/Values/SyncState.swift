/// The one indicator a person sees; the command line shows it as ✓ ↻ • ○ !.
package enum SyncState: String, Codable, Sendable, CaseIterable {
    /// ✓ everything is everywhere it should be.
    case synced
    /// ↻ moving right now.
    case syncing
    /// • something waits for its turn or for an absent device.
    case pending
    /// • a trip or space that is only on this device, because it is shared with no other.
    case localOnly = "local_only"
    /// ○ no device in reach, or sync is off.
    case offline
    /// ! something needs a person.
    case error
}

/// The status of one record or file, relative to the devices that may hold it.
package enum RecordStatus: String, Codable, Sendable, CaseIterable {
    case localOnly = "local_only"
    case needsUpload = "needs_upload"
    case uploading
    case needsDownload = "needs_download"
    case downloading
    case inSync = "in_sync"
    case conflict
    case syncError = "sync_error"
    case filesPending = "files_pending"
    case needsDeletion = "needs_deletion"
    /// In no log yet: on this device alone until it is finished.
    case unfinished
}
