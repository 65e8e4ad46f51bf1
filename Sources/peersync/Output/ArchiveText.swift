internal import LocalAPI

/// The texts of archiving and importing a trip or space.
enum ArchiveText {
    static func written(_ report: ArchiveReport) -> String {
        tr(
            """
            Archived \(Sentence.name(report.space.name)) to \(Sentence.plain(report.path)): \
            \(contents(records: report.records, files: report.files)) (\(Sentence.size(report.bytes))).
            """)
    }

    static func next(_ report: ArchiveReport) -> String {
        let path = Sentence.quoted(report.path)
        return report.encrypted
            ? tr("Open it with: age -d -i KEY-FILE \(path) | tar x")
            : tr("Check it at any time: cd \(path) && sha256sum -c --quiet SHA256SUMS")
    }

    static func imported(_ report: ImportReport) -> String {
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

    static let stopped = APIError(
        code: .failed, sentence: "Stopped; nothing was written.")
}
