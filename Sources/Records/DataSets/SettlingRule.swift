package import SyncCore

/// Decides which device writes the higher one of two versions again that were applied separately: the one that
/// applied it. If that one may not do it any more, or has not done it within a day, the devices do it that applied
/// a lower one.
///
/// It ends: what is written is a version that is there, and replaces all lower ones that the device knows, or else
/// nothing is written. So a device writes at most once for every lower version that somebody applied.
package struct SettlingRule {
    /// One of the versions, each by an admin.
    package struct Version {
        fileprivate let author: DeviceID
        fileprivate let isHighest: Bool
        fileprivate let isReplaced: Bool
        fileprivate let isOfUndo: Bool
        fileprivate let precedence: UInt32
        fileprivate let receivedAt: Milliseconds

        /// `isReplaced` tells whether this device replaced it by the higher one already; `isOfUndo` whether the write
        /// undid something on this device, or was undone here; `received` when it came to this device.
        package init(
            by author: DeviceID, isHighest: Bool, isReplaced: Bool = false, isOfUndo: Bool = false,
            precedence: UInt32 = Precedence.user.rawValue, received: Milliseconds
        ) {
            (self.author, self.isHighest, self.isReplaced) = (author, isHighest, isReplaced)
            (self.isOfUndo, self.precedence, receivedAt) = (isOfUndo, precedence, received)
        }
    }

    private let versions: [Version]

    package init(_ versions: [Version]) { self.versions = versions }

    /// `precedence` is the greatest that the device may write with; `isAdmin` tells whether a device may apply data
    /// sets now.
    package func isDue(
        on device: DeviceID, writing precedence: UInt32, at now: Milliseconds,
        isAdmin: (DeviceID) -> Bool
    ) -> Bool {
        let own = versions.filter { $0.author == device }
        guard versions.contains(where: { !$0.isHighest && !$0.isReplaced }), isAdmin(device),
            !own.isEmpty,
            // What has more authority would stay, and be met again for ever.
            versions.allSatisfy({ $0.precedence <= precedence }),
            // A version that a person undid here must not return by itself.
            !own.contains(where: \.isOfUndo)
        else { return false }
        if own.contains(where: \.isHighest) { return true }
        let isAwaited = versions.contains { $0.isHighest && isAdmin($0.author) }
        let newest = versions.map(\.receivedAt.value).max() ?? 0
        return !isAwaited || newest + Limits.settlingWaitSeconds * 1000 <= now.value
    }
}

extension Limits {
    /// How long a device waits for the one that applied the higher version.
    static let settlingWaitSeconds: UInt64 = 24 * 3600
}
