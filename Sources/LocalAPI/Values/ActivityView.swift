/// The traffic between this device and the connected ones.
package struct ActivityView: Codable, Sendable, Equatable {
    /// Grows with every change.
    package let revision: Int
    /// The connected devices.
    package let devices: [Device]

    package init(revision: Int, devices: [Device]) {
        (self.revision, self.devices) = (revision, devices)
    }

    /// The traffic with one device.
    package struct Device: Codable, Sendable, Equatable {
        package let device: Reference
        package let sending: Flow
        package let receiving: Flow

        package init(device: Reference, sending: Flow, receiving: Flow) {
            (self.device, self.sending, self.receiving) = (device, sending, receiving)
        }
    }

    /// One direction.
    package struct Flow: Codable, Sendable, Equatable {
        /// The items still to be moved.
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
