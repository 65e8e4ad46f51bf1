/// What of the bin is asked for.
package struct BinFilter: Codable, Sendable, Hashable {
    /// Name or id prefix of a trip or space; absent: all of them, and those that were deleted.
    package var space: String?
    /// Also what was deleted longer ago than the days of the bin.
    @MayBeAbsent package var all: Bool

    package init(space: String? = nil, all: Bool = false) { (self.space, self.all) = (space, all) }
}

/// Something that was deleted and can be brought back.
package struct BinItemView: Codable, Sendable, Equatable, Identifiable {
    package let id: String
    package var shortID: String
    /// As people call it: `trip`, `memory`, `photo`, or a collection of the schema.
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

    package init(
        id: String, kind: String, name: String, space: Reference?, by: Reference, deleted: Moment,
        parts: Int
    ) {
        (self.id, self.kind, self.name, self.space) = (id, kind, name, space)
        (self.by, self.deleted, self.parts) = (by, deleted, parts)
        shortID = String(id.prefix(8))
    }
}
