extension Sentence {
    /// What `trip archive`, `trip import` and the pages of an archive say.
    package enum Archive {
        package static func written(_ report: ArchiveReport) -> String {
            """
            Archived \(Sentence.name(report.space.name)) to \(plain(report.path)): \
            \(contents(records: report.records, files: report.files)) (\(size(report.bytes))).
            """
        }

        package static func missing(_ report: ArchiveReport) -> String {
            """
            Not in it: \(Sentence.count(report.missing, "file that is", "files that are")) not on \
            this device.
            """
        }

        package static func closed(_ report: ArchiveReport) -> String {
            """
            Not in it: \(Sentence.count(report.closed.count, "file", "files")) whose key is not on this \
            device: \(Encryption.names(report.closed)).
            """
        }

        package static func next(_ report: ArchiveReport) -> String {
            let path = quoted(report.path)
            return report.encrypted
                ? "Open it with: age -d -i KEY-FILE \(path) | tar x"
                : "Check it at any time: cd \(path) && sha256sum -c --quiet SHA256SUMS"
        }

        package static func imported(_ report: ImportReport) -> String {
            """
            Made \(Sentence.name(report.trip.name)) (\(report.trip.shortID)) of the archive: \
            \(contents(records: report.records, files: report.files)). You are its founder.
            """
        }

        /// That what was encrypted is not any more.
        package static let notEncrypted = """
            The archived one was encrypted, and this one is not: for that, import with --encrypted.
            """

        package static func leftOut(_ report: ImportReport) -> String {
            """
            Left out: \(Sentence.count(report.leftOut, "record whose file is", "records whose files are")) \
            not in the archive.
            """
        }

        private static func contents(records: Int, files: Int) -> String {
            let what = Sentence.count(records, "record", "records")
            return files == 0 ? what : "\(what) and \(Sentence.count(files, "file", "files"))"
        }

        package static let askAgain = "Import it as another one all the same?"
        package static let stopped = APIError(
            code: .failed, sentence: "Stopped; nothing was written.")

        /// The name of a space of which not all is there yet.
        package static func making(_ name: String) -> String { "\(name) (importing)" }

        /// `written by Anna, 2008-10-22 16:28`; where it came from.
        package static func origin(_ origin: OriginView, time: String) -> String {
            [plain(origin.author), time].filter { !$0.isEmpty }.joined(separator: ", ")
        }

        // MARK: Pages

        package static func pageAbout(by person: String, on day: String) -> String {
            """
            Archived by \(person), \(day). All of it is in this folder and needs no network; \
            SHA256SUMS proves that nothing was changed.
            """
        }

        package static let historyTitle = "What happened"
        package static let placesTitle = "Places (GPX)"
        package static let recordsTitle = "Records (JSON)"
        package static let backTitle = "Back"
    }
}
