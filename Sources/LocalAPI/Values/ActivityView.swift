/// What moves between this device and those connected.
package struct ActivityView: Codable, Sendable, Equatable {
    /// Grows with every change.
    package let revision: Int
    /// Those connected.
    package let devices: [Device]

    package init(revision: Int, devices: [Device]) {
        self.revision = revision
        self.devices = devices
    }

    /// What goes to one device and comes from it.
    package struct Device: Codable, Sendable, Equatable {
        package let device: Reference
        package let sending: Flow
        package let receiving: Flow

        package init(device: Reference, sending: Flow, receiving: Flow) {
            self.device = device
            self.sending = sending
            self.receiving = receiving
        }
    }

    /// One direction.
    package struct Flow: Codable, Sendable, Equatable {
        /// What has still to move.
        package let waiting: WaitingCount
        /// Over the last seconds; absent while nothing moved.
        package let bytesPerSecond: Int64?
        /// At this rate; absent without one.
        package let secondsLeft: Int?

        package init(waiting: WaitingCount, bytesPerSecond: Int64?) {
            self.waiting = waiting
            self.bytesPerSecond = bytesPerSecond
            secondsLeft = bytesPerSecond.flatMap { rate in
                rate > 0 ? Int(clamping: (waiting.bytes + rate - 1) / rate) : nil
            }
        }
    }
}
