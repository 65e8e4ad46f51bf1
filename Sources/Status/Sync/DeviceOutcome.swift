package import LocalAPI
package import Networking

/// The outcome of a sync on request for one device, as its report tells it.
package struct DeviceOutcome {
    package private(set) var moved: OpenConnections.Moved
    /// Changes and files that are here and that the device lacks.
    package private(set) var lacking: WaitingCount
    /// Whether anything came from it, and its disk is full.
    package let isFull: Bool
    package let isReached: Bool

    /// `lacking` is what the open session says, with thumbnails as files; nil without a session. Before both sides
    /// are `isCompared`, as after one session replaced another, it may be too much or too little. `owed` reads what
    /// `status` says: it is called only where the device may lack something.
    package init(
        _ moved: OpenConnections.Moved, lacking: WaitingCount?, isCompared: Bool = true,
        isInReach: Bool, isDiskFull: Bool, owed: () -> WaitingCount
    ) {
        (self.moved, self.lacking) = (moved, lacking ?? .nothing)
        isFull = isDiskFull && moved.wireReceived > 0
        isReached = isFull || isInReach
        if isFull, lacking == nil {
            // A device that can keep no changes ends each session, so nothing that was sent stayed there.
            self.lacking = owed()
            self.moved.commitsSent = 0
        } else if !isCompared {
            self.lacking = owed()
        } else if self.lacking.files > 1 {
            // Thumbnails are no files of their own, as in `status`.
            let files = owed().files
            if files > 0 {
                self.lacking = WaitingCount(
                    changes: self.lacking.changes, files: min(self.lacking.files, files),
                    bytes: self.lacking.bytes)
            }
        }
    }
}
