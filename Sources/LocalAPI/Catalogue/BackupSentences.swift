extension Sentence {
    /// The words of `backup` and `restore`.
    package enum Backup {
        package static func made(_ report: BackupReport) -> String {
            let new = report.files == 0 ? "" : tr(", \(report.newFiles) of them new")
            return tr(
                """
                Backed up to \(plain(report.path)): \(contents(report.trips, report.files))\(new) \
                (\(size(report.bytes))). What is new was read back.
                """)
        }

        /// Remarks on a backup.
        package static func remarks(_ report: BackupReport) -> [String] {
            var lines: [String] = []
            if report.damaged > 0 {
                lines.append(
                    tr(
                        report.damaged,
                        """
                        Not in it: \(report.damaged) file that is not whole on this device. Other devices may have \
                        it: peersync status
                        """,
                        """
                        Not in it: \(report.damaged) files that are not whole on this device. Other devices may have \
                        them: peersync status
                        """))
            }
            if report.removed > 0 {
                lines.append(
                    tr(
                        """
                        Removed \(Sentence.count(report.removed, "earlier backup", "earlier backups")) \
                        (\(size(report.freed)) freed).
                        """))
            }
            if report.sameDisk {
                lines.append(
                    tr(
                        """
                        It lies on the same disk as your data: should that disk break, both are gone. Back up to \
                        another one as well.
                        """))
            }
            lines.append(
                report.keys
                    ? tr(
                        """
                        The keys of this device are in it: who has the backup can read everything, and act as you. \
                        Keep it where nobody else gets it.
                        """)
                    : tr(
                        """
                        The keys of this device are not in it. To restore it, you need the file device.key: copy it \
                        to another place.
                        """))
            return lines
        }

        private static func contents(_ trips: Int, _ files: Int) -> String {
            let what = Sentence.count(trips, "trip", "trips")
            return files == 0 ? what : "\(what), \(Sentence.count(files, "file", "files"))"
        }

        /// `3 days ago, in /media/usb`.
        package static func last(_ backup: LastBackup, ago: String) -> String {
            let keys = backup.keys ? "" : tr(", without keys")
            return tr("\(ago), in \(plain(backup.path))\(keys)")
        }

        package static func holds(_ entry: BackupEntry.Contents) -> String {
            "\(contents(entry.trips.count, entry.files)), \(size(entry.bytes))"
        }

        package static func verified(_ view: BackupVerification) -> String {
            let what =
                tr(
                    """
                    \(Sentence.count(view.backups, "backup", "backups")) in \(plain(view.path)): \
                    \(Sentence.count(view.files, "file", "files")) read (\(size(view.bytes)))
                    """)
            guard !view.faults.isEmpty else {
                return tr("\(what). Everything is as it was written.")
            }
            let lines = view.faults.prefix(20).map { fault in
                tr(
                    """
                    ! \(plain(fault.file)) \(fault.missing ? tr("is missing") : tr("is damaged")); \
                    \(Sentence.count(fault.backups.count, "backup needs", "backups need")) it
                    """)
            }
            let more = view.faults.count > 20 ? [tr("… and \(view.faults.count - 20) more")] : []
            return (["\(what)."] + lines + more).joined(separator: "\n")
        }

        package static func restored(_ report: RestoreReport, made: String) -> String {
            let device = report.backup.holds.map { "\(plain($0.device)) (\(plain($0.person)))" }
            let what = report.backup.holds.map { contents($0.trips.count, $0.files) }
            return tr(
                """
                Restored \(device ?? tr("this device")) as it was \(made): \(what ?? "") in \(plain(report.home)).
                """)
        }
    }
}

/// Why nothing was backed up or restored.
extension Sentence.Backup {
    package static let needsFolder = APIError(
        code: .badInput, sentence: "Nothing was backed up from here yet.",
        hint: "Name a folder, best on another disk: peersync backup /media/usb")

    package static func badRetention(_ text: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(Sentence.name(text)) does not say which backups to keep.",
            hint: "For example 7d,4w,12m: the latest of each of 7 days, 4 weeks and 12 months.")
    }

    package static func damaged(_ file: String, in path: String) -> APIError {
        APIError(
            code: .failed,
            sentence: "This backup in \(Sentence.plain(path)) is damaged: \(Sentence.plain(file)).",
            hint: "Nothing was changed. Use an older one: peersync backup list, then --backup NAME")
    }

    package static func notEmpty(_ path: String) -> APIError {
        APIError(
            code: .conflict, sentence: "There is something in \(Sentence.plain(path)) already.",
            hint: """
                Nothing was changed. Move it away first, or restore to another folder: peersync restore FOLDER \
                --home NEW-FOLDER
                """)
    }

    package static func diskFull(_ path: String) -> APIError {
        APIError(
            code: .failed, sentence: "The disk of \(Sentence.plain(path)) is full.",
            hint: "Make room there, or use another disk, and do it again.")
    }
}
