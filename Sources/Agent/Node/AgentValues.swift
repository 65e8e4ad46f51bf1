package import SyncCore

/// A space as this device stands to it.
struct SpaceEntry: Sendable {
    let space: SpaceID
    /// Nil while nothing of it is here.
    let role: SpaceRole?
    let state: SpaceStage
    let acceptedAt: Milliseconds?
}

enum SpaceStage: Sendable {
    case active
    /// Accepted, and nothing of it has come yet.
    case awaited(Offer?)
    case offered(Offer, from: DeviceID)
    /// Left; or declined, and then with what was offered.
    case left(Offer?)
}

/// A record that is shown.
struct ShownEntry: Sendable {
    let id: RecordID
    let record: ShownRecord
    let state: RecordState
}

/// What one commit is to do.
struct ChangeSet: Sendable {
    var blobs: [NamedBlob]
    var operations: [RecordOperation]

    init(blobs: [NamedBlob] = [], operations: [RecordOperation] = []) {
        self.blobs = blobs
        self.operations = operations
    }
}

/// Another device this one knows.
struct KnownDevice: Sendable {
    let card: Card
    let name: String
    let personName: String
    /// Nil for one known through a common space only.
    let pairedAt: Milliseconds?
    let addresses: [KnownAddress]
    let lastSync: Milliseconds?
    /// Its wall clock minus ours, when it was last connected.
    let clockSkewMilliseconds: Int64?
}

struct KnownAddress: Sendable {
    let host: String
    let port: UInt16
    /// Typed in by a person.
    let isAdded: Bool
    let lastSuccess: Milliseconds?
}

struct FileCounts: Sendable {
    /// Blobs that effective commits name.
    let total: Int
    /// Of those, here and verified when they came.
    let here: Int
    let totalBytes: UInt64
    let hereBytes: UInt64
}

/// What the agent cannot do; the service turns it into a sentence.
package enum AgentError: Error, Equatable {
    /// The role in this space does not allow it.
    case notPermitted(required: Permissions)
    case tooLarge
    case spaceUnknown
    case notInitialised
    /// The key file is not the one of this store's device.
    case keysOfAnother
    /// The store of a device that has a card is not there, or knows nothing of it.
    case storeGone
}
