/// What several modules say of data sets.
extension Sentence {
    package enum DataSet {
        /// `path` is the folder where several may be meant.
        package static func hasMistakes(
            _ check: DataSetCheck, at path: String? = nil
        ) -> APIError {
            let first = check.mistakes.first.map { mistake in
                let line = mistake.line.map { ":\($0)" } ?? ""
                // Some reasons are whole sentences.
                let reason =
                    mistake.reason.hasSuffix(".") ? mistake.reason.dropLast() : mistake.reason[...]
                return "\(mistake.file)\(line): \(reason)"
            }
            let folder = path.map { quoted($0) } ?? tr("FOLDER")
            return APIError(
                code: .badInput,
                sentence: "The data set has a mistake: \(plain(first ?? "")).",
                hint: "Nothing was changed. See all of them: peersync dataset check \(folder)")
        }

        package static func seeReset(_ path: String, of space: String) -> Message {
            let (path, space) = (quoted(path), quoted(space))
            let command = "peersync dataset reset \(path) --space \(space) --for-everybody"
            return tr("See what would go and stay: \(command) --dry-run")
        }
    }
}
