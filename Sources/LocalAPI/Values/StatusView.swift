/// Everything `peersync status` shows.
package struct StatusView: Codable, Sendable, Equatable {
    package let device: Reference
    package let person: Reference
    /// The indicator over all trips and devices.
    package let state: SyncState
    /// The same in words.
    package let verdict: String
    package let syncEnabled: Bool
    package let network: NetworkStatus
    /// When the last complete sync with any device ended.
    package let lastSync: Moment?
    /// Absent while nothing was backed up.
    package let lastBackup: LastBackup?
    /// Paired devices and devices known through a common trip.
    package let devices: [DeviceView]
    package let trips: [TripView]
    /// Problems, most urgent first: of this device, of others, of trips.
    package let problems: [ProblemView]

    package init(
        device: Reference, person: Reference, state: SyncState, verdict: String,
        syncEnabled: Bool, network: NetworkStatus, lastSync: Moment?,
        lastBackup: LastBackup? = nil, devices: [DeviceView], trips: [TripView],
        problems: [ProblemView]
    ) {
        (self.device, self.person, self.state) = (device, person, state)
        (self.verdict, self.syncEnabled) = (verdict, syncEnabled)
        (self.network, self.lastSync, self.lastBackup) = (network, lastSync, lastBackup)
        (self.devices, self.trips, self.problems) = (devices, trips, problems)
    }
}

/// The current network activity of this agent.
package struct NetworkStatus: Codable, Sendable, Equatable {
    /// True when this is a long-running agent, false when a command opened the store by itself.
    package let running: Bool
    /// TCP port it listens on; `nil` when it does not listen.
    package let port: Int?
    package let discovery: Discovery
    /// Devices that announce themselves here, also unpaired ones.
    package let announcedDevices: Int

    /// Whether devices are found by themselves.
    package enum Discovery: String, Codable, Sendable, CaseIterable {
        case working
        /// Avahi does not run here or does not answer; remembered and added addresses still work.
        case noAvahi
        /// Not running: sync is off or no agent runs.
        case off
    }

    package init(running: Bool, port: Int?, discovery: Discovery, announcedDevices: Int) {
        (self.running, self.port) = (running, port)
        (self.discovery, self.announcedDevices) = (discovery, announcedDevices)
    }
}
