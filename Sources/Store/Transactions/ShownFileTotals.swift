internal import SyncCore

/// Files that people see, without thumbnails.
package struct ShownFileTotals: Hashable, Sendable {
    package var count = 0
    /// As commits claim.
    package var bytes: UInt64 = 0
}

extension CollectionSchema {
    /// Fields with files that people add.
    var fileFieldCount: Int {
        fields.count {
            if case .blob(let kind) = $0.type { kind != .thumbnail } else { false }
        }
    }
}
