import Discovery
import LocalAPI

extension StatusService {
    /// Looks at the network and says what to do; takes some seconds.
    func doctorNetwork() async -> NetworkReport {
        let port = await runtime.network.port
        let peers = runtime.core.dialAddresses().values.flatMap(\.self)
        let probe = NetworkProbe(
            port: port, instanceName: await runtime.network.instanceName, knownPeers: peers,
            logger: runtime.core.logger)
        return NetworkDiagnosis(await probe.run()).report
    }
}
