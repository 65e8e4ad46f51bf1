/// Whether this device syncs at all.
package struct SyncSetting: Codable, Sendable, Hashable {
    package let enabled: Bool

    package init(enabled: Bool) { self.enabled = enabled }
}

/// The result of switching sync.
package struct SyncSwitched: Codable, Sendable, Hashable {
    package let enabled: Bool
    /// Whether a long-running agent is there to sync.
    package let running: Bool

    package init(enabled: Bool, running: Bool) { (self.enabled, self.running) = (enabled, running) }
}

/// The result of one requested sync.
package struct SyncReport: Codable, Sendable, Equatable {
    package let started: Moment
    package let durationMilliseconds: Int64
    /// One entry for each device this one knows.
    package let devices: [DeviceResult]
    /// Why a device that was reached and this one still differ, each a sentence. None when all reached
    /// devices are equal.
    package let problems: [String]
    /// Files that are lacking here and that no device in reach has.
    package let elsewhere: WaitingCount
    /// Data that no other device is known to hold.
    package let onlyHere: [OnlyHere]

    package init(
        started: Moment, durationMilliseconds: Int64, devices: [DeviceResult], problems: [String],
        elsewhere: WaitingCount, onlyHere: [OnlyHere]
    ) {
        (self.started, self.durationMilliseconds) = (started, durationMilliseconds)
        (self.devices, self.problems) = (devices, problems)
        (self.elsewhere, self.onlyHere) = (elsewhere, onlyHere)
    }

    /// The exchange with one device.
    package struct DeviceResult: Codable, Sendable, Equatable {
        package let device: Reference
        /// A session is open with it, or was, and its disk is full; or among many devices, what it has comes
        /// over another one.
        package let reached: Bool
        package let sent: WaitingCount
        package let received: WaitingCount
        /// What it still lacks of what is here; nothing for one with which no session is open, unless its disk
        /// is full.
        package let lacking: WaitingCount

        package init(
            device: Reference, reached: Bool, sent: WaitingCount, received: WaitingCount,
            lacking: WaitingCount
        ) {
            (self.device, self.reached, self.sent) = (device, reached, sent)
            (self.received, self.lacking) = (received, lacking)
        }
    }

    /// Data of one space that no other device is known to hold.
    package struct OnlyHere: Codable, Sendable, Equatable {
        package let space: Reference
        package let waiting: WaitingCount
        /// Whether others may have the space at all.
        package let shared: Bool
        /// How many records are in no log yet; absent for none.
        package var unfinished: Int?

        package init(space: Reference, waiting: WaitingCount, shared: Bool) {
            (self.space, self.waiting, self.shared) = (space, waiting, shared)
        }
    }
}

/// Why devices were not reached.
extension SyncReport {
    /// The problems in status that explain it: those of this device, or one for each such device.
    package func obstacles(in status: StatusView) -> [ProblemView] {
        let here = status.problems.filter {
            [.noNetwork, .calledLost, .diskFull, .storageFault].contains($0.kind)
        }
        guard here.isEmpty else { return here }
        let missed = Set(devices.filter { !$0.reached }.map(\.device.id))
        return status.problems.filter { problem in
            let kinds: [ProblemView.Kind] = [
                .distrusted, .otherKey, .foreignVersion, .syncOffThere,
            ]
            return kinds.contains(problem.kind)
                && problem.device.map { missed.contains($0.id) } ?? false
        }
    }

    /// Whether a device was not reached for a reason that is in none of these.
    package func isUnexplained(by obstacles: [ProblemView]) -> Bool {
        guard !obstacles.contains(where: { $0.device == nil }) else { return false }
        let explained = Set(obstacles.compactMap { $0.device?.id })
        return devices.contains { !$0.reached && !explained.contains($0.device.id) }
    }
}
