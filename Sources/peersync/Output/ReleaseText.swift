internal import LocalAPI

/// The texts of `dataset release`, and of `dataset check` about the file that it writes.
enum ReleaseText {
    private static let file = "dataset.released.csv"

    static func done(_ release: DataSetRelease) -> String {
        release.levels.map { level in
            let values =
                level.added == 0
                ? tr("nothing new")
                : Sentence.count(level.added, "new value", "new values")
            return tr(
                """
                \(Sentence.name(release.name)), \(level.level.rawValue): version \(level.version) is released; \
                \(values) in \(release.file), \(level.values) in all
                """)
        }.joined(separator: "\n")
    }

    /// Steps that the maker of a set may have forgotten.
    static func remarks(_ check: DataSetCheck) -> [String] {
        let raised = check.levels.filter { level in
            level.released.map { !$0.isEmpty && !$0.contains(level.version) } ?? false
        }
        return check.levels.flatMap { level in
            remarks(level.level, level.version, level.released)
        } + (raised.count > 1 ? [both(raised.map(\.level.rawValue))] : [])
    }

    private static func both(_ levels: [String]) -> String {
        tr(
            """
            Several numbers are raised at once: \(levels.joined(separator: ", ")). Each space gets all of it \
            together.
            """)
    }

    static func remarks(_ release: DataSetRelease) -> [String] {
        release.levels.flatMap { remarks($0.level, $0.version, $0.released) }
    }

    private static func remarks(
        _ level: DataSetLevel, _ version: Int, _ released: [Int]?
    ) -> [String] {
        guard let released else { return [] }
        let now =
            released.contains(version)
            ? nil
            : tr(
                """
                Version \(version) of \(level.rawValue) is not released. Before you give it away: \
                peersync dataset release FOLDER
                """)
        // Whether it was ever given away cannot be known here.
        let before =
            version == 1 || released.contains(version - 1)
            ? nil
            : tr(
                """
                \(file) has nothing of version \(version - 1) of \(level.rawValue). If that was given away: \
                peersync dataset release FOLDER --earlier FOLDER-OF-THAT-VERSION
                """)
        return [now, before].compactMap(\.self)
    }
}
