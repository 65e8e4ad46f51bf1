/// What `why` says.
extension Sentence {
    package enum Why {
        package static var everywhere: String { tr("It is on every device that may have it.") }
        package static var deletedEverywhere: String {
            tr("It is deleted, and every device knows.")
        }
        package static var held: String {
            tr(
                """
                It is deleted, and still shown because other records need it. To keep it: \
                peersync record restore.
                """)
        }
        package static var onlyHere: String {
            tr("It is on this device alone: nobody else may read this space.")
        }
        /// After this device lost the right to read.
        package static var othersUnknown: String {
            tr("It is whole here; what others have of it by now is not known on this device.")
        }
        package static var onlyHereBeforeAnswer: String {
            tr("It is on this device alone: nobody has accepted the space yet.")
        }
        package static var deletedBeforeAnswer: String {
            tr("It is deleted; nobody has accepted the space yet.")
        }
        package static var deletedHere: String {
            tr("It is deleted; nobody else may read this space.")
        }

        /// `lacking` of `others` devices, this one left out, do not have everything.
        package static func verdict(
            lacking: Int, of others: Int, isHere: Bool, isDeleted: Bool
        ) -> String {
            if isDeleted {
                return tr(
                    others, "It is deleted; \(lacking) of \(others) other device may not know yet.",
                    "It is deleted; \(lacking) of \(others) other devices may not know yet.")
            }
            switch (lacking, isHere) {
            case (0, false): return tr("It is not whole on this device.")
            case (_, true):
                return tr(
                    others, "\(lacking) of \(others) other device may not have all of it yet.",
                    "\(lacking) of \(others) other devices may not have all of it yet.")
            case (_, false):
                return tr(
                    others,
                    "Neither this device nor \(lacking) of \(others) other device have all of it.",
                    "Neither this device nor \(lacking) of \(others) other devices have all of it.")
            }
        }

        // MARK: All that waits

        package static var nothingWaits: String {
            tr("Nothing waits, as far as this device knows.")
        }

        /// What one device lacks of a space; `since` in words.
        package static func waits(_ item: WaitingView.Item, since: String?) -> String {
            let space = Sentence.name(item.space.name)
            let lacks = item.lacks == .nothing ? item.elsewhere : item.lacks
            let what = Sentence.waiting(lacks)
            let began = since.map { tr(", since \($0)") } ?? ""
            guard !item.here else { return tr("This device lacks \(what) of \(space)\(began)") }
            let device = "\(plain(item.device.name)) (\(plain(item.person.name)))"
            return tr("\(device) lacks \(what) of \(space)\(began)")
        }

        package static func moreWaits(_ count: Int) -> String {
            tr(count, "and \(count) more change", "and \(count) more changes")
        }

        // MARK: What a device has

        package static var thisDevice: String { tr("this device") }
        package static var complete: String { tr("has it") }
        package static var completeDeleted: String { tr("knows that it is deleted") }
        package static var unknown: String { tr("may have it or not") }
        package static var notAccepted: String { tr("has not said that it took the space") }

        package static func lacks(_ waiting: WaitingCount, isDeleted: Bool) -> String {
            isDeleted
                ? tr("does not know yet that it is deleted")
                : tr("lacks \(Sentence.waiting(waiting))")
        }

        // MARK: Why

        package static var moving: String { tr("it is on its way") }
        package static var soon: String { tr("it is in reach: it comes by itself") }
        package static var noWay: String {
            tr("no address of it is known here, and it never called")
        }
        package static var accepting: String { tr("it may still wait for an answer there") }
        package static var declined: String { tr("its person declined it") }
        package static var noSource: String {
            tr("no device that has the file is connected to this one")
        }
        package static var filesUnsaid: String { tr("it has not said yet which files it has") }
        package static var roleLost: String { tr("this device may not read the space any more") }
        package static var conflict: String {
            tr("two devices wrote to it at once, and nobody has decided")
        }

        /// `ago` as ``Sentence/Status/ago(seconds:)`` says it; nil for never.
        package static func notConnected(seen ago: String?) -> String {
            ago.map { tr("not connected, last seen \($0)") } ?? tr("not connected yet")
        }

        package static func noSource(_ holders: [String]) -> String {
            let names = holders.prefix(3).map { Sentence.plain($0) }.joined(separator: ", ")
            let others = holders.count > 3 ? tr(" and others") : ""
            return tr(
                holders.count,
                "only \(names)\(others) has all of it, and is not connected to this device",
                "only \(names)\(others) have all of it, and are not connected to this device")
        }

        package static func behind(_ changes: Int) -> String {
            let what = Sentence.count(changes, "change", "changes")
            return tr(
                changes, "others wrote \(what) to this space that is not here",
                "others wrote \(what) to this space that are not here")
        }

        package static func schema(_ obstacle: SchemaObstacle) -> String {
            switch obstacle {
            case .newer: tr("its schema is of a newer peersync: it is kept here, and not shown")
            case .unreadable: tr("its schema cannot be read here: it is kept, and not shown")
            case .absent: tr("its schema is not here yet: it is kept, and not shown")
            }
        }

        // MARK: What would help

        package static let decide = "peersync conflicts"
        package static var newer: String { Problem.updateHere.text }

        package static func accept(_ device: String, space: String) -> String {
            tr("On \(plain(device)): peersync space accept \(quoted(space))")
        }

        package static func meet(_ device: String) -> String {
            tr(
                """
                Bring \(plain(device)) into one network with this device, or with any that has it, and \
                run the agent there: \(startAgent)
                """)
        }

        package static func callAgain(_ device: String, _ error: CallError) -> String {
            guard error != .notListening else {
                return tr(
                    """
                    On \(plain(device)): peersync sync on; if no agent runs there: \
                    \(startAgent)
                    """)
            }
            return tr(
                """
                See that \(plain(device)) is on and its agent runs; if so: peersync doctor network
                """)
        }

        package static var meetHolder: String {
            tr("It comes as soon as a device that has it is in reach and runs its agent.")
        }
    }
}

extension CommandHelp {
    package static let why = CommandHelp(
        "Say where a record or file is, and why it is not everywhere.",
        examples: [
            "peersync why Beach", "peersync why IMG_0042.jpg", "peersync why 3f2a9c01",
            "peersync why Milk --space Home", "peersync why --all",
        ],
        remarks: """
            One line for each device that may have it, with the reason and what would help, by what \
            each device said last. Deleted records are found too. With --all it lists everything that \
            waits: for which device, since when and why, and what waits for you.
            """)
}

extension OptionHelp {
    package static var recordOrFile: String {
        tr("Name of a record, memory or file, or the first letters of its id.")
    }
    package static var allThatWaits: String { tr("List all that waits, for whom and since when.") }
    package static var thingOrAll: String { tr("Name one record or file, or say --all.") }
    package static var inSpace: String { tr("Only there: the name of a space; home for your own.") }
}
