internal import CAvahi
internal import Glibc
internal import SyncCore

/// The C functions that Avahi calls, on its own thread with its lock held. Each copies its
/// arguments, posts the copy and returns. The `userdata` of all of them is an `AvahiSignals` that
/// outlives the calls.
enum AvahiCallbacks {
    static let client: AvahiClientCallback = { client, state, signals in
        // At the first call the stored client is not set yet: use only the arguments.
        let signals = unsafe AvahiCallbacks.signals(signals)
        switch state {
        case AVAHI_CLIENT_S_RUNNING: signals?.post(.running)
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: signals?.post(.settling)
        case AVAHI_CLIENT_CONNECTING: signals?.post(.waiting)
        default: signals?.post(.broken(DiscoveryOutage(code: unsafe avahi_client_errno(client))))
        }
    }

    static let browser: AvahiServiceBrowserCallback = {
        _, interface, ipVersion, event, name, _, _, _, signals in
        let signals = unsafe AvahiCallbacks.signals(signals)
        guard event != AVAHI_BROWSER_FAILURE else {
            signals?.post(.broken(DiscoveryOutage(code: Int32(AVAHI_ERR_FAILURE))))
            return
        }
        guard let name = unsafe name else { return }
        let sighting = Sighting(
            name: unsafe String(cString: name), interface: interface, ipVersion: ipVersion)
        switch event {
        case AVAHI_BROWSER_NEW: signals?.post(.appeared(sighting))
        case AVAHI_BROWSER_REMOVE: signals?.post(.vanished(sighting))
        default: break
        }
    }

    static let resolver: AvahiServiceResolverCallback = {
        _, interface, ipVersion, event, name, _, _, _, address, port, text, _, signals in
        guard let signals = unsafe AvahiCallbacks.signals(signals), let name = unsafe name else {
            return
        }
        let sighting = Sighting(
            name: unsafe String(cString: name), interface: interface, ipVersion: ipVersion)
        guard event == AVAHI_RESOLVER_FOUND, port != 0, let address = unsafe address,
            let host = unsafe AvahiCallbacks.host(address, interface)
        else {
            signals.post(.unresolved(sighting))
            return
        }
        let place = HostPort(host: host, port: port)
        signals.post(.resolved(sighting, place, text: unsafe AvahiCallbacks.strings(text)))
    }

    static let group: AvahiEntryGroupCallback = { _, state, signals in
        let signals = unsafe AvahiCallbacks.signals(signals)
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: signals?.post(.published)
        case AVAHI_ENTRY_GROUP_COLLISION: signals?.post(.nameTaken)
        case AVAHI_ENTRY_GROUP_FAILURE:
            signals?.post(.broken(DiscoveryOutage(code: Int32(AVAHI_ERR_FAILURE))))
        default: break
        }
    }

    private static func signals(_ pointer: UnsafeMutableRawPointer?) -> AvahiSignals? {
        unsafe pointer.map { unsafe Unmanaged<AvahiSignals>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The numeric address; a link-local one is valid on its interface only.
    private static func host(_ address: UnsafePointer<AvahiAddress>, _ interface: Int32) -> String?
    {
        var text = [CChar](repeating: 0, count: Int(AVAHI_ADDRESS_STR_MAX))
        guard unsafe avahi_address_snprint(&text, text.count, address) != nil else { return nil }
        let host = String(upToZero: text)
        guard host.hasPrefix("fe80:") else { return host }
        return InterfaceName.of(index: interface).map { "\(host)%\($0)" }
    }

    /// The strings of a TXT record; nil if it is larger than the limit.
    private static func strings(_ first: UnsafeMutablePointer<AvahiStringList>?) -> [[UInt8]]? {
        var strings: [[UInt8]] = []
        var byteCount = 0
        var next = unsafe first
        while let string = unsafe next {
            let size = unsafe avahi_string_list_get_size(string)
            byteCount += size + 1
            guard strings.count < Limits.serviceRecordStrings,
                byteCount <= Limits.serviceRecordBytes
            else { return nil }
            let bytes = unsafe UnsafeBufferPointer(
                start: avahi_string_list_get_text(string), count: size)
            strings.append(unsafe Array(bytes))
            unsafe next = avahi_string_list_get_next(string)
        }
        return strings
    }
}
