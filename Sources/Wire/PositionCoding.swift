internal import FoundationEssentials
internal import SwiftProtobuf
internal import SyncCore

/// Places in logs and commits, which headers, facts and messages share.
extension Peersync_V1_LogPosition {
    init(_ position: LogPosition) {
        self.init()
        device = Data(position.log.device.bytes)
        incarnation = Data(position.log.incarnation.bytes)
        sequence = position.head.sequence
        head = Data(position.head.commit.bytes)
    }

    func decoded() throws(WireError) -> LogPosition {
        LogPosition(
            log: LogID(
                device: try device.identifier("log_position.device"),
                incarnation: try incarnation.bytes16("log_position.incarnation")),
            head: LogHead(
                sequence: try sequence.sequence("log_position.sequence"),
                commit: try head.identifier("log_position.head")))
    }
}

extension Array where Element == Peersync_V1_LogPosition {
    /// A position at sequence 0 says nothing, and a reader refuses it: it is left out.
    init(_ positions: [LogPosition]) {
        self = positions.filter { $0.head.sequence > 0 }.map(Peersync_V1_LogPosition.init)
    }

    func decoded(_ field: String) throws(WireError) -> [LogPosition] {
        try atMost(Limits.listEntries, field).map {
            position throws(WireError) in try position.decoded()
        }
    }
}

extension Peersync_V1_FactReference {
    init(_ reference: FactReference) {
        self.init()
        commit = Data(reference.commit.bytes)
        index = reference.index
    }

    func decoded() throws(WireError) -> FactReference {
        FactReference(commit: try commit.identifier("fact_reference.commit"), index: index)
    }
}
