/// Where the engine stands in time: both clocks come from outside.
package struct Instant: Sendable {
    /// Milliseconds of a clock that never jumps.
    package let monotonic: UInt64
    package let wall: Milliseconds

    package init(monotonic: UInt64, wall: Milliseconds) {
        (self.monotonic, self.wall) = (monotonic, wall)
    }
}
