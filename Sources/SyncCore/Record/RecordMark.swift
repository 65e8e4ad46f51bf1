/// Who made a record stands in its id, so that everybody can tell from a commit alone whether its author
/// deletes what is theirs.
extension RecordID {
    private static let half = Bytes16.byteCount / 2

    /// An id that begins with these 8 bytes and ends with the mark of a person.
    package static func made(
        by person: PersonID, in space: SpaceID, from start: some Collection<UInt8>
    ) -> RecordID {
        let start = Array(start.prefix(half))
        guard let id = RecordID(bytes: start + mark(of: person, in: space, on: start)) else {
            preconditionFailure("an id begins with \(half) bytes, not \(start.count)")
        }
        Invariants.check(id.isMade(by: person, in: space), "\(id) does not show who made it")
        return id
    }

    /// Whether it has a person's mark: the first 8 bytes of SHA-256 over space, person and the id's
    /// first half, label ``Label/recordMark``.
    package func isMade(by person: PersonID, in space: SpaceID) -> Bool {
        let start = bytes.prefix(Self.half)
        return bytes.dropFirst(Self.half).elementsEqual(
            Self.mark(of: person, in: space, on: Array(start)))
    }

    private static func mark(
        of person: PersonID, in space: SpaceID, on start: [UInt8]
    ) -> ArraySlice<UInt8> {
        Label.recordMark.hash(space.bytes + person.bytes + start).bytes.prefix(half)
    }
}
