/// The words of `status`, `why`, `trip check` and `doctor` about problems.
extension Sentence {
    package enum Problem {
        /// A problem in words.
        package struct Words: Hashable, Sendable {
            /// A whole sentence that can stand alone.
            package let message: Message
            /// The same for after the device's name, beginning with a small letter.
            fileprivate let inner: Message
            package let advice: Message?

            package init(_ sentence: Message, _ phrase: Message, _ remedy: Message?) {
                (message, inner, advice) = (sentence, phrase, remedy)
            }

            package var sentence: String { message.text }
            package var phrase: String { inner.text }
            package var remedy: String? { advice?.text }
        }

        // MARK: This device

        package static let diskFull = Words(
            "The disk is full: what others send cannot be kept.", "it does not fit on the disk",
            "Make room on this disk; it comes again by itself.")

        /// `folder` is on the full disk; the waiting files need `needed` free bytes, of which `spare`
        /// stay free.
        package static func diskFull(
            folder: String?, free: Int64, needed: Int64, spare: Int64
        ) -> Words {
            Words(
                diskFull.message, diskFull.inner,
                """
                Make room on \(disk(of: folder)): \(size(needed)) must be free, and \(size(free)) \
                are. Files leave \(size(spare)) free, so that there is always room for text. What waits \
                comes again by itself.
                """)
        }

        package static let readOnly = Words(
            "The disk is full: this device only shows what it has. Nothing is saved, sent or received.",
            "nothing can be written here any more",
            "Make room on this disk; then everything works again.")

        /// `folder` is on the full disk, where `needed` bytes must be free.
        package static func readOnly(folder: String?, free: Int64, needed: Int64) -> Words {
            Words(
                readOnly.message, readOnly.inner,
                """
                Make room on \(disk(of: folder)): \(size(needed)) must be free, and \(size(free)) \
                are. Then everything works again.
                """)
        }

        private static func disk(of folder: String?) -> String {
            folder.map { tr("the disk of \(quoted($0))", context: "on") }
                ?? tr("this disk", context: "on")
        }

        /// So many other devices made changes that are at most `seconds` ahead of this clock.
        package static func clockBehind(_ devices: Int, _ seconds: Int) -> Words {
            let time = Status.duration(seconds)
            return Words(
                """
                Changes of \(devices) other devices are dated in the future, the latest by more than \
                \(time): the clock of this computer is probably behind.
                """, "the clock of this computer is probably behind",
                "Look at the date and time here, and set them: sudo timedatectl set-ntp true")
        }

        // MARK: Another device

        /// The latest of them is `seconds` ahead of this clock.
        package static func changesAhead(
            _ changes: Int, of device: String, _ seconds: Int, isRedatable: Bool
        ) -> Words {
            let what = Sentence.count(changes, "change", "changes")
            let command = "peersync device redate \(quoted(device))"
            let (name, time) = (plain(device), Status.duration(seconds))
            return Words(
                tr(
                    changes,
                    """
                    \(what) of \(name) is dated more than \(time) in the future: a clock was wrong, \
                    and where others changed the same at once it wins over theirs.
                    """,
                    """
                    \(what) of \(name) are dated in the future, the latest by more than \(time): a clock \
                    was wrong, and where others changed the same at once they win over theirs.
                    """),
                tr(
                    changes, "\(what) of it is dated more than \(time) in the future",
                    "\(what) of it are dated in the future, the latest by more than \(time)"),
                isRedatable
                    ? "When its clock is right again: \(command)"
                    : """
                    When its clock is right again, on that device or on one of an admin of the \
                    trip: \(command)
                    """)
        }

        // MARK: A trip or space

        package static func goneFiles(_ files: Int, in place: String?) -> Words {
            let what = Sentence.count(files, "file", "files")
            return Words(
                tr(
                    files,
                    "\(what)\(within(place)) is missing here: it was here, and is gone or damaged.",
                    """
                    \(what)\(within(place)) are missing here: they were here, and are gone or \
                    damaged.
                    """), "it was here, and is gone from this disk or damaged",
                tr(
                    files,
                    """
                    It is fetched again as soon as a device that has it is in reach. Is the disk \
                    sound? peersync doctor
                    """,
                    """
                    They are fetched again as soon as devices that have them are in reach. Is the \
                    disk sound? peersync doctor
                    """))
        }

        package static func lostFiles(_ files: Int, in place: String?) -> Words {
            let what = Sentence.count(files, "file", "files")
            return Words(
                tr(
                    files,
                    """
                    \(what)\(within(place)) is lost: every device that may have it says that it \
                    does not.
                    """,
                    """
                    \(what)\(within(place)) are lost: every device that may have them says that it \
                    does not.
                    """), "it is lost: no device has it any more",
                addAgain(files, in: place))
        }

        /// Nobody has them; `ago` says when they were freed.
        package static func freedFiles(_ files: Int, in place: String?, ago: String) -> Words {
            let what = Sentence.count(files, "file", "files")
            return Words(
                tr(
                    files,
                    "\(what)\(within(place)) was freed on this device (\(ago)), and no other device has it.",
                    "\(what)\(within(place)) were freed on this device (\(ago)), and no other device has them."
                ),
                "it was freed on this device, and no other device has it",
                addAgain(files, in: place))
        }

        private static func addAgain(_ files: Int, in place: String?) -> Message {
            tr(
                files,
                """
                Add it again from the camera or a backup: then it comes back everywhere. \
                Which: peersync trip check\(named(place))
                """,
                """
                Add them again from the camera or a backup: then they come back everywhere. \
                Which: peersync trip check\(named(place))
                """)
        }

        package static func givenUpFiles(_ files: Int, in place: String?, next: String?) -> Words {
            let what = Sentence.count(files, "file", "files")
            let again = next.map { tr(" It is tried again \($0).") } ?? ""
            return Words(
                """
                \(what)\(within(place)) could not be fetched in \
                \(Sentence.count(givenUpTries, "try", "tries")).\(again)
                """, "a file failed three times",
                "It is tried again by itself, or now: peersync sync")
        }

        private static let givenUpTries = 3

        package static func noRoom(_ files: Int, in place: String?) -> Words {
            let what = Sentence.count(files, "file", "files")
            return Words(
                tr(
                    files, "\(what)\(within(place)) does not fit on this disk.",
                    "\(what)\(within(place)) do not fit on this disk."),
                diskFull.inner, diskFull.advice)
        }

        package static func conflicts(_ entries: Int, in place: String?) -> Words {
            let what = Sentence.count(entries, "entry", "entries")
            return Words(
                tr(
                    entries,
                    """
                    \(what)\(within(place)) was changed on several devices at once, and every version \
                    is kept.
                    """,
                    """
                    \(what)\(within(place)) were changed on several devices at once, and every version \
                    is kept.
                    """), "several devices wrote to it at once, and nobody has decided",
                "Look and decide: peersync conflicts")
        }

        package static func incomplete(_ entries: Int, in place: String?) -> Words {
            let what = Sentence.count(entries, "entry", "entries")
            return Words(
                tr(
                    entries, "Since the last sync \(what)\(within(place)) is incomplete.",
                    "Since the last sync \(what)\(within(place)) are incomplete."),
                "it is not complete",
                "Which: peersync space check\(named(place ?? "home"))")
        }

        package static func orphans(
            _ changes: Int, _ reason: OrphanView.Reason, in place: String?, recoverable: Bool
        ) -> Words {
            let what = Sentence.count(changes, "change", "changes")
            let why =
                switch reason {
                case .noRight:
                    tr(
                        changes, "the author had no right to it any more",
                        "the author had no right to them any more")
                case .branch: tr("a device was put back to an older state and went on writing")
                case .gap:
                    tr(
                        changes, "a change before it was damaged on this disk",
                        "a change before them was damaged on this disk")
                case .incomplete:
                    tr(
                        changes, "the rest of what was written with it is not here yet",
                        "the rest of what was written with them is not here yet")
                }
            let back =
                recoverable ? tr("bring back: peersync orphans recover\(named(place)); ") : ""
            return Words(
                tr(
                    changes, "\(what)\(within(place)) does not count: \(why).",
                    "\(what)\(within(place)) do not count: \(why)."),
                tr(changes, "\(what) does not count", "\(what) do not count"),
                reason == .incomplete
                    ? tr(
                        """
                        The rest comes when this device syncs with one that has it. Look: peersync \
                        orphans\(named(place))
                        """)
                    : tr(
                        changes,
                        """
                        Look: peersync orphans\(named(place)); \(back)or leave it: peersync orphans \
                        dismiss\(named(place))
                        """,
                        """
                        Look: peersync orphans\(named(place)); \(back)or leave them: peersync orphans \
                        dismiss\(named(place))
                        """))
        }

        /// About a deleted trip or space: by another person, or while somebody wrote in it.
        package static func deleted(_ trip: TripView, ago: String) -> Words? {
            guard let deletion = trip.deletion else { return nil }
            let what = object(trip.name, isTrip: trip.isTrip)
            let who =
                deletion.isMine
                ? tr("You", context: "deleted")
                : tr("\(plain(deletion.by.name))", context: "deleted")
            guard !deletion.unseen.isEmpty else {
                return Words(
                    "\(who) deleted \(what) for everybody, \(ago).",
                    "it is deleted",
                    "Bring it back: \(Trip.restore(trip)); seen: peersync log")
            }
            return Words(
                """
                \(who) deleted \(what), \(ago), and had not seen what others did \
                there: \(Trip.unseenWork(deletion)). Nothing of it is lost.
                """, "it is deleted",
                """
                Bring it back for everybody: \(Trip.restore(trip)), or leave it deleted: peersync \
                conflicts
                """)
        }

        /// Nobody gives a founder what they made: it was lost here and is offered by those who still have it. Nothing
        /// proves that before it is here.
        package static func invitation(
            from person: String?, to place: String, as role: Role?, isTrip: Bool
        ) -> Words {
            let what = object(place, isTrip: isTrip)
            let noun = SpaceNoun(isTrip: isTrip)
            guard person != nil || role != .admin else {
                return Words(
                    "Another device says that you made \(what) yourself, and still has it.",
                    "it waits for your answer",
                    "Bring it back: peersync \(noun) accept \(quoted(place))")
            }
            return Words(
                person.map { tr("\(plain($0)) gives you \(what).") }
                    ?? tr("You are given \(what)."), "it waits for your answer",
                "peersync \(noun) accept \(quoted(place))")
        }

        /// About a person who was given a trip or space and has not accepted it. A declined one is told no new
        /// names there: `shortID` means it all the same.
        package static func answer(
            of person: String, to place: String, shortID: String, isTrip: Bool, isNo: Bool
        ) -> Words {
            let (who, what, noun) = (plain(person), Sentence.name(place), SpaceNoun(isTrip: isTrip))
            let accept = "peersync \(noun) accept \(isNo ? shortID : quoted(place))"
            let revoke = "peersync \(noun) revoke \(quoted(place)) \(quoted(person))"
            return isNo
                ? Words(
                    "\(who) declined your invitation to \(what).", "the invitation was declined",
                    "Take it back: \(revoke); \(who) can still accept it: \(accept)")
                : Words(
                    "\(who) has not answered your invitation to \(what) yet.",
                    "the invitation has no answer yet",
                    "\(who) accepts it with: \(accept); take it back: \(revoke)")
        }

        /// `changes`: further ones that nobody else has.
        package static func unsentLeave(
            of place: String, _ changes: Int, isSyncOn: Bool
        ) -> Words {
            let (what, name) = (Sentence.count(changes, "change", "changes"), Sentence.name(place))
            return Words(
                changes == 0
                    ? "You left \(name), and nobody else knows it yet."
                    : "You left \(name): nobody else knows it yet, and nobody else has \(what) of it.",
                "nobody else knows yet that you left it",
                isSyncOn
                    ? """
                    This device sends it by itself once it connects to a device of a member: \
                    peersync sync
                    """
                    : "This device sends it once sync is on again: peersync sync on")
        }

        package static func request(
            by person: String, _ rights: [Right], in place: String, isTrip: Bool
        ) -> Words {
            let (trip, who, noun) = (quoted(place), quoted(person), SpaceNoun(isTrip: isTrip))
            return Words(
                "\(plain(person)) asks to \(Member.verbs(rights)) in \(Sentence.name(place)).",
                Message(verbatim: Member.asks(rights)),
                """
                Allow it: peersync \(noun) grant \(trip) \(who) --role \
                \(Member.role(with: rights).rawValue); or refuse: peersync \(noun) request \(trip) \
                --refuse \(who)
                """)
        }

        /// Nil for the person's own lists.
        private static func within(_ place: String?) -> String {
            place.map { tr(" in \(Sentence.name($0))") } ?? ""
        }

        private static func named(_ place: String?) -> String {
            place.map { " \(quoted($0))" } ?? ""
        }
    }
}

