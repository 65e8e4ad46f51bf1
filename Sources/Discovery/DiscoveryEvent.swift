package import SyncCore

/// The events of discovery, in order.
package enum DiscoveryEvent: Hashable, Sendable {
    /// Avahi works: we are being advertised (if asked for), and others will be found.
    case available
    /// Nobody can be found or find us until `available`; it is tried again without being asked.
    /// All instances found before have been reported lost.
    case unavailable(reason: DiscoveryOutage)
    /// An instance appeared, or something about it changed: this replaces what was known of it.
    case found(DiscoveredInstance)
    /// The instance of this name went away or no longer answers.
    case lost(String)
}

/// Why discovery does not work.
package enum DiscoveryOutage: Error, Hashable, Sendable {
    /// There is no system message bus to reach Avahi by.
    case noDBus
    /// There is a message bus, but no avahi-daemon on it.
    case noAvahiDaemon
    /// Avahi refuses: its error code (avahi-common/error.h) and its own words for it.
    case failed(code: Int32, message: String)
}
