package import LocalAPI

/// The answers and questions of `record`.
package enum RecordText {
    static func added(_ record: RecordView) -> String {
        let added =
            tr(
                "Added \(title(record)) to \(record.collection) of \(Sentence.name(record.space.name))."
            )
        return [added, stays(record)].compactMap(\.self).joined(separator: " ")
    }

    /// `field` finishes records of the collection.
    static func added(_ report: RecordBatchReport, field: String? = nil) -> String {
        let records = Sentence.count(report.ids.count, "record", "records")
        let space = Sentence.name(report.space.name)
        let commits =
            report.commits > 1
            ? tr(
                " Other devices get them in \(report.commits) parts, each whole or not at all.")
            : ""
        let rest = report.unfinished.map { " " + some($0, field: field) } ?? ""
        return tr("Added \(records) to \(report.collection) of \(space).\(commits)\(rest)")
    }

    /// `fields` and `sets` are the changed ones.
    static func changed(
        _ record: RecordView, fields: Set<String>, sets: Set<String> = []
    ) -> String {
        let overruled = record.overruled.filter {
            fields.contains($0.field) || sets.contains($0.field)
        }
        let isAll =
            sets.isEmpty && !fields.isEmpty && fields.isSubset(of: overruled.map(\.field))
        let changed = [tr("Changed \(title(record))."), stays(record)]
        let first = isAll ? [] : [changed.compactMap(\.self).joined(separator: " ")]
        let rest = overruled.map { value in
            tr(
                """
                \(value.field) of \(title(record)) stays what \(Sentence.plain(value.by.name)) wrote, with \
                authority; yours is kept.
                """)
        }
        return (first + rest).joined(separator: "\n")
    }

    package static func deleted(_ record: RecordView) -> String {
        record.status == .unfinished
            ? tr("Deleted \(title(record)), which was only on this device.")
            : tr("Deleted \(title(record)) for everybody.")
    }

    static func askDelete(_ record: RecordView) -> String {
        record.status == .unfinished
            ? tr(
                """
                \(title(record)) of \(record.collection) is unfinished and only on this \
                device, so nothing can bring it back. Delete it?
                """)
            : tr(
                "This deletes \(title(record)) from \(record.collection) for everybody. Delete it?"
            )
    }

    /// The record's name with the beginning of its id.
    static func title(_ record: RecordView) -> String {
        record.name.isEmpty
            ? record.shortID : "\(Sentence.name(record.name)) (\(record.shortID))"
    }

    /// Nil for a record that is in a log.
    static func stays(_ record: RecordView) -> String? {
        guard record.status == .unfinished else { return nil }
        return tr(
            "It stays on this device \(Sentence.Unfinished.until(record.schema?.finishedBy)).")
    }

    /// How many of those that were added, or are listed.
    static func some(_ count: Int, field: String?) -> String {
        tr(
            count,
            "\(count) record is unfinished, and only here \(Sentence.Unfinished.until(field)).",
            "\(count) records are unfinished, and only here \(Sentence.Unfinished.until(field)).")
    }
}
