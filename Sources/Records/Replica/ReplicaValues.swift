package import LocalAPI
package import SyncCore

/// A record with what is shown of it and everything that was written to it.
package struct ShownEntry: Sendable {
    package let id: RecordID
    package let record: ShownRecord
    package let state: RecordState
    /// It is in no log yet, and on this device alone.
    package var isUnfinished = false
}

/// What one commit is to do.
package struct ChangeSet: Sendable {
    package var blobs: [NamedBlob]
    package var operations: [RecordOperation]
    /// Each write has the precedence that it names, also where this device's word is worth more.
    package var keepsPrecedence = false
    /// Unfinished records that the operations make whole, as they were read.
    package var finishes: [RecordKey: RecordState] = [:]

    package init(blobs: [NamedBlob] = [], operations: [RecordOperation] = []) {
        (self.blobs, self.operations) = (blobs, operations)
    }
}

extension ProgressMeter {
    /// Of work on files that are known.
    package convenience init(_ stage: ProgressView.Stage, _ files: [NamedBlob]) {
        self.init(
            stage, files: files.count,
            bytes: files.reduce(0) { $0 + Int64(clamping: $1.size) })
    }
}

/// How a file lies on this device.
package enum FileForm: Sendable {
    /// Its bytes are not here.
    case missing
    /// As somebody added it.
    case plain
    /// As an age file for a key that is here.
    case encrypted
    /// As an age file of an encrypted space, for a key that is not here.
    case closed
}

/// Another device this one knows.
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
    /// Who called it lost; nil: nobody.
    package var loss: KnownLoss?

    package init(
        card: Card, name: String, personName: String, pairedAt: Milliseconds?,
        addresses: [KnownAddress], lastSync: Milliseconds?, clockSkewMilliseconds: Int64?
    ) {
        (self.card, self.name, self.personName) = (card, name, personName)
        (self.pairedAt, self.addresses) = (pairedAt, addresses)
        (self.lastSync, self.clockSkewMilliseconds) = (lastSync, clockSkewMilliseconds)
    }

    /// When anything was last heard of it; nil when it was never connected.
    package var lastSeen: Milliseconds? {
        (addresses.map(\.lastSuccess) + [lastSync]).compactMap(\.self).max()
    }
}

package struct KnownAddress: Sendable {
    package let host: String
    package let port: UInt16
    /// When a connection to it last succeeded.
    package let lastSuccess: Milliseconds?

    package init(host: String, port: UInt16, lastSuccess: Milliseconds?) {
        (self.host, self.port, self.lastSuccess) = (host, port, lastSuccess)
    }
}
