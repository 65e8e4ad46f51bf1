extension Sentence {
    /// What `backup` and `restore` say.
    package enum Backup {
        package static func made(_ report: BackupReport) -> String {
            let new = report.files == 0 ? "" : tr(", \(report.newFiles) of them new")
            return tr(
                """
                Backed up to \(plain(report.path)): \(contents(report.trips, report.files))\(new) \
                (\(size(report.bytes))). What is new was read back.
                """)
        }

        /// What one should know of it besides.
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

        package static let stopped = APIError(
            code: .failed,
            sentence: "Stopped; there is no new backup.",
            hint: "What was copied stays: the next 'peersync backup' goes on from there.")

        package static var unreadable: String { tr("cannot be read") }
        package static var withoutKeys: String { tr("without keys") }
        package static var none: String { tr("There is no backup in it.") }

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

        package static func mend(_ path: String) -> String {
            tr(
                """
                To write again what this device still has: peersync backup --full \(quoted(path)). The disk may \
                be failing: use another one as well.
                """)
        }

        package static func restored(_ report: RestoreReport, made: String) -> String {
            let device = report.backup.holds.map { "\(plain($0.device)) (\(plain($0.person)))" }
            let what = report.backup.holds.map { contents($0.trips.count, $0.files) }
            return tr(
                """
                Restored \(device ?? tr("this device")) as it was \(made): \(what ?? "") in \(plain(report.home)).
                """)
        }

        package static func restoredLost(_ report: RestoreReport) -> String {
            tr(
                report.damaged,
                """
                \(report.damaged) file was damaged in the backup, and comes again from devices that have it.
                """,
                """
                \(report.damaged) files were damaged in the backup, and come again from devices that have them.
                """)
        }

        package static var restoredNext: String {
            tr(
                """
                What was written after that comes again from your other devices and those of others. Start it: \
                peersync run. Two computers must not be the same device: if the old one still works, do not use \
                it any more.
                """)
        }

        /// What the folder is, for people who find it.
        package static var about: String {
            tr(
                """
                This folder was made by peersync, and holds backups of a travel journal.

                A backup is a folder below "backups", with the database, the device's card and, unless it was
                made without, its key. Photos and other large files are below "files", each once for all backups,
                with the name that the database has for it.

                Check everything:     peersync backup verify FOLDER
                              or:     cd backups/NAME && sha256sum -c --quiet SHA256SUMS
                Restore a device:     peersync restore FOLDER

                Who has the key can read everything and act as its owner. Keep this folder where nobody else
                gets it. Change nothing in it.
                """)
        }
    }
}

extension CommandHelp {
    package static let backup = CommandHelp(
        "Back up everything on this device.",
        examples: [
            "peersync backup /media/usb", "peersync backup", "peersync backup --keep 7d,4w,12m",
            "peersync backup verify", "peersync backup list /media/usb",
        ],
        remarks: """
            It works while the agent runs. Each photo is copied once, however many backups have it; \
            everything that is written is read back and compared. If it is interrupted, the next one goes on \
            from there. Without a folder it uses that of the last one. The keys of this device are part of it: \
            with them 'peersync restore' makes this device again, for example when its disk broke. With --keep, the \
            latest backup of each of so many days (d), weeks (w), months (m) and years (y) stays, and all \
            others of this device are removed.
            """)
    package static let backupMake = CommandHelp(
        "Make a backup; what 'peersync backup' alone does.",
        examples: ["peersync backup make /media/usb", "peersync backup /media/usb --without-keys"])
    package static let backupVerify = CommandHelp(
        "Read all backups in a folder, and say what is not as it was written.",
        examples: ["peersync backup verify", "peersync backup verify /media/usb"],
        remarks: "The exit code is 1 if something is missing or damaged.")
    package static let backupList = CommandHelp(
        "List the backups in a folder.",
        examples: ["peersync backup list", "peersync backup list /media/usb"])
    package static let restore = CommandHelp(
        "Make a device again from a backup.",
        examples: [
            "peersync restore /media/usb",
            "peersync restore /media/usb --backup 2026-11-26T09-41-12Z",
        ],
        remarks: """
            On a computer without peersync data, or with --home in a new folder. Everything is compared with \
            its hash on the way. What came after the backup comes again from other devices once they are \
            connected; nothing is lost or doubled by it, as the restored device goes on in a log of its own.
            """)
}

