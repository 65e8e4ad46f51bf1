extension Sentence {
    /// What `trip archive`, `trip import` and the pages of an archive say.
    package enum Archive {
        package static func written(_ report: ArchiveReport) -> String {
            tr(
                """
                Archived \(Sentence.name(report.space.name)) to \(plain(report.path)): \
                \(contents(records: report.records, files: report.files)) (\(size(report.bytes))).
                """)
        }

        package static func missing(_ report: ArchiveReport) -> String {
            tr(
                report.missing, "Not in it: \(report.missing) file that is not on this device.",
                "Not in it: \(report.missing) files that are not on this device.")
        }

        package static func closed(_ report: ArchiveReport) -> String {
            tr(
                """
                Not in it: \(Sentence.count(report.closed.count, "file", "files")) whose key is not on this \
                device: \(Encryption.names(report.closed)).
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

        /// That what was encrypted is not any more.
        package static var notEncrypted: String {
            tr(
                """
                The archived one was encrypted, and this one is not: for that, import with --encrypted.
                """)
        }

        package static func leftOut(_ report: ImportReport) -> String {
            tr(
                report.leftOut,
                "Left out: \(report.leftOut) record whose file is not in the archive.",
                "Left out: \(report.leftOut) records whose files are not in the archive.")
        }

        private static func contents(records: Int, files: Int) -> String {
            let what = Sentence.count(records, "record", "records")
            return files == 0 ? what : tr("\(what) and \(Sentence.count(files, "file", "files"))")
        }

        package static var askAgain: String { tr("Import it as another one all the same?") }
        package static let stopped = APIError(
            code: .failed, sentence: "Stopped; nothing was written.")

        /// The name of a space of which not all is there yet.
        package static func making(_ name: String) -> String { tr("\(name) (importing)") }

        /// `written by Anna, 2008-10-22 16:28`; where it came from.
        package static func origin(_ origin: OriginView, time: String) -> String {
            [plain(origin.author), time].filter { !$0.isEmpty }.joined(separator: ", ")
        }

        // MARK: Pages

        package static func pageAbout(by person: String, on day: String) -> String {
            tr(
                """
                Archived by \(person), \(day). All of it is in this folder and needs no network; \
                SHA256SUMS proves that nothing was changed.
                """)
        }

        package static var historyTitle: String { tr("What happened") }
        package static var placesTitle: String { tr("Places (GPX)") }
        package static var recordsTitle: String { tr("Records (JSON)") }
        package static var backTitle: String { tr("Back") }
    }
}
