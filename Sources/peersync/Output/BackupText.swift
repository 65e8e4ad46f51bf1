internal import LocalAPI

/// The texts of `backup` and `restore`.
enum BackupText {
    static func made(_ report: BackupReport) -> String {
        let what = contents(report.trips, report.spaces ?? 0, report.files)
        let new = report.files == 0 ? "" : tr(", \(report.newFiles) of them new")
        return tr(
            """
            Backed up to \(Sentence.plain(report.path)): \(what)\(new) \
            (\(Sentence.size(report.bytes))). What is new was read back.
            """)
    }

    /// Remarks on a backup.
    static func remarks(_ report: BackupReport) -> [String] {
        var lines: [String] = []
        if report.newFolder {
            lines.append(
                tr("The folder \(Sentence.plain(report.path)) was not there, and was made for it."))
        }
        if let home = report.unnoted {
            lines.append(
                tr(
                    """
                    The disk of \(Sentence.plain(home)) is full: this backup is whole, but status cannot show \
                    it. Make room there.
                    """))
        }
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
        if report.removed > 0 || report.unreadable != nil { lines.append(removed(report)) }
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

    private static func removed(_ report: BackupReport) -> String {
        let count = Sentence.count(report.removed, "earlier backup", "earlier backups")
        guard let unreadable = report.unreadable else {
            return tr("Removed \(count) (\(Sentence.size(report.freed)) freed).")
        }
        guard report.removed > 0 else {
            return tr(
                """
                No earlier backup was removed: the backup \(Sentence.plain(unreadable)) cannot be read. Check it: \
                peersync backup verify \(Sentence.quoted(report.path))
                """)
        }
        return tr(
            """
            Removed \(count), but none of the files in them: it cannot be read what the backup \
            \(Sentence.plain(unreadable)) needs. Check it: peersync backup verify \(Sentence.quoted(report.path))
            """)
    }

    /// `2 trips, 1 space, 3 files`; `spaces` follow other schemas.
    private static func contents(_ trips: Int, _ spaces: Int, _ files: Int) -> String {
        var parts: [String] = []
        if trips > 0 || spaces == 0 { parts.append(Sentence.count(trips, "trip", "trips")) }
        if spaces > 0 { parts.append(Sentence.count(spaces, "space", "spaces")) }
        if files > 0 { parts.append(Sentence.count(files, "file", "files")) }
        return parts.joined(separator: ", ")
    }

    private static func contents(_ entry: BackupEntry.Contents) -> String {
        contents(entry.trips.count, entry.spaces.count, entry.files)
    }

    /// `3 days ago, in /media/usb`.
    static func last(_ backup: LastBackup, ago: String) -> String {
        let keys = backup.keys ? "" : tr(", without keys")
        return tr("\(ago), in \(Sentence.plain(backup.path))\(keys)")
    }

    static func holds(_ entry: BackupEntry.Contents) -> String {
        "\(contents(entry)), \(Sentence.size(entry.bytes))"
    }

    static func verified(_ view: BackupVerification) -> String {
        let what =
            tr(
                """
                \(Sentence.count(view.backups, "backup", "backups")) in \(Sentence.plain(view.path)): \
                \(Sentence.count(view.files, "file", "files")) read (\(Sentence.size(view.bytes)))
                """)
        guard !view.faults.isEmpty else {
            return tr("\(what). Everything is as it was written.")
        }
        let lines = view.faults.prefix(20).map { fault in
            tr(
                """
                ! \(Sentence.plain(fault.file)) \(flaw(fault)); \
                \(Sentence.count(fault.backups.count, "backup needs", "backups need")) it
                """)
        }
        let more = view.faults.count > 20 ? [tr("… and \(view.faults.count - 20) more")] : []
        return (["\(what)."] + lines + more).joined(separator: "\n")
    }

    private static func flaw(_ fault: BackupVerification.Fault) -> String {
        if let reason = fault.unreadable { return tr("cannot be read: \(reason)") }
        return fault.missing ? tr("is missing") : tr("is damaged")
    }

    /// The files that were left out, by the reason.
    static func lacking(_ report: RestoreReport) -> [String] {
        var lines: [String] = []
        if report.damaged > 0 {
            lines.append(
                tr(
                    report.damaged,
                    """
                    \(report.damaged) file was damaged in the backup, and comes again from devices \
                    that have it.
                    """,
                    """
                    \(report.damaged) files were damaged in the backup, and come again from \
                    devices that have them.
                    """))
        }
        if report.missing > 0 {
            lines.append(
                tr(
                    report.missing,
                    """
                    \(report.missing) file is missing from the backup, and comes again from devices \
                    that have it.
                    """,
                    """
                    \(report.missing) files are missing from the backup, and come again from \
                    devices that have them.
                    """))
        }
        if let files = report.unreadable {
            lines.append(
                tr(
                    files.count,
                    """
                    \(files.count) file of the backup could not be read, and so was left out: \
                    \(Sentence.plain(files.file)): \(files.reason). It may be whole: once it can be read, \
                    restore again to another folder.
                    """,
                    """
                    \(files.count) files of the backup could not be read, and so were left out, such as \
                    \(Sentence.plain(files.file)): \(files.reason). They may be whole: once they can be read, \
                    restore again to another folder.
                    """))
        }
        return lines
    }

    static func restored(_ report: RestoreReport, made: String) -> String {
        let device = report.backup.holds.map {
            "\(Sentence.plain($0.device)) (\(Sentence.plain($0.person)))"
        }
        let what = report.backup.holds.map { contents($0) }
        return tr(
            """
            Restored \(device ?? tr("this device")) as it was \(made): \(what ?? "") in \(Sentence.plain(report.home)).
            """)
    }
}
