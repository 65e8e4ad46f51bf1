extension Sentence {
    /// Words about records that stay on their device until they are finished.
    package enum Unfinished {
        /// `field` finishes them; nil where the schema no longer names one.
        package static func until(_ field: String?) -> String {
            field.map { tr("until \(plain($0)) is set") } ?? tr("until it is changed again")
        }

        /// Nil for a record that is in a log.
        package static func stays(_ record: RecordView) -> String? {
            guard record.status == .unfinished else { return nil }
            return tr("It stays on this device \(until(record.schema?.finishedBy)).")
        }

        /// How many of those that were added, or are listed.
        package static func some(_ count: Int, field: String?) -> String {
            tr(
                count, "\(count) record is unfinished, and only here \(until(field)).",
                "\(count) records are unfinished, and only here \(until(field)).")
        }

        /// `space` is its name.
        package static func onlyHere(_ count: Int, of space: String) -> String {
            let records = Sentence.count(count, "record", "records")
            return tr("Unfinished, so on this device alone: \(records) of \(space).")
        }

        // MARK: Errors

        package static func changedSince(_ name: String) -> APIError {
            APIError(
                code: .conflict,
                sentence:
                    "\(Sentence.name(name)) was changed on this device since you looked at it.",
                hint: "Look at it again, then save.")
        }
    }
}