/// Why nothing was backed up or restored.
extension Sentence.Backup {
    package static let needsFolder = APIError(
        code: .badInput, sentence: "Nothing was backed up from here yet.",
        hint: "Name a folder, best on another disk: peersync backup /media/usb")

    package static func inHome(_ path: String) -> APIError {
        APIError(
            code: .badInput,
            sentence: "\(Sentence.plain(path)) is in the folder that is to be backed up.",
            hint: "Name a folder elsewhere, best on another disk.")
    }

    package static func badRetention(_ text: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(Sentence.name(text)) does not say which backups to keep.",
            hint: "For example 7d,4w,12m: the latest of each of 7 days, 4 weeks and 12 months.")
    }

    package static func noSuchFolder(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "There is no folder \(Sentence.plain(path)).",
            hint: "Is the disk there? Check the name; names with spaces need quotes.")
    }

    package static func notABackup(_ path: String) -> APIError {
        APIError(
            code: .badInput,
            sentence: "There are no backups of peersync in \(Sentence.plain(path)).",
            hint: "Give the folder that 'peersync backup' was given.")
    }

    package static func newer(_ path: String) -> APIError {
        APIError(
            code: .badInput,
            sentence: "The backups in \(Sentence.plain(path)) were written by a newer peersync.",
            hint: "Install the newer version.")
    }

    package static func busy(_ path: String) -> APIError {
        APIError(
            code: .busy,
            sentence: "Another program is writing a backup to \(Sentence.plain(path)).",
            hint: "Try again when it is done.")
    }

    package static func notOne(_ path: String) -> APIError {
        APIError(
            code: .badInput, sentence: "Which backup in \(Sentence.plain(path)) is meant?",
            hint: "See them with 'peersync backup list', and name one: --backup NAME")
    }

    package static func damaged(_ file: String, in path: String) -> APIError {
        APIError(
            code: .failed,
            sentence: "This backup in \(Sentence.plain(path)) is damaged: \(Sentence.plain(file)).",
            hint: "Nothing was changed. Use an older one: peersync backup list, then --backup NAME")
    }

    package static let noKeys = APIError(
        code: .badInput, sentence: "This backup was made without the keys of its device.",
        hint: "Give the file device.key that you copied to another place: --key-file FILE")

    package static let keyOfAnother = APIError(
        code: .badInput, sentence: "This is not the key of the device in the backup.",
        hint: "Nothing was changed. Give the device.key of that device: --key-file FILE")

    package static func notEmpty(_ path: String) -> APIError {
        APIError(
            code: .conflict, sentence: "There is something in \(Sentence.plain(path)) already.",
            hint: """
                Nothing was changed. Move it away first, or restore to another folder: peersync restore FOLDER \
                --home NEW-FOLDER
                """)
    }

    package static func noRoom(_ path: String, needed: Int64, free: Int64) -> APIError {
        APIError(
            code: .failed,
            sentence: """
                There is not enough room in \(Sentence.plain(path)): \(Sentence.size(needed)) are needed, \
                \(Sentence.size(free)) are free.
                """,
            hint: "Nothing was written. Make room on that disk, or use another one.")
    }

    package static func diskFull(_ path: String) -> APIError {
        APIError(
            code: .failed, sentence: "The disk of \(Sentence.plain(path)) is full.",
            hint: "Make room there, or use another disk, and do it again.")
    }

    package static func notWritable(_ path: String) -> APIError {
        APIError(
            code: .failed, sentence: "\(Sentence.plain(path)) may not be written or read.",
            hint: "Check its permissions, and whether the disk can be written to.")
    }
}
