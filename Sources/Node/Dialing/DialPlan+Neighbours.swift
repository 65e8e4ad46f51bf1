package import SyncCore

/// Among more devices than a device connects with: those to call, and those to let go.
extension DialPlan {
    /// The device that calls.
    package struct Own: Sendable {
        let device: DeviceID
        /// The name under which it announces itself, empty when it does not.
        let instance: String
        /// Other devices of the same person, and those that are needed for a space or a file: always called.
        let wanted: Set<DeviceID>
        /// Whether wanted devices of which nobody knows where they are may be looked for.
        let maySearch: Bool

        package init(
            device: DeviceID, instance: String, wanted: Set<DeviceID>, maySearch: Bool = true
        ) {
            (self.device, self.instance, self.wanted) = (device, instance, wanted)
            self.maySearch = maySearch
        }

        /// Among instances: by its name or, without one, by its id.
        var place: UInt64 { instance.isEmpty ? device.start : DialPlan.place(of: instance) }
    }

    /// The instances and unannounced devices to call.
    struct Choice {
        let devices: Set<DeviceID>
        let names: Set<String>
        let wanted: Set<DeviceID>
        /// Calls to others, until there are enough sessions.
        var more: Int
        /// Instances of which nobody knows yet who they are, as one may be a wanted device, and how many of
        /// them are called now.
        let unknown: Set<String>
        var searches: Int

        mutating func includes(_ device: DeviceID) -> Bool {
            wanted.contains(device) || devices.contains(device) || chooseMore()
        }

        /// Why an instance is called; nil when it is not.
        mutating func purpose(of name: String, at device: DeviceID?) -> Purpose? {
            if device.map({ wanted.contains($0) }) == true || names.contains(name) {
                return .session
            }
            if searches > 0, unknown.contains(name) {
                searches -= 1
                return .search
            }
            return chooseMore() ? .session : nil
        }

        private mutating func chooseMore() -> Bool {
            guard more > 0 else { return false }
            more -= 1
            return true
        }
    }

    /// Nil while there are few enough to connect with all.
    ///
    /// A device that announces itself has its place by its name, which everybody hears, called or not: by
    /// ids, each call would change the choice, and lead to the next. Others have theirs by their ids.
    func choice(
        of known: [DeviceID: [HostPort]], _ connected: Set<DeviceID>,
        refusing: Set<DeviceID> = [], _ own: Own, _ now: UInt64
    ) -> Choice? {
        let left = refusing.union([own.device])
        let names = instances.keys.filter { name in
            name != own.instance && seemsThere(.instance(name), now)
                && device(at: name).map(left.contains) != true
        }
        let announced = Set(names.flatMap { instances[$0]?.addresses ?? [] })
        var devices = connected
        for (device, addresses) in known
        where !addresses.isEmpty && seemsThere(.device(device), now) && !left.contains(device)
            && announced.isDisjoint(with: addresses)
        {
            devices.insert(device)
        }
        let residents = residents(of: names, known)
        devices.subtract(residents.values)
        devices.remove(own.device)
        guard devices.count + names.count > Limits.neighbours else { return nil }
        let places = Dictionary(
            names.map { (Self.place(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
        let drawn = Set(
            Neighbours.chosen(from: own.place, among: Array(places.keys))
                .compactMap { places[$0] })
        let starts = Neighbours.chosen(from: own.device.start, among: devices.map(\.start))
        let chosen = devices.filter { starts.contains($0.start) }
            .union(drawn.compactMap { residents[$0] })
        let coming =
            chosen.subtracting(connected).count + drawn.count { residents[$0] == nil }
        let isSearching =
            own.maySearch && !own.wanted.subtracting(connected).isSubset(of: located(known))
        return Choice(
            devices: chosen, names: drawn, wanted: own.wanted,
            more: max(0, Limits.sessionsEnough - connected.count - coming - openCalls),
            unknown: isSearching ? unknown(among: names, known) : [],
            searches: max(0, Limits.searchesAtOnce - openSearches))
    }

    /// By name: the device that answered there, or is remembered there. A device that called this one, or was called
    /// by its address, is not counted twice.
    private func residents(
        of names: [String], _ known: [DeviceID: [HostPort]]
    ) -> [String: DeviceID] {
        var places: [HostPort: DeviceID] = [:]
        for (device, addresses) in known.sorted(by: { $0.key > $1.key }) {
            for address in addresses { places[address] = device }
        }
        return names.reduce(into: [:]) { found, name in
            found[name] =
                device(at: name)
                ?? instances[name]?.addresses.lazy.compactMap { places[$0] }.first
        }
    }

    /// Devices of which is known where they are, and that seem to be there: where anybody announces
    /// themselves, those that are remembered at such a place. Those that were called in vain last do not.
    func located(_ known: [DeviceID: [HostPort]]) -> Set<DeviceID> {
        let named = instances.keys.filter { hasNotFailed(.instance($0)) }.compactMap(device(at:))
        let announced = Set(instances.values.flatMap(\.addresses))
        let addressed = known.filter { device, addresses in
            hasNotFailed(.device(device)) && !addresses.isEmpty
                && (announced.isEmpty || !announced.isDisjoint(with: addresses))
        }
        return Set(named).union(addressed.keys)
    }

    /// Instances of which nobody knows who they are; first those where no known device was before.
    private func unknown(
        among names: [String], _ known: [DeviceID: [HostPort]]
    ) -> Set<String> {
        let all = names.filter { device(at: $0) == nil }
        let remembered = Set(known.values.flatMap(\.self))
        let new = all.filter { name in
            remembered.isDisjoint(with: instances[name]?.addresses ?? [])
        }
        return Set(new.isEmpty ? all : new)
    }

    /// A session that this side dialled for a choice that has changed since, when there are many.
    package func surplus(
        known: [DeviceID: [HostPort]], connected: Set<DeviceID>, dialed: Set<DeviceID>,
        refusing: Set<DeviceID> = [], own: Own, now: UInt64
    ) -> DeviceID? {
        guard connected.count > Limits.sessionsEnough,
            var choice = choice(of: known, connected, refusing: refusing, own, now)
        else { return nil }
        return dialed.sorted().first { !choice.includes($0) }
    }

    /// Where a name stands among the names of all.
    static func place(of name: String) -> UInt64 {
        DeviceID(sha256(Array(name.utf8))).start
    }
}

extension Limits {
    // MARK: Neighbours

    /// With fewer sessions than this, devices that were not chosen are called, too: the chosen ones may
    /// be away.
    package static let sessionsEnough = 8
    /// While nobody knows where a device is that is always called, so many unknown instances are called at a
    /// time to find it, one after the other; a wrong one is hung up on.
    package static let searchesAtOnce = 2
    /// One session after the other is let go when there are too many, so that files which are on
    /// their way over one find another in between.
    package static let surplusMilliseconds: UInt64 = 5_000
}
