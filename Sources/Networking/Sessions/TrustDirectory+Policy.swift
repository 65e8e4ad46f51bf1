package import Device
package import SyncCore
package import Transport

extension TrustDirectory: TrustPolicy {
    package func admits(_ key: Bytes32, _ application: ApplicationProtocol) -> Bool {
        switch application {
        case .session: keys.contains(key)
        case .pairing: isPairingOpen
        }
    }
}
