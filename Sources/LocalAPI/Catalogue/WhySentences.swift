/// The words of `why`.
extension Sentence {
    package enum Why {
        package static var held: String {
            tr(
                """
                It is deleted, and still shown because other records need it. To keep it: \
                peersync record restore.
                """)
        }

        /// `lacking` of `others` devices, without this one, do not have everything.
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

        /// Others have it as it was before the last `changes`; `ago` says when the last of these was made.
        package static func unsent(_ changes: Int, last ago: String) -> String {
            changes == 1
                ? tr("The last change, \(ago), is only here; others have it as it was before.")
                : tr(
                    """
                    The last \(changes) changes, the latest of them \(ago), are only here; others have \
                    it as it was before.
                    """)
        }

        // MARK: All that waits

        /// The items that one device lacks of a space; `since` in words.
        package static func waits(_ item: WaitingView.Item, since: String?) -> String {
            let space = Sentence.name(item.space.name)
            let lacks = item.lacks == .nothing ? item.elsewhere : item.lacks
            let what = Sentence.waiting(lacks)
            let began = since.map { tr(", since \($0)") } ?? ""
            guard !item.here else { return tr("This device lacks \(what) of \(space)\(began)") }
            let device = "\(plain(item.device.name)) (\(plain(item.person.name)))"
            return tr("\(device) lacks \(what) of \(space)\(began)")
        }

        // MARK: Why

        package static var noSource: String {
            tr("no device that has the file is connected to this one")
        }

        /// `ago` is from ``Sentence/Status/ago(seconds:)``; nil for never.
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

        // MARK: Remedies

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
    }
}

extension OptionHelp {
    package static var recordOrFile: String {
        tr("Name of a record, memory or file, or the first letters of its id.")
    }
    package static var inSpace: String { tr("Only there: the name of a space; home for your own.") }
}
