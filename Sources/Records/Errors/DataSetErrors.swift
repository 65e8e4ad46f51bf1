internal import LocalAPI

/// Mistakes in data sets, and why one is not applied, that several places say.
enum DataSetErrors {
    static var noVersion: String { tr("`version` is a whole number from 1") }

    static func cells(_ count: Int, of columns: Int) -> String {
        tr(
            "it has \(Sentence.count(count, "value", "values")) for \(Sentence.count(columns, "column", "columns"))"
        )
    }

    /// For a set of which a newer program wrote what was applied; `set` is its name.
    static func newer(_ set: String) -> APIError {
        APIError(
            code: .conflict,
            sentence: """
                A newer peersync applied \(Sentence.name(ShownText.line(set))) to this space, in a way \
                that this version does not know.
                """,
            hint: """
                Nothing was changed. Update peersync on this device. If there is no newer one, undo it on the device \
                that applied it: peersync undo
                """)
    }

    static let tooLarge = APIError(
        code: .tooLarge,
        sentence: """
            The data set is too large: at most \(LocalLimits.dataSetRows) rows, and for each level what \
            fits in one change.
            """,
        hint: "Nothing was changed. Split it into several sets.")

    static let releasedTooLarge = APIError(
        code: .tooLarge,
        sentence:
            "\(ReleasedFile.name) is larger than \(LocalLimits.dataSetReleasedBytes >> 20) MiB.",
        hint: "Nothing was changed. Without the lines of its first versions it is smaller.")
}
