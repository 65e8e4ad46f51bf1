package import SyncCore

extension Exchange {
    /// For how long nothing may move before a sync on request ends: not for long where all that is lacking
    /// lacks on devices whose disk is full.
    package func stillSeconds(full: Set<DeviceID>) -> Int {
        let isComing = coming.count > 0 || peers.values.contains { $0.changesToReceive > 0 }
        let others = peers.filter { !full.contains($0.key) }.values
        let isWaitingForFull =
            peers.contains { full.contains($0.key) && $0.value.isLackingThere }
            && others.allSatisfy { $0.isCompared && !$0.isLackingThere }
        return isWaitingForFull && !isComing ? Limits.syncFullSeconds : Limits.syncStillSeconds
    }
}

extension Exchange.Peer {
    /// Whether the peer lacks something that it can have from here.
    var isLackingThere: Bool { changesToSend > 0 || toSend.count > 0 }
}

extension Limits {
    /// How long nothing may move before a sync on request ends and says what is lacking: longer than a stuck
    /// connection takes to be given up.
    package static let syncStillSeconds = 40
    /// The same where only devices lack something whose disk is full: small things may still find room.
    package static let syncFullSeconds = 2
}
