internal import SyncCore

/// A generator whose numbers are determined by its seed (SplitMix64), so that a failing run can be
/// repeated.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The state that determines all further numbers.
    package private(set) var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        defer { state &+= 0x9E37_79B9_7F4A_7C15 }
        return mixed(state)
    }
}
