/// Files that nobody near has: a session is opened to one who has them.
extension Engine {
    /// When there is to be looked for such files; nil when none is waited for.
    var seekingDue: UInt64? {
        transfers.isIdle || sessions.isEmpty ? nil : lastSeeking + Limits.seekingMilliseconds
    }

    /// Of files that wait, those which by what was said of holdings no connected device has: who else
    /// has them is to be called.
    mutating func seekFiles(at now: Instant) -> [EngineAction] {
        guard let due = seekingDue, now.monotonic >= due else { return [] }
        lastSeeking = now.monotonic
        let connected = connectedDevices
        var far: Set<DeviceID> = []
        for need in transfers.waiting.prefix(Limits.soughtBlobs) {
            let known = Set(
                transfers.spaces(naming: need.blob).flatMap { holders(of: need.blob, in: $0) })
            if connected.isDisjoint(with: known) { far.formUnion(known) }
        }
        // Each who seeks asks others first.
        let first = far.sorted {
            mixed(mixed(device.start) ^ $0.start) < mixed(mixed(device.start) ^ $1.start)
        }.prefix(Limits.soughtDevices)
        return first.isEmpty ? [] : [.seek(Set(first))]
    }

    private func holders(of blob: BlobID, in space: SpaceID) -> [DeviceID] {
        (holdings[space] ?? [:]).filter { author, said in
            let lacking = said.said
            return author != device && mayHold(author, space)
                && lacking.missingCount == UInt64(lacking.missing.count)
                && !lacking.missing.contains(blob)
        }.map(\.key)
    }
}

extension TransferPlanner {
    /// Blobs that nobody was asked for.
    var waiting: [BlobNeed] { fetches.values.filter(\.isWaiting).map(\.need) }
}

extension Limits {
    // MARK: Files far away

    /// How often there is looked for files that nobody near has.
    package static let seekingMilliseconds: UInt64 = 10_000
    /// Files that are looked for at once.
    package static let soughtBlobs = 64
    /// Of all that have them, how many are called.
    package static let soughtDevices = 2
}
