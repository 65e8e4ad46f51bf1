/// A space as the engine knows it.
package struct SpaceView: Sendable {
    package var space: SpaceID
    package var role: SpaceRole
    package var watermark: Watermark
    package var membership: Membership
    package var forks: [LogID: ForkedLog]
    package var sealing: LogSealing
    package var pace: Pace

    package init(
        space: SpaceID, role: SpaceRole, watermark: Watermark, membership: Membership,
        forks: [LogID: ForkedLog] = [:], sealing: LogSealing = LogSealing(), pace: Pace = Pace()
    ) {
        (self.space, self.role, self.watermark) = (space, role, watermark)
        (self.membership, self.forks, self.sealing) = (membership, forks, sealing)
        self.pace = pace
    }

    package init(_ ledger: SpaceLedger) {
        self.init(
            space: ledger.space, role: ledger.role, watermark: ledger.watermark,
            membership: ledger.membership, forks: ledger.forks, sealing: ledger.sealing,
            pace: ledger.pace)
    }

    /// Logs of which this device takes nothing more now.
    func later(at now: Milliseconds) -> Set<LogID> {
        pace.later(at: now).filter { !membership.permissions(of: $0.device).contains(.write) }
    }

    /// What is compared with others: equal on devices that hold the same.
    var digest: Bytes32 { watermark.digest(forks) }

    /// What only a device that was given the space can say of it, to one other device; who knows no
    /// more than its id cannot, nor can the one that it was said to say it to a third.
    package func proof(by device: DeviceID, to other: DeviceID) -> Bytes32 {
        Label.spaceProof.hash(membership.facts.genesisHeader + device.bytes + other.bytes)
    }
}
