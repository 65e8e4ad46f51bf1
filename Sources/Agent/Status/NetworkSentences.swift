import Discovery
import LocalAPI
internal import Logging

extension StatusService {
    /// Looks at the network and says what to do; takes some seconds.
    /// Masked, it names no address that is not a private one.
    func doctorNetwork(isMasked: Bool = false) async -> NetworkReport {
        let port = await runtime.network.port
        let peers = runtime.node.dialAddresses().values.flatMap(\.self)
        var logger = runtime.node.logger
        // What a look around comes upon is no change of the agent's own state.
        logger.logLevel = .warning
        let probe = NetworkProbe(
            port: port, instanceName: await runtime.network.instanceName, knownPeers: peers,
            logger: logger)
        return NetworkDiagnosis(await probe.run(), isMasked: isMasked).report
    }
}
