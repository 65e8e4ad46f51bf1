extension Sentence {
    /// Words about records that stay on their device until they are finished.
    package enum Unfinished {
        /// `field` finishes them; nil where the schema no longer names one.
        package static func until(_ field: String?) -> String {
            field.map { tr("until \(plain($0)) is set") } ?? tr("until it is changed again")
        }

        /// `space` is its name.
        package static func onlyHere(_ count: Int, of space: String) -> String {
            let records = Sentence.count(count, "record", "records")
            return tr("Unfinished, so on this device alone: \(records) of \(space).")
        }
    }
}
