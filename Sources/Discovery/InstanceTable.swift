package import SyncCore

/// One view of a service instance: Avahi reports each once per interface and IP version.
package struct Sighting: Hashable, Sendable {
    package let name: String
    /// Index of the interface (if_nametoindex).
    package let interface: Int32
    /// Avahi's number for the IP version.
    package let ipVersion: Int32

    package init(name: String, interface: Int32, ipVersion: Int32) {
        (self.name, self.interface, self.ipVersion) = (name, interface, ipVersion)
    }
}

/// Groups sightings into instances, within limits that hold for any number of announcements.
package struct InstanceTable {
    private enum View {
        case resolving
        case resolved(HostPort)
    }

    private var sightings: [String: [Sighting: View]] = [:]
    /// The record of the sighting of each instance that resolved last.
    private var latestRecord: [String: ServiceRecord] = [:]
    private var reported: [String: DiscoveredInstance] = [:]
    package private(set) var sightingCount = 0

    /// Sightings that Avahi could not resolve, or no longer can; they are retried later.
    package private(set) var unresolved: Set<Sighting> = []

    package init() {}

    /// Whether the sighting is new and there is room; if so, the caller resolves it.
    package mutating func appear(_ sighting: Sighting) -> Bool {
        let known = sightings[sighting.name] ?? [:]
        guard known[sighting] == nil, sightingCount < Limits.discoverySightings,
            known.count < Limits.sightingsPerInstance, InstanceName.isAcceptable(sighting.name)
        else { return false }
        sightings[sighting.name, default: [:]][sighting] = .resolving
        sightingCount += 1
        return true
    }

    package mutating func vanish(_ sighting: Sighting) -> DiscoveryEvent? {
        unresolved.remove(sighting)
        guard sightings[sighting.name]?.removeValue(forKey: sighting) != nil else { return nil }
        sightingCount -= 1
        if sightings[sighting.name]?.isEmpty == true { sightings[sighting.name] = nil }
        return report(sighting.name)
    }

    package mutating func resolve(
        _ sighting: Sighting, address: HostPort, record: ServiceRecord
    ) -> DiscoveryEvent? {
        unresolved.remove(sighting)
        guard sightings[sighting.name]?[sighting] != nil else { return nil }
        sightings[sighting.name]?[sighting] = .resolved(address)
        latestRecord[sighting.name] = record
        return report(sighting.name)
    }

    /// The sighting has no address or record, or its record is malformed.
    package mutating func failToResolve(_ sighting: Sighting) -> DiscoveryEvent? {
        guard sightings[sighting.name]?[sighting] != nil else { return nil }
        unresolved.insert(sighting)
        sightings[sighting.name]?[sighting] = .resolving
        return report(sighting.name)
    }

    /// The sightings to retry; they count as resolving from now on.
    package mutating func consumeUnresolved() -> Set<Sighting> {
        defer { unresolved = [] }
        return unresolved
    }

    /// Forgets everything; reports the instances lost by that, sorted by name.
    package mutating func clear() -> [DiscoveryEvent] {
        let names = reported.keys.sorted()
        self = InstanceTable()
        return names.map { .lost($0) }
    }

    /// The event for an instance after a change; nil if nothing changed.
    private mutating func report(_ name: String) -> DiscoveryEvent? {
        let resolved = (sightings[name] ?? [:]).values.compactMap { view -> HostPort? in
            if case .resolved(let address) = view { address } else { nil }
        }
        guard !resolved.isEmpty, let record = latestRecord[name] else {
            latestRecord[name] = nil
            return reported.removeValue(forKey: name).map { _ in .lost(name) }
        }
        let addresses = Set(resolved).sorted { first, second in
            let versions = (first.host.contains(":"), second.host.contains(":"))
            if versions.0 != versions.1 { return versions.1 }
            return (first.host, first.port) < (second.host, second.port)
        }
        let instance = DiscoveredInstance(
            name: name, addresses: addresses, protocolVersion: record.protocolVersion,
            nameplate: record.nameplate)
        guard reported.updateValue(instance, forKey: name) != instance else { return nil }
        return .found(instance)
    }
}
