internal import FoundationEssentials
internal import SwiftProtobuf
internal import SyncCore

extension Peersync_V1_Hello {
    init(_ hello: Hello) {
        self.init()
        lowestVersion = hello.versions.lowerBound
        highestVersion = hello.versions.upperBound
        card = Peersync_V1_CardChain(hello.card)
        agentVersion = hello.agentVersion.clipped(to: Limits.nameBytes)
        features = hello.features.prefix(Limits.features).map {
            $0.clipped(to: Limits.nameBytes)
        }
        wallClock = hello.wallClock.value
        purpose = wireEnum(hello.purpose)
        listeningPort = UInt32(hello.listeningPort)
    }

    func decoded() throws(WireError) -> Hello {
        guard lowestVersion >= 1, lowestVersion <= highestVersion else {
            throw .contradiction("hello.lowest_version")
        }
        guard hasCard else { throw .missing("hello.card") }
        return Hello(
            versions: lowestVersion...highestVersion, card: try card.decoded(),
            agentVersion: try agentVersion.atMost(Limits.nameBytes, "hello.agent_version"),
            features: try features.atMost(Limits.features, "hello.features").map {
                feature throws(WireError) in
                try feature.atMost(Limits.nameBytes, "hello.features")
            },
            wallClock: Milliseconds(wallClock),
            purpose: try coreEnum(purpose, "hello.purpose"),
            listeningPort: try listeningPort.port("hello.listening_port"))
    }
}

extension UInt32 {
    /// A TCP port, 0 for none.
    func port(_ field: String) throws(WireError) -> UInt16 {
        guard let port = UInt16(exactly: self) else { throw .outOfRange(field) }
        return port
    }
}
