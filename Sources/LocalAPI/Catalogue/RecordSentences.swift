extension Sentence {
    /// The words and questions of `space`, `schema` and `record`.
    package enum Record {
        package static func added(_ record: RecordView) -> String {
            let added =
                tr(
                    "Added \(title(record)) to \(record.collection) of \(Sentence.name(record.space.name))."
                )
            return [added, Unfinished.stays(record)].compactMap(\.self).joined(separator: " ")
        }

        /// `field` finishes records of the collection.
        package static func added(_ report: RecordBatchReport, field: String? = nil) -> String {
            let records = Sentence.count(report.ids.count, "record", "records")
            let space = Sentence.name(report.space.name)
            let commits =
                report.commits > 1
                ? tr(
                    " Other devices get them in \(report.commits) parts, each whole or not at all.")
                : ""
            let rest = report.unfinished.map { " " + Unfinished.some($0, field: field) } ?? ""
            return tr("Added \(records) to \(report.collection) of \(space).\(commits)\(rest)")
        }

        /// `fields` and `sets` are the changed ones.
        package static func changed(
            _ record: RecordView, fields: Set<String>, sets: Set<String> = []
        ) -> String {
            let overruled = record.overruled.filter {
                fields.contains($0.field) || sets.contains($0.field)
            }
            let isAll =
                sets.isEmpty && !fields.isEmpty && fields.isSubset(of: overruled.map(\.field))
            let changed = [tr("Changed \(title(record))."), Unfinished.stays(record)]
            let first = isAll ? [] : [changed.compactMap(\.self).joined(separator: " ")]
            let rest = overruled.map { value in
                tr(
                    """
                    \(value.field) of \(title(record)) stays what \(plain(value.by.name)) wrote, with \
                    authority; yours is kept.
                    """)
            }
            return (first + rest).joined(separator: "\n")
        }

        package static func deleted(_ record: RecordView) -> String {
            record.status == .unfinished
                ? tr("Deleted \(Record.title(record)), which was only on this device.")
                : tr("Deleted \(title(record)) for everybody.")
        }

        package static func askDelete(_ record: RecordView) -> String {
            record.status == .unfinished
                ? tr(
                    """
                    \(Record.title(record)) of \(record.collection) is unfinished and only on this \
                    device, so nothing can bring it back. Delete it?
                    """)
                : tr(
                    "This deletes \(title(record)) from \(record.collection) for everybody. Delete it?"
                )
        }

        /// The record's name with the beginning of its id.
        package static func title(_ record: RecordView) -> String {
            record.name.isEmpty
                ? record.shortID : "\(Sentence.name(record.name)) (\(record.shortID))"
        }

        package static func schema(_ space: TripView) -> String {
            space.schema.map { plain($0) } ?? tr("a schema that is not here yet")
        }

        package static func standing(_ standing: RecordView.Standing) -> String {
            switch standing {
            case .shown: ""
            case .held: tr("deleted, and still shown because other records need it")
            case .hidden: tr("hidden, because what it belongs to is deleted")
            case .deleted: tr("deleted", context: "record")
            }
        }

        package static func conflicts(_ fields: [String]) -> String {
            tr(
                """
                Changed on two devices at once: \(fields.joined(separator: ", ")). Every value is kept.
                """)
        }

        package static var none: String { tr("No record found.") }
        package static var yes: String { tr("yes") }
        package static var no: String { tr("no") }
    }
}
