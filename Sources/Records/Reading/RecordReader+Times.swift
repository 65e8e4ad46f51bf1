internal import Store
internal import SyncCore

/// A collection part by part, in the order of time.
extension RecordReader {
    /// The first ones of ``shown(in:at:)``: so many or all that are left, and with the last of them all of its
    /// time.
    package func shown(
        in collection: String, at times: Range<Int64>, limit: Int
    ) throws -> [ShownEntry] {
        var found: [ShownEntry] = []
        var rest = times
        while found.count < limit, !rest.isEmpty {
            let end =
                try replica.store.records.end(
                    of: space, in: collection, at: rest, count: limit - found.count)
                ?? rest.upperBound
            found += try shown(in: collection, at: rest.lowerBound..<end)
            rest = end..<times.upperBound
        }
        return found
    }

    /// Those of a collection that are shown and have no time in a range of milliseconds since 1970.
    package func shown(in collection: String, notAt times: Range<Int64>) throws -> [ShownEntry] {
        try shown(
            of: entries(
                try replica.store.records.list(of: space, in: collection, notAt: times),
                in: collection),
            in: collection)
    }
}
