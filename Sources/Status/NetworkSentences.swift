import Device
import Discovery
package import LocalAPI
internal import Logging
import Networking
import Records
import SyncCore

extension StatusService {
    /// Examines the network and suggests remedies; takes some seconds. If masked, the report
    /// contains no public address.
    package func doctorNetwork(
        isMasked: Bool = false, naming refusals: Bool = true
    ) async -> NetworkReport {
        let port = await network.port
        var logger = node.logger
        // The probe's findings are not changes of the agent's own state.
        logger.logLevel = .warning
        let probe = NetworkProbe(
            port: port,
            usualPort: isLongRunning ? port ?? Limits.defaultPort : Limits.defaultPort,
            instanceName: await network.instanceName, knownPeers: peersToTry(),
            logger: logger)
        return NetworkDiagnosis(
            await probe.run(), refusals ? await self.refusals(isMasked: isMasked) : [],
            on: MachineFacts(),
            isMasked: isMasked
        ).report
    }

    private func peersToTry() -> [HostPort] {
        node.reading("devices not read", or: []) {
            try node.knownDevices().filter { $0.loss == nil }.flatMap { device in
                let (added, remembered) = (
                    device.addresses.filter(\.isAdded), device.addresses.filter { !$0.isAdded }
                )
                return NetworkProbe.worthATry(
                    remembered.map { HostPort(host: $0.host, port: $0.port) },
                    added: added.map { HostPort(host: $0.host, port: $0.port) })
            }
        }
    }

    /// Reachable devices that cannot be synced with, in the words of status.
    private func refusals(isMasked: Bool) async -> [ProblemView] {
        let kinds: [ProblemView.Kind] = [.distrusted, .otherKey, .foreignVersion, .undelivered]
        do {
            return try await problems(isMasked: isMasked) { kinds.contains($0.kind) }
        } catch {
            node.couldNotRead("status not read", error)
            return []
        }
    }
}
