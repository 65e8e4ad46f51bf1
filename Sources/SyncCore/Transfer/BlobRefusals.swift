/// Who was asked for a wanted blob and did not give it, and when each may be asked again.
package struct BlobRefusals: Sendable {
    /// Where a blob can be asked for: a device may refuse it in a space that this device was shut out
    /// of, and give it in another one.
    private struct Source: Hashable {
        let device: DeviceID
        /// Nil: in every space.
        let space: SpaceID?
    }

    /// A device did not give what it was asked for.
    private struct Refusal {
        var times: Int
        /// The earliest that it may be asked again, should it say that it holds the blob.
        var pauseEnd: UInt64
        /// When it is asked again.
        var notBefore: UInt64

        /// It is asked again without another word.
        var isPause: Bool { notBefore == pauseEnd }
    }

    private var refusals: [BlobID: [Source: Refusal]] = [:]
    private var refused: [DeviceID: Set<BlobID>] = [:]

    var devices: [DeviceID] { Array(refused.keys) }

    /// A device did not give a blob in a space, or in any: it is not asked for it for `longest`
    /// milliseconds or a pause that grows, whichever is longer.
    mutating func insert(
        _ blob: BlobID, by device: DeviceID, in space: SpaceID?, for longest: UInt64, at now: UInt64
    ) {
        let source = Source(device: device, space: space)
        let times = refusals[blob]?[source]?.times ?? 0
        let pause = min(
            Limits.blobRefusalMilliseconds << UInt64(min(times, 4)),
            Limits.blobRetryCapMilliseconds)
        refusals[blob, default: [:]][source] = Refusal(
            times: times + 1, pauseEnd: now + pause, notBefore: now + max(pause, longest))
        refused[device, default: []].insert(blob)
    }

    /// A device has by now what it refused in a space.
    mutating func remove(_ blob: BlobID, by device: DeviceID, in space: SpaceID) {
        refusals[blob]?[Source(device: device, space: space)] = nil
        let isRefusedElsewhere = refusals[blob]?.keys.contains { $0.device == device } ?? false
        if !isRefusedElsewhere { refused[device]?.remove(blob) }
    }

    mutating func removeAll(of blob: BlobID) {
        guard let sources = refusals.removeValue(forKey: blob)?.keys else { return }
        for source in sources { refused[source.device]?.remove(blob) }
    }

    mutating func removeAll(by device: DeviceID) {
        for blob in refused.removeValue(forKey: device) ?? [] {
            refusals[blob] = refusals[blob]?.filter { $0.key.device != device }
        }
    }

    /// What a device refused in a space it is asked for again once the pause is over; returns these
    /// blobs.
    mutating func shorten(by device: DeviceID, in space: SpaceID) -> Set<BlobID> {
        let source = Source(device: device, space: space)
        let blobs = (refused[device] ?? []).filter { refusals[$0]?[source] != nil }
        for blob in blobs {
            guard let refusal = refusals[blob]?[source] else { continue }
            refusals[blob]?[source]?.notBefore = refusal.pauseEnd
        }
        return blobs
    }

    func mayAsk(_ device: DeviceID, for blob: BlobID, in space: SpaceID, at now: UInt64) -> Bool {
        guard let refusals = refusals[blob], !refusals.isEmpty else { return true }
        return [nil, space].allSatisfy {
            now >= refusals[Source(device: device, space: $0)]?.notBefore ?? 0
        }
    }

    /// Whether somebody is asked again in a while.
    func isPausing(_ blob: BlobID, at now: UInt64) -> Bool {
        refusals[blob]?.values.contains { $0.isPause && $0.notBefore > now } ?? false
    }

    /// When a device may be asked again for a blob, for each space in which it refused it.
    func ends(of blob: BlobID, by device: DeviceID) -> [UInt64] {
        refusals[blob]?.filter { $0.key.device == device }.values.map(\.notBefore) ?? []
    }

    /// Blobs that devices did not have when they were asked, whatever they had said before, and have
    /// not said since that they have.
    package func lasting(in space: SpaceID) -> [DeviceID: Set<BlobID>] {
        refused.reduce(into: [:]) { result, entry in
            let source = Source(device: entry.key, space: space)
            let blobs = entry.value.filter { refusals[$0]?[source].map { !$0.isPause } ?? false }
            if !blobs.isEmpty { result[entry.key] = blobs }
        }
    }

    /// Only wanted blobs are refused, and only by devices that were asked.
    func check(wanted: (BlobID) -> Bool) {
        Invariants.check(
            refusals.keys.allSatisfy(wanted), "a blob is refused that is not wanted")
        Invariants.check(
            refused.allSatisfy { device, blobs in
                blobs.allSatisfy { refusals[$0]?.keys.contains { $0.device == device } ?? false }
            }, "a device is noted to refuse what it was not asked for")
        Invariants.check(
            refusals.allSatisfy { blob, sources in
                sources.keys.allSatisfy { refused[$0.device]?.contains(blob) ?? false }
            }, "a blob is refused by a device that is not noted")
        Invariants.check(
            refusals.values.joined().allSatisfy {
                $0.value.times > 0 && $0.value.notBefore >= $0.value.pauseEnd
            }, "a device is asked again before its pause ends")
    }
}
