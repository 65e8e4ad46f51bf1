extension Sentence {
    /// The words of `trip archive`, `trip import` and the pages of an archive.
    package enum Archive {
        package static func written(_ report: ArchiveReport) -> String {
            tr(
                """
                Archived \(Sentence.name(report.space.name)) to \(plain(report.path)): \
                \(contents(records: report.records, files: report.files)) (\(size(report.bytes))).
                """)
        }

        package static func next(_ report: ArchiveReport) -> String {
            let path = quoted(report.path)
            return report.encrypted
                ? tr("Open it with: age -d -i KEY-FILE \(path) | tar x")
                : tr("Check it at any time: cd \(path) && sha256sum -c --quiet SHA256SUMS")
        }

        package static func imported(_ report: ImportReport) -> String {
            tr(
                """
                Made \(Sentence.name(report.trip.name)) (\(report.trip.shortID)) of the archive: \
                \(contents(records: report.records, files: report.files)). You are its founder.
                """)
        }

        private static func contents(records: Int, files: Int) -> String {
            let what = Sentence.count(records, "record", "records")
            return files == 0 ? what : tr("\(what) and \(Sentence.count(files, "file", "files"))")
        }

        package static let stopped = APIError(
            code: .failed, sentence: "Stopped; nothing was written.")

        // MARK: Pages

        package static func pageAbout(by person: String, on day: String) -> String {
            tr(
                """
                Archived by \(person), \(day). All of it is in this folder and needs no network; \
                SHA256SUMS proves that nothing was changed.
                """)
        }
    }
}
