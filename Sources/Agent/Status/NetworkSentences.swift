import Device
import Discovery
import LocalAPI
internal import Logging
import Networking
import Records
import SyncCore

extension StatusService {
    /// Examines the network and suggests remedies; takes some seconds. If masked, the report
    /// contains no public address.
    func doctorNetwork(isMasked: Bool = false) async -> NetworkReport {
        let port = await runtime.network.port
        let peers = runtime.node.dialAddresses().values.flatMap { NetworkProbe.worthATry($0) }
        var logger = runtime.node.logger
        // The probe's findings are not changes of the agent's own state.
        logger.logLevel = .warning
        let probe = NetworkProbe(
            port: port,
            usualPort: runtime.isLongRunning ? port ?? Limits.defaultPort : Limits.defaultPort,
            instanceName: await runtime.network.instanceName, knownPeers: peers,
            logger: logger)
        return NetworkDiagnosis(
            await probe.run(), await refusals(isMasked: isMasked), on: MachineFacts(),
            isMasked: isMasked
        ).report
    }

    /// Reachable devices that cannot be synced with, in the words of status.
    private func refusals(isMasked: Bool) async -> [ProblemView] {
        let kinds: [ProblemView.Kind] = [.distrusted, .otherKey, .foreignVersion, .undelivered]
        do {
            return try await problems(isMasked: isMasked) { kinds.contains($0) }
        } catch {
            runtime.node.couldNotRead("status not read", error)
            return []
        }
    }
}
