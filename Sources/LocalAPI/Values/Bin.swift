/// Selects entries of the bin.
package struct BinFilter: Codable, Sendable, Hashable {
    /// Name or id prefix of a trip or space; absent: all of them, and those that were deleted.
    package var space: String?
    /// Includes things that were deleted longer ago than the days of the bin.
    @MayBeAbsent package var all: Bool

    package init(space: String? = nil, all: Bool = false) { (self.space, self.all) = (space, all) }
}

/// A deleted thing that can be restored.
package struct BinItemView: Codable, Sendable, Equatable, Identifiable {
    package let id: String
    package var shortID: String
    /// Its kind in words: `trip`, `memory`, `photo`, or a collection of the schema.
    package let kind: String
    /// Empty where it has none.
    package let name: String
    /// The trip or space that it was in; absent for one that was deleted itself, and for the home space.
    package let space: Reference?
    package let by: Reference
    /// By the clock of the device that deleted it.
    package let deleted: Moment
    /// Records that come back with it: photos and tracks of a memory.
    package let parts: Int
    /// The state of its files on this device; absent where none would go with it.
    package var files: BinFiles?

    package init(
        id: String, kind: String, name: String, space: Reference?, by: Reference, deleted: Moment,
        parts: Int
    ) {
        (self.id, self.kind, self.name, self.space) = (id, kind, name, space)
        (self.by, self.deleted, self.parts) = (by, deleted, parts)
        shortID = String(id.prefix(8))
    }
}

/// The files of something deleted that nothing else needs. Thumbnails are in the bytes, and not in the counts.
package struct BinFiles: Codable, Sendable, Equatable {
    /// Those that are on this device, and their bytes.
    package var here = 0
    package var bytes: Int64 = 0
    /// Those that were freed here, and when the last one was.
    package var freed = 0
    package var freedAt: Moment?
    /// When this device frees all that are here; absent for none, for what waits, and where it keeps files.
    package var freeableAt: Moment?
    /// Devices that have not acknowledged the deletion.
    package var waitingFor: [Reference] = []

    package init() {}
}

/// Which files of the bin to free on this device.
package struct BinEmptying: Codable, Sendable, Hashable {
    /// Name or id prefix of a trip or space; absent: all.
    package var space: String?
    /// Also of what is still in the bin.
    @MayBeAbsent package var now: Bool
    /// Only say what would go.
    @MayBeAbsent package var preview: Bool

    package init(space: String? = nil, now: Bool = false, preview: Bool = false) {
        (self.space, self.now, self.preview) = (space, now, preview)
    }
}

/// The result of freeing files on this device, or of its preview. Thumbnails are in the bytes, and in the counts only
/// where nothing else would go.
package struct BinEmptied: Codable, Sendable, Equatable {
    package var files = 0
    package var bytes: Int64 = 0
    /// Files that are still in the bin.
    package var later = 0
    /// Files whose deletion not everybody has acknowledged, and who has not.
    package var waiting = 0
    package var waitingFor: [Reference] = []

    package init() {}
}
