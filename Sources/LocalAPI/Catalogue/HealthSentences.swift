/// Sentences of `peersync doctor`.
extension Sentence {
    package enum Health {
        package typealias Words = Sentence.Doctor.Words

        // MARK: The result

        /// `open` findings remain, `repaired` ones were repaired.
        package static func verdict(open: Int, repaired: Int) -> String {
            let fixed = tr(
                repaired, "\(repaired) thing was put right", "\(repaired) things were put right")
            let left = tr(
                open, "\(open) thing needs your attention", "\(open) things need your attention")
            switch (open, repaired) {
            case (0, 0): return tr("All is sound.")
            case (0, _): return tr("\(fixed), and all is sound now.")
            case (_, 0): return left + "."
            default: return "\(left); \(fixed)."
            }
        }

        package static let byRepair: Message = "peersync doctor --repair"

        /// `Checking files: 1200 of 20000, 40 seconds left`.
        package static func checking(
            _ check: HealthReport.Check, done: Int?, total: Int?, secondsLeft: Int?
        ) -> String {
            let what = tr("Checking \(name(check))")
            guard let done, let total, total > 0 else { return "\(what) …" }
            let left = secondsLeft.map { tr(", \(Status.duration($0)) left") } ?? " …"
            return tr("\(what): \(done) of \(total)\(left)")
        }

        package static func name(_ check: HealthReport.Check) -> String {
            switch check {
            case .permissions: tr("permissions")
            case .disk: tr("the disk")
            case .identity: tr("the key")
            case .store: tr("the store")
            case .database: tr("the database")
            case .log: tr("the log")
            case .shown: tr("what is shown")
            case .search: tr("the search index")
            case .relations: tr("how records hang together")
            case .files: tr("photos and files")
            case .sync: tr("how sync stands")
            case .clock: tr("clocks")
            case .network: tr("the network")
            }
        }

        package static func notChecked(_ check: HealthReport.Check, _ reason: String) -> Words {
            Words("Checking \(name(check)) was not possible: \(reason)")
        }

        // MARK: Permissions and key

        package static func modesWrong(_ number: Int, example: String, mode: String) -> Words {
            let others = number > 1 ? tr(", and \(number - 1) more") : ""
            return Words(
                "The permissions of \(example) (\(mode))\(others) are not right.", byRepair)
        }

        package static let keyOfAnother = Words(
            "The file device.key, in this folder or from the service, belongs to another device.",
            "Copy device.key back from a backup of this device.")

        package static let keyWithService = Words(
            "This device's keys are with the service, and it does not run.",
            "Start it: systemctl --user start peersync")

        // MARK: Disk and store

        package static func littleRoom(_ free: Int64) -> Words {
            Words("Only \(size(free)) are free on the disk.", "Make room.")
        }

        package static func storeStopped(_ sentence: Message, _ hint: Message?) -> Words {
            Words(sentence, hint ?? "Stop the agent and run it again.")
        }

        package static let copied = Words(
            """
            This data folder was written by another computer before. It goes on here in a new log, and \
            nothing is lost.
            """, useOne)

        package static let runsTwice = Words(
            """
            This device writes in two places at a time: its data folder was copied, and both copies are \
            used. For everybody else they are one device, so the two take turns. Nothing is lost.
            """, useOne)

        private static let useOne: Message = tr(
            """
            Use one of the two only. On the other computer move the folder away and make it a device of \
            its own: peersync join --mine
            """)

        /// `device` is nil for this one.
        package static func forked(_ device: String?, orphans: Int) -> Words {
            let who = device.map { plain($0) } ?? tr("This device")
            let rest =
                orphans == 0
                ? tr("All of that was brought back.")
                : tr(
                    orphans,
                    """
                    Which of the two was meant nobody can say, so \(orphans) change of both does not \
                    count.
                    """,
                    """
                    Which of the two was meant nobody can say, so \(orphans) changes of both do not \
                    count.
                    """)
            return Words(
                """
                \(who) wrote twice from one state: its data was put back from an older copy, or copied, \
                without it noticing, after others had heard more. \(rest) It goes on in a new log.
                """,
                orphans == 0 ? nil : "Look: peersync orphans; bring back: peersync orphans recover")
        }

        package static func databaseDamaged(_ number: Int, example: String) -> Words {
            Words(
                "The database is damaged in \(count(number, "place", "places")): \(example).",
                damagedRemedy)
        }

        package static let storeGone = Words(
            "The database of this device is gone, or an empty one is in its place.",
            """
            Copy store.sqlite back from a backup. Without one, set this device up anew in another \
            folder: what your other devices have comes back by itself.
            """)

        private static let damagedRemedy: Message = tr(
            """
            peersync doctor --repair makes the database anew from every change that is whole, and \
            keeps the damaged one; the other changes come again from other devices. The disk may \
            be failing.
            """)

        // MARK: Log

        package static func logSound(commits: Int, logs: Int) -> Words {
            let many = "\(count(commits, "change", "changes"))"
            return Words("\(many) in \(count(logs, "log", "logs")) verified, each signature too.")
        }

        /// Faults in stored changes.
        package enum LogFault: Sendable {
            case unreadable, otherHeader, badSignature, brokenChain, wrongNote, wrongJudgement
            case wrongHead
        }

        package static func logFault(
            _ fault: LogFault, number: Int, device: String
        ) -> Words {
            let many = count(number, "change", "changes")
            let first = tr("first one by \(plain(device))")
            switch fault {
            case .unreadable:
                return Words("\(many) cannot be read, \(first).", damagedRemedy)
            case .otherHeader:
                return Words("\(many) are not what they were, \(first).", damagedRemedy)
            case .badSignature:
                return Words("The signature of \(many) does not hold, \(first).", damagedRemedy)
            case .brokenChain:
                return Words(
                    "\(many) do not follow the one before, \(first).", damagedRemedy)
            case .wrongNote:
                return Words(
                    "What is noted beside \(many) is not what they say, \(first).", damagedRemedy)
            case .wrongHead:
                return Words(
                    "The end of \(count(number, "log", "logs")) is not noted rightly, \(first).",
                    damagedRemedy)
            case .wrongJudgement:
                return Words(
                    "\(many) are shown or hidden against what membership says, \(first).",
                    byRepair)
            }
        }

        // MARK: Shown records

        package static func shownWrong(_ number: Int, space: String) -> Words {
            Words(
                number == 1
                    ? "\(number) record of trip \(space) is not what the log says."
                    : "\(number) records of trip \(space) are not what the log says.", byRepair)
        }

        package static func shownUnknown(_ reason: String) -> Words {
            Words(
                "What is shown could not be compared with the log: \(reason).", damagedRemedy)
        }

        package static var shownRemade: String {
            tr("Everything shown was made anew from the log.")
        }
    }
}

extension APIError {

    package static let doctorNotStarted = APIError(
        code: .notFound, sentence: "Nothing has been checked yet.",
        hint: "Begin with: peersync doctor")
}
