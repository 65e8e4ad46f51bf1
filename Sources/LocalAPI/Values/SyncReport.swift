/// Whether this device syncs at all.
package struct SyncSetting: Codable, Sendable, Hashable {
    package let enabled: Bool

    package init(enabled: Bool) { self.enabled = enabled }
}

/// What switching came to.
package struct SyncSwitched: Codable, Sendable, Hashable {
    package let enabled: Bool
    /// Whether a long-running agent is there to sync.
    package let running: Bool

    package init(enabled: Bool, running: Bool) { (self.enabled, self.running) = (enabled, running) }
}

/// What one requested sync moved.
package struct SyncReport: Codable, Sendable, Equatable {
    package let started: Moment
    package let durationMilliseconds: Int64
    /// One entry for each device this one knows.
    package let devices: [DeviceResult]

    package init(started: Moment, durationMilliseconds: Int64, devices: [DeviceResult]) {
        self.started = started
        (self.durationMilliseconds, self.devices) = (durationMilliseconds, devices)
    }

    /// What was exchanged with one device.
    package struct DeviceResult: Codable, Sendable, Equatable {
        package let device: Reference
        package let reached: Bool
        package let sent: WaitingCount
        package let received: WaitingCount
        /// Why it was not reached or not finished, in words.
        package let problem: String?

        package init(
            device: Reference, reached: Bool, sent: WaitingCount, received: WaitingCount,
            problem: String?
        ) {
            (self.device, self.reached, self.sent) = (device, reached, sent)
            (self.received, self.problem) = (received, problem)
        }
    }
}
