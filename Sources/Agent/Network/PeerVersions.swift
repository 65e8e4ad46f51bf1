import SyncCore
internal import Synchronization

/// Which peersync other devices have, as far as it matters: what they say of it is for people, and whether
/// this one understands them shows in what they send.
final class PeerVersions: Sendable {
    struct Version: Sendable {
        /// As the device says; empty when it said nothing.
        var text = ""
        /// Nil while both understand each other.
        var isNewer: Bool?
    }

    private let versions = Mutex<[DeviceID: Version]>([:])

    func greeted(_ device: DeviceID, by hello: Hello) {
        let isKnown = hello.versions.contains(Limits.protocolVersion)
        let isNewer = hello.versions.lowerBound > Limits.protocolVersion
        versions.withLock {
            $0[device] = Version(text: hello.agentVersion, isNewer: isKnown ? nil : isNewer)
        }
    }

    /// One of the two could not read what the other one sent. The ranges in Hello count more where they
    /// tell who is newer.
    func misunderstood(_ device: DeviceID, isNewer: Bool) {
        versions.withLock { versions in
            let known = versions[device]?.isNewer
            versions[device, default: Version()].isNewer = known ?? isNewer
        }
    }

    subscript(device: DeviceID) -> Version? { versions.withLock { $0[device] } }
}
