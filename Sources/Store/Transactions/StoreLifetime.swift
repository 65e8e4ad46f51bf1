package import SyncCore

/// The device's current database lifetime, and whether opening started it.
package struct StoreLifetime: Hashable, Sendable {
    package enum Reason: String, Hashable, Sendable {
        case firstOpening
        /// The file came from another machine.
        case machineChanged
        /// The file is a copy: a restored backup, for example.
        case fileReplaced
    }

    package let incarnation: Incarnation
    /// Nil when the incarnation goes on.
    package let newBecause: Reason?
}
