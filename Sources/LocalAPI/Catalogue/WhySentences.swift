/// What `why` says.
extension Sentence {
    package enum Why {
        package static let everywhere = "It is on every device that may have it."
        package static let deletedEverywhere = "It is deleted, and every device knows."
        package static let onlyHere = "It is on this device alone: nobody else may read this space."
        package static let deletedHere = "It is deleted; nobody else may read this space."

        /// `lacking` of `others` devices, this one left out, do not have everything.
        package static func verdict(
            lacking: Int, of others: Int, isHere: Bool, isDeleted: Bool
        ) -> String {
            let devices = Sentence.count(others, "other device", "other devices")
            if isDeleted { return "It is deleted; \(lacking) of \(devices) may not know yet." }
            switch (lacking, isHere) {
            case (0, false): return "It is not whole on this device."
            case (_, true): return "\(lacking) of \(devices) may not have all of it yet."
            case (_, false):
                return "Neither this device nor \(lacking) of \(devices) have all of it."
            }
        }

        // MARK: What a device has

        package static let thisDevice = "this device"
        package static let complete = "has it"
        package static let completeDeleted = "knows that it is deleted"
        package static let unknown = "may have it or not"
        package static let notAccepted = "has not said that it took the space"

        package static func lacks(_ waiting: WaitingCount, isDeleted: Bool) -> String {
            isDeleted
                ? "does not know yet that it is deleted" : "lacks \(Sentence.waiting(waiting))"
        }

        // MARK: Why

        package static let moving = "it is on its way"
        package static let soon = "it is in reach: it comes by itself"
        package static let noWay = "no address of it is known here, and it never called"
        package static let accepting = "it may still wait for an answer there"
        package static let noSource = "no device that has the file is connected"
        package static let filesUnsaid = "it has not said yet which files it has"
        package static let roleLost = "this device may not read the space any more"
        package static let conflict = "two devices wrote to it at once, and nobody has decided"

        /// `ago` as ``Sentence/Status/ago(seconds:)`` says it; nil for never.
        package static func notConnected(seen ago: String?) -> String {
            ago.map { "not connected, last seen \($0)" } ?? "not connected yet"
        }

        package static func noSource(_ holders: [String]) -> String {
            let names = holders.prefix(3).map { Sentence.plain($0) }.joined(separator: ", ")
            return "only \(names)\(holders.count > 3 ? " and others" : "") have all of it, "
                + "and are not connected"
        }

        package static func behind(_ changes: Int) -> String {
            let what = Sentence.count(changes, "change", "changes")
            return "others wrote \(what) to this space that \(changes == 1 ? "is" : "are") not here"
        }

        package static func schema(_ obstacle: SchemaObstacle) -> String {
            switch obstacle {
            case .newer: "its schema is of a newer peersync: it is kept here, and not shown"
            case .unreadable: "its schema cannot be read here: it is kept, and not shown"
            case .absent: "its schema is not here yet: it is kept, and not shown"
            }
        }

        // MARK: What would help

        package static let decide = "peersync conflicts"
        package static let newer = Problem.updateHere

        package static func accept(_ device: String, space: String) -> String {
            "On \(plain(device)): peersync space accept \(quoted(space))"
        }

        package static func meet(_ device: String) -> String {
            """
            Bring \(plain(device)) into one network with this device, or with any that has it, and \
            run the agent there: \(startAgent)
            """
        }

        package static func callAgain(_ device: String) -> String {
            """
            See that \(plain(device)) is on and its agent runs; if so: peersync doctor network
            """
        }

        package static let meetHolder =
            "It comes as soon as a device that has it is in reach and runs its agent."
    }
}

extension CommandHelp {
    package static let why = CommandHelp(
        "Say where a record or file is, and why it is not everywhere.",
        examples: [
            "peersync why Beach", "peersync why IMG_0042.jpg", "peersync why 3f2a9c01",
            "peersync why Milk --space Home",
        ],
        remarks: """
            One line for each device that may have it, with the reason and what would help, by what \
            each device said last. Deleted records are found too.
            """)
}

extension OptionHelp {
    package static let recordOrFile =
        "Name of a record, memory or file, or the first letters of its id."
    package static let inSpace = "Only there: the name of a space; home for your own."
}
