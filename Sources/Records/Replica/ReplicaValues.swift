package import LocalAPI
package import SyncCore

/// A record: its shown values, and all surviving writes.
package struct ShownEntry: Sendable {
    package let id: RecordID
    package let record: ShownRecord
    package let state: RecordState
    /// It is in no log yet, and on this device alone.
    package var isUnfinished = false
}

/// The content of one commit to write.
package struct ChangeSet: Sendable {
    package var blobs: [NamedBlob]
    package var operations: [RecordOperation]
    /// Whether each write keeps its precedence, even where this device's own is higher.
    package var keepsPrecedence = false
    /// Unfinished records that the operations finish, as they were read.
    package var finishes: [RecordKey: RecordState] = [:]

    package init(blobs: [NamedBlob] = [], operations: [RecordOperation] = []) {
        (self.blobs, self.operations) = (blobs, operations)
    }
}

extension ProgressMeter {
    /// For work on known files; thumbnails are none of their own.
    package convenience init(_ stage: ProgressView.Stage, _ files: [NamedBlob]) {
        self.init(
            stage, files: files.count { $0.kind != .thumbnail },
            bytes: files.reduce(0) { $0 + Int64(clamping: $1.size) })
    }

    /// A file is done, and so are some of its bytes that were not told before.
    package func add(_ kind: NamedBlobKind, bytes: UInt64 = 0) {
        add(files: kind == .thumbnail ? 0 : 1, bytes: Int64(clamping: bytes))
    }
}

/// The form of a file on this device.
package enum FileForm: Sendable {
    /// Its bytes are not here.
    case missing
    /// As it was added.
    case plain
    /// As an age file for a key that is here.
    case encrypted
    /// As an age file of an encrypted space, for a key that is not here.
    case closed
}

/// Another device that this one knows.
package struct KnownDevice: Sendable {
    package let card: Card
    package let name: String
    package let personName: String
    /// Nil for one known through a common space only.
    package let pairedAt: Milliseconds?
    package let addresses: [KnownAddress]
    package let lastSync: Milliseconds?
    /// Its wall clock minus ours, when it was last connected.
    package let clockSkewMilliseconds: Int64?
    /// The person who reported it lost; nil for none.
    package var loss: KnownLoss?

    package init(
        card: Card, name: String, personName: String, pairedAt: Milliseconds?,
        addresses: [KnownAddress], lastSync: Milliseconds?, clockSkewMilliseconds: Int64?
    ) {
        (self.card, self.name, self.personName) = (card, name, personName)
        (self.pairedAt, self.addresses) = (pairedAt, addresses)
        (self.lastSync, self.clockSkewMilliseconds) = (lastSync, clockSkewMilliseconds)
    }

    /// When it was last heard from; nil when it was never connected.
    package var lastSeen: Milliseconds? {
        (addresses.map(\.lastSuccess) + [lastSync]).compactMap(\.self).max()
    }
}

package struct KnownAddress: Sendable {
    package let host: String
    package let port: UInt16
    /// When a connection to it last succeeded.
    package let lastSuccess: Milliseconds?
    /// Whether a person gave it.
    package let isAdded: Bool

    package init(host: String, port: UInt16, lastSuccess: Milliseconds?, isAdded: Bool) {
        (self.host, self.port) = (host, port)
        (self.lastSuccess, self.isAdded) = (lastSuccess, isAdded)
    }
}
