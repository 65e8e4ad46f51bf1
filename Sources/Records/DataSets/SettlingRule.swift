package import SyncCore

/// Decides which device writes the higher one of two versions again that were applied separately: the one that
/// applied it. If that one may not do it any more, or has not done it within a day, the devices do it that applied
/// a lower one.
///
/// It ends: what is written is a version that is there, and replaces all lower ones that the device knows. So a
/// device writes at most once for every lower version that somebody applied.
package struct SettlingRule {
    /// One of the versions.
    package struct Version {
        fileprivate let author: DeviceID
        fileprivate let isHighest: Bool
        fileprivate let isByAdmin: Bool
        fileprivate let isOfUndo: Bool
        fileprivate let appliedAt: Milliseconds

        /// `isByAdmin` tells whether its author was an admin when it was written; `isOfUndo` whether the write undid
        /// something on this device, or was undone here.
        package init(
            by author: DeviceID, isHighest: Bool, isByAdmin: Bool = true, isOfUndo: Bool = false,
            at: Milliseconds
        ) {
            (self.author, self.isHighest, self.isByAdmin) = (author, isHighest, isByAdmin)
            (self.isOfUndo, appliedAt) = (isOfUndo, at)
        }
    }

    private let versions: [Version]

    package init(_ versions: [Version]) { self.versions = versions }

    /// `isAdmin` tells whether a device may apply data sets now.
    package func isDue(
        on device: DeviceID, at now: Milliseconds, isAdmin: (DeviceID) -> Bool
    ) -> Bool {
        let own = versions.filter { $0.author == device }
        guard versions.contains(where: { !$0.isHighest }), isAdmin(device), !own.isEmpty,
            // Nobody writes what only a member without the right wrote.
            versions.contains(where: { $0.isHighest && $0.isByAdmin }),
            // A version that a person undid here must not return by itself.
            !own.contains(where: \.isOfUndo)
        else { return false }
        if own.contains(where: \.isHighest) { return true }
        let isAwaited = versions.contains { $0.isHighest && isAdmin($0.author) }
        let newest = versions.map(\.appliedAt.value).max() ?? 0
        return !isAwaited || newest + Limits.settlingWaitSeconds * 1000 <= now.value
    }
}

extension Limits {
    /// How long a device waits for the one that applied the higher version.
    static let settlingWaitSeconds: UInt64 = 24 * 3600
}
