/// One authenticated session connection, numbered by the agent.
package struct SessionID: Hashable, Comparable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    package static func < (left: SessionID, right: SessionID) -> Bool {
        left.number < right.number
    }
}

/// One authenticated connection for blobs.
package struct BulkID: Hashable, Comparable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    package static func < (left: BulkID, right: BulkID) -> Bool { left.number < right.number }
}

package struct SyncRequestID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}
