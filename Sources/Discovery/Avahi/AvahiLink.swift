internal import CAvahi
internal import SyncCore

/// One connection to avahi-daemon, all objects made through it, and the thread on which Avahi runs
/// it. It has one owner; calls may wait for the daemon, up to D-Bus's 25 seconds.
///
/// Avahi's objects are used only under the poll's lock. Objects that belong to the client are freed
/// with it.
///
/// Safe: its pointers live as long as this object, and are passed only to calls that return first.
@safe final class AvahiLink {
    static let serviceType = "_peersync._tcp"
    private static let domain = "local"

    /// Signals of this connection only: they cannot be mixed up with those of an earlier one. The
    /// callbacks hold it unretained, so it is kept until no callback can run.
    let signals: AvahiSignals
    private let poll: OpaquePointer
    private let client: OpaquePointer
    private var browser: OpaquePointer?
    private var group: OpaquePointer?
    private var resolvers: [Sighting: OpaquePointer] = unsafe [:]

    private init(signals: AvahiSignals, poll: OpaquePointer, client: OpaquePointer) {
        self.signals = signals
        unsafe self.poll = poll
        unsafe self.client = client
    }

    /// Connects, even without a daemon: `running` is posted as soon as there is one.
    static func open() throws(DiscoveryOutage) -> AvahiLink {
        guard let poll = unsafe avahi_threaded_poll_new() else {
            throw DiscoveryOutage(code: Int32(AVAHI_ERR_NO_MEMORY))
        }
        let signals = AvahiSignals()
        var code: Int32 = 0
        // The thread is not running yet, so no lock is needed.
        guard
            let client = unsafe avahi_client_new(
                avahi_threaded_poll_get(poll), AVAHI_CLIENT_NO_FAIL, AvahiCallbacks.client,
                Unmanaged.passUnretained(signals).toOpaque(), &code)
        else {
            unsafe avahi_threaded_poll_free(poll)
            // NO_FAIL connects without a daemon, so an error here means that the bus is missing.
            // For that, D-Bus's "file not found" is reported as a missing daemon.
            throw code == Int32(AVAHI_ERR_NO_DAEMON) ? .noDBus : DiscoveryOutage(code: code)
        }
        let link = unsafe AvahiLink(signals: signals, poll: poll, client: client)
        guard unsafe avahi_threaded_poll_start(poll) == 0 else {
            throw DiscoveryOutage(code: Int32(AVAHI_ERR_FAILURE))
        }
        return link
    }

    // Never on Avahi's own thread: callbacks hold the signals, not the link.
    deinit {
        unsafe avahi_threaded_poll_stop(poll)
        unsafe avahi_client_free(client)
        unsafe avahi_threaded_poll_free(poll)
    }

    /// Starts reporting instances; call it once, while the daemon runs.
    func browse() throws(DiscoveryOutage) {
        let code = locked { () -> Int32 in
            guard unsafe browser == nil else { return 0 }
            unsafe browser = avahi_service_browser_new(
                client, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC),
                Self.serviceType, Self.domain, AvahiLookupFlags(rawValue: 0),
                AvahiCallbacks.browser, userdata)
            return unsafe browser == nil ? avahi_client_errno(client) : 0
        }
        guard code == 0 else { throw DiscoveryOutage(code: code) }
    }

    /// Asks for the address and record of an instance, and keeps asking, so that changes are
    /// reported. Returns false if the daemon has no room for another one.
    func resolve(_ sighting: Sighting) -> Bool {
        locked {
            if let old = unsafe resolvers.removeValue(forKey: sighting) {
                _ = unsafe avahi_service_resolver_free(old)
            }
            // Resolves to an address of the IP version in which it was seen: each version has its
            // own view.
            let resolver = unsafe avahi_service_resolver_new(
                client, sighting.interface, sighting.ipVersion, sighting.name, Self.serviceType,
                Self.domain, sighting.ipVersion, AvahiLookupFlags(rawValue: 0),
                AvahiCallbacks.resolver, userdata)
            unsafe resolvers[sighting] = resolver
            return unsafe resolver != nil
        }
    }

    func stopResolving(_ sighting: Sighting) {
        locked {
            guard let resolver = unsafe resolvers.removeValue(forKey: sighting) else { return }
            _ = unsafe avahi_service_resolver_free(resolver)
        }
    }

    /// Advertises this service in place of the previous one. `published` or `nameTaken` follows.
    ///
    /// - Returns: False if the name is taken on this machine.
    func publish(name: String, port: UInt16, record: ServiceRecord) throws(DiscoveryOutage) -> Bool
    {
        let code = locked { () -> Int32 in
            discardGroup()
            unsafe group = avahi_entry_group_new(client, AvahiCallbacks.group, userdata)
            guard let group = unsafe group else { return unsafe avahi_client_errno(client) }
            let text = unsafe Self.list(record.strings)
            defer { unsafe avahi_string_list_free(text) }
            let added = unsafe avahi_entry_group_add_service_strlst(
                group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC),
                AvahiPublishFlags(rawValue: 0), name, Self.serviceType, Self.domain, nil, port,
                text)
            return added == 0 ? unsafe avahi_entry_group_commit(group) : added
        }
        if code == Int32(AVAHI_ERR_COLLISION) { return false }
        guard code == 0 else { throw DiscoveryOutage(code: code) }
        return true
    }

    /// Changes the record of the service that is advertised under this name.
    func update(name: String, record: ServiceRecord) throws(DiscoveryOutage) {
        let code = locked { () -> Int32 in
            guard let group = unsafe group else { return 0 }
            let text = unsafe Self.list(record.strings)
            defer { unsafe avahi_string_list_free(text) }
            return unsafe avahi_entry_group_update_service_txt_strlst(
                group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC),
                AvahiPublishFlags(rawValue: 0), name, Self.serviceType, Self.domain, text)
        }
        guard code == 0 else { throw DiscoveryOutage(code: code) }
    }

    /// Stops advertising.
    func withdraw() {
        locked { discardGroup() }
    }

    private var userdata: UnsafeMutableRawPointer {
        unsafe Unmanaged.passUnretained(signals).toOpaque()
    }

    private func discardGroup() {
        guard let old = unsafe group else { return }
        _ = unsafe avahi_entry_group_free(old)
        unsafe group = nil
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        unsafe avahi_threaded_poll_lock(poll)
        defer { unsafe avahi_threaded_poll_unlock(poll) }
        return body()
    }

    private static func list(_ strings: [String]) -> UnsafeMutablePointer<AvahiStringList>? {
        var list: UnsafeMutablePointer<AvahiStringList>?
        // Each string is added at the front of the list.
        for string in strings.reversed() {
            unsafe list = avahi_string_list_add(list, string)
        }
        return unsafe list
    }
}

extension DiscoveryOutage {
    /// The outage for one of Avahi's error codes.
    init(code: Int32) {
        switch Int(code) {
        case Int(AVAHI_ERR_DBUS_ERROR): self = .noDBus
        case Int(AVAHI_ERR_NO_DAEMON), Int(AVAHI_ERR_DISCONNECTED): self = .noAvahiDaemon
        default:
            let message = unsafe avahi_strerror(code).map { unsafe String(cString: $0) }
            self = .failed(code: code, message: message ?? "")
        }
    }
}
