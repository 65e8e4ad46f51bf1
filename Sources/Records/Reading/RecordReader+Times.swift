internal import Store
internal import SyncCore

/// A collection in the order of time, whole or part by part.
extension RecordReader {
    /// Shown records of a collection whose time, the first field of that type, is in a range of milliseconds since
    /// 1970: the first ones, so many or all that are left, and with the last of them all of its time.
    package func shown(
        in collection: String, at times: Range<Int64>, limit: Int = .max
    ) throws -> [ShownEntry] {
        try IndexedRecords(self, collection).part(IndexSpan(times), limit: limit) {
            try isShown($0, in: collection)
        }.entries
    }

    /// Those of a collection that are shown and have no time in a range of milliseconds since 1970.
    package func shown(in collection: String, notAt times: Range<Int64>) throws -> [ShownEntry] {
        try IndexedRecords(self, collection).outside(IndexSpan(times)) {
            try isShown($0, in: collection)
        }
    }
}

extension IndexSpan {
    fileprivate init(_ times: Range<Int64>) {
        // No record has the first time of all.
        let (after, through) = (max(times.lowerBound, .min + 1), max(times.upperBound, .min + 1))
        self = .times(after: after - 1, through: through - 1)
    }
}