/// Why a device was not reached.
package enum CallError: String, Codable, Sendable, CaseIterable {
    /// The name has no address.
    case unresolvable
    /// There is no way to it.
    case unreachable
    case noAnswer
    /// The computer is there, and nothing listens.
    case notListening
    /// Another device answers.
    case otherDevice
    /// A device with a key that is not trusted answers.
    case otherKey
    /// It ended the connection before the session.
    case hungUp
    /// Its answer is not that of a peersync.
    case broken
    /// The session began, and ended at once.
    case endedAtOnce

    /// In words that go on after a colon.
    package var words: String {
        switch self {
        case .unresolvable: tr("its name has no address")
        case .unreachable: tr("there is no way to it")
        case .noAnswer: tr("it does not answer where it was before")
        case .notListening: tr("its computer answers, but peersync takes no connections there")
        case .otherDevice: tr("another device answers where it was")
        case .otherKey: tr("a device with another key answers where it was")
        case .hungUp: tr("it hung up before anything was said")
        case .broken: tr("it says what no peersync says")
        case .endedAtOnce: tr("it ends every connection at once")
        }
    }
}

extension Sentence {
    fileprivate static func object(_ name: String, isTrip: Bool) -> String {
        isTrip
            ? tr("the trip \(Sentence.name(name))", context: "object")
            : tr("the space \(Sentence.name(name))", context: "object")
    }
}
