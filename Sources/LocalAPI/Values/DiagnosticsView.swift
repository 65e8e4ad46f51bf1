/// The facts about a device for a bug report: versions, numbers and the latest lines of the log, but no
/// titles, names or keys, and only private addresses.
package struct DiagnosticsView: Codable, Sendable, Equatable {
    package let made: Moment
    package let program: Program
    /// Numbers by name, for example `commits` or `blobs_missing`.
    package let counts: [String: Int]
    /// Records that are not deleted, by collection.
    package let records: [String: Int]
    /// Nil when no agent runs.
    package let network: NetworkStatus?
    package let syncEnabled: Bool?
    package let devices: [Device]
    /// The latest lines of level info and above, oldest first.
    package let log: [String]

    package init(
        made: Moment, program: Program, counts: [String: Int], records: [String: Int],
        network: NetworkStatus?, syncEnabled: Bool?, devices: [Device], log: [String]
    ) {
        (self.made, self.program, self.counts) = (made, program, counts)
        (self.records, self.network) = (records, network)
        (self.syncEnabled, self.devices, self.log) = (syncEnabled, devices, log)
    }

    /// A program and its platform.
    package struct Program: Codable, Sendable, Equatable {
        package let version: String
        package let apiVersion: Int
        package let protocolVersion: Int
        /// For example `Debian GNU/Linux 12 (bookworm)`.
        package let system: String
        package let kernel: String
        package let sqlite: String
        package let storeFormat: Int
        /// Seconds since the agent started; nil when none runs.
        package let uptimeSeconds: Int?

        package init(
            version: String, apiVersion: Int, protocolVersion: Int, system: String,
            kernel: String, sqlite: String, storeFormat: Int, uptimeSeconds: Int?
        ) {
            (self.version, self.apiVersion) = (version, apiVersion)
            (self.protocolVersion, self.system) = (protocolVersion, system)
            (self.kernel, self.sqlite) = (kernel, sqlite)
            (self.storeFormat, self.uptimeSeconds) = (storeFormat, uptimeSeconds)
        }
    }

    /// Another device.
    package struct Device: Codable, Sendable, Equatable {
        /// The first letters of its id.
        package let id: String
        package let mine: Bool
        package let paired: Bool
        package let connected: Bool
        package let state: SyncState
        package let lastSync: Moment?
        package let waiting: WaitingCount
        /// Its clock minus this one's, where it is known.
        package let clockSkewMilliseconds: Int64?

        package init(
            id: String, mine: Bool, paired: Bool, connected: Bool, state: SyncState,
            lastSync: Moment?, waiting: WaitingCount, clockSkewMilliseconds: Int64?
        ) {
            (self.id, self.mine, self.paired) = (id, mine, paired)
            (self.connected, self.state, self.lastSync) = (connected, state, lastSync)
            (self.waiting, self.clockSkewMilliseconds) = (waiting, clockSkewMilliseconds)
        }
    }
}

/// The file that `peersync doctor --report` writes.
package struct DiagnosticsReport: Codable, Sendable, Equatable {
    package let health: HealthReport
    package let diagnostics: DiagnosticsView

    package init(health: HealthReport, diagnostics: DiagnosticsView) {
        (self.health, self.diagnostics) = (health, diagnostics)
    }
}
