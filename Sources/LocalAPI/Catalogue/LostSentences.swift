extension Sentence {
    /// The words of `device lost` and `recovery`.
    package enum Lost {
        package static func question(_ view: LostView) -> String {
            var lines = view.trips.map { trip in line(trip, device: view.device.name, done: false) }
            if view.trips.isEmpty {
                lines.append(tr("\(plain(view.device.name)) has no trip of yours."))
            }
            lines += call(view)
            if view.call != .everybody, !hasMore(view) {
                let device = plain(view.device.name)
                lines.append(tr("\(device) will be forgotten here until you pair with it again."))
            }
            lines += ["", limits]
            lines.append(tr("Take from \(plain(view.device.name)) what you can?"))
            return lines.joined(separator: "\n")
        }

        package static func done(_ view: LostView) -> String {
            let lines = view.trips.map { trip in line(trip, device: view.device.name, done: true) }
            let end =
                view.call == .everybody
                ? tr("This device gives it nothing more, and nor does anybody who has heard.")
                : hasMore(view)
                    ? tr("\(plain(view.device.name)) is forgotten here, and gets only what stays.")
                    : tr("\(plain(view.device.name)) is forgotten here, and gets nothing more.")
            return (lines + call(view) + [end]).joined(separator: "\n")
        }

        /// Whether it keeps a trip of this device.
        private static func hasMore(_ view: LostView) -> Bool {
            view.trips.contains { $0.outcome != .taken }
        }

        /// The people to tell, and the devices that are lost with it.
        private static func call(_ view: LostView) -> [String] {
            let device = plain(view.device.name)
            let person = plain(view.person.name)
            var lines: [String] = []
            switch view.call {
            case .everybody:
                let whom = view.me ? tr("you", context: "shares with") : person
                lines.append(
                    view.done
                        ? tr(
                            "Everybody who shares a trip with \(whom) is told that \(device) is lost."
                        )
                        : tr(
                            """
                            Everybody who shares a trip with \(whom) will be told that \(device) is lost.
                            """))
            case .needsKey:
                lines.append(
                    tr(
                        """
                        Others are not told that \(device) is lost: it is older than this device, so it takes \
                        your recovery key.
                        """))
            case .notYours:
                lines.append(
                    view.me
                        ? tr("Others are not told that \(device) is lost: only you can say so.")
                        : tr(
                            "Others are not told that \(device) is lost: only \(person) can say so."
                        ))
            }
            if let first = view.lostWithIt.first {
                let names = Member.list(view.lostWithIt.map { plain($0.name) })
                lines.append(
                    tr(
                        view.lostWithIt.count,
                        """
                        \(names) was paired on \(device), and is lost with it. Is one of them in your hands? Keep it: \
                        --keep \(quoted(first.name))
                        """,
                        """
                        \(names) were paired on \(device), and are lost with it. Is one of them in your hands? Keep it: \
                        --keep \(quoted(first.name))
                        """))
            }
            return lines
        }

        /// About this device. `signer` is the device that reported it; nil: the recovery key.
        package static func here(by signer: String?, _ device: String) -> Problem.Words {
            let who = signer.map { plain($0) } ?? tr("Your recovery key")
            let place = signer.map { tr("on \(plain($0))") } ?? tr("on another device of yours")
            return Problem.Words(
                "\(who) called this device lost: who has heard of it gives it nothing any more.",
                "it was called lost",
                "Is it yours and in your hands? Type \(place): peersync device found \(quoted(device))"
            )
        }

        /// About devices of this person that exchanged the recovery key, each for another one.
        package static func contestedKey(_ devices: [String]) -> Problem.Words {
            let names = Member.list(devices.map { plain($0) })
            return Problem.Words(
                "\(names) exchanged your recovery key, each for another one: neither new key counts.",
                "the recovery key was exchanged for two different ones",
                "Exchange it again on a device that is older than these: peersync recovery exchange"
            )
        }

        /// About another device; without a time when it is lost together with the one that let it in.
        package static func device(
            _ device: String, by signer: String?, seconds: Int?
        ) -> Problem.Words {
            let phrase =
                seconds.map { seconds in
                    let ago = Status.ago(seconds: seconds)
                    return signer.map { tr("called lost \(ago) by \(plain($0))") }
                        ?? tr("called lost \(ago) by the recovery key")
                } ?? tr("lost with the device on which it was paired")
            return Problem.Words(
                "\(plain(device)) is \(phrase).", Message(verbatim: phrase),
                "Found again? Its person can take it back: peersync device found \(quoted(device))")
        }

        /// About a device that only the recovery key let in.
        package static func cameByKey(
            _ device: String, to trips: [String], seconds: Int
        ) -> Problem.Words {
            let places = trips.isEmpty ? tr("your trips") : Member.list(trips.map { name($0) })
            let what = tr(
                "came into \(places) with your recovery key \(Status.ago(seconds: seconds))")
            return Problem.Words(
                "\(plain(device)) \(what).", Message(verbatim: what),
                """
                Was it not you? Put it out: peersync device lost \(quoted(device)) --recovery-file FILE. If \
                it is yours, pair with it: peersync pair
                """)
        }

        /// In the list of members.
        package static func isLost(_ devices: [Reference]) -> String {
            let names = Member.list(devices.map { plain($0.name) })
            return tr(devices.count, "\(names) is lost", "\(names) are lost")
        }

        package static func found(_ view: FoundView) -> String {
            let device = plain(view.device.name)
            let trips = Member.list(view.trips.map { name($0.name) })
            let given = view.trips.isEmpty ? "" : tr(" It has again: \(trips).")
            return tr("\(device) is not lost any more, and everybody is told.\(given)")
        }

        /// Explains what revoking can do, and what it cannot.
        package static var limits: String {
            tr(
                """
                What is on a lost device stays there, and whoever can open it can read it. From now on \
                everybody who has heard sends it nothing and takes nothing of what it writes. Who has not \
                heard yet still does; once they hear, what it wrote meanwhile counts for nothing.
                """)
        }

        private static func line(_ trip: LostTrip, device: String, done: Bool) -> String {
            let place = trip.trip.map { name($0.name) } ?? tr("Your own lists")
            var parts: [String] = []
            switch trip.outcome {
            case .taken: parts.append(done ? tr("taken") : tr("can be taken"))
            case .needsKey: parts.append(tr("stays: only your recovery key can take it"))
            case .notAllowed: parts.append(tr("stays: you may not take it"))
            }
            if trip.outcome != .taken, !trip.ask.isEmpty {
                let who = Member.list(trip.ask.map { plain($0.name) })
                parts.append(
                    tr("\(who) can: peersync device lost \(quoted(device))"))
            }
            parts.append(tr("it held \(held(trip))"))
            if trip.discounted > 0 {
                let what = count(trip.discounted, "change", "changes")
                parts.append(
                    done
                        ? tr("\(what) of it count no more")
                        : tr("\(what) of it would count no more"))
            }
            if done, trip.outcome == .taken { parts.append(hearing(trip)) }
            if !trip.letIn.isEmpty {
                let who = Member.list(trip.letIn.map { plain($0.name) })
                parts.append(tr("it let in \(who), who stay: look whether you know them"))
            }
            return "\(place): \(parts.joined(separator: "; "))."
        }

        private static func held(_ trip: LostTrip) -> String {
            let changes =
                trip.changesHeld == trip.changes
                ? tr("all changes")
                : tr("\(trip.changesHeld) of \(count(trip.changes, "change", "changes"))")
            guard trip.files > 0 else { return changes }
            let files =
                trip.filesHeld.map {
                    $0 >= trip.files
                        ? tr("all \(trip.files) files") : tr("\($0) of \(trip.files) files")
                } ?? tr("perhaps files")
            return tr("\(changes) and \(files)")
        }

        private static func hearing(_ trip: LostTrip) -> String {
            if trip.unaware.isEmpty { return tr("everybody has heard") }
            let unaware = Member.list(trip.unaware.map { plain($0.name) })
            return tr(
                trip.unaware.count, "\(unaware) has not heard yet", "\(unaware) have not heard yet")
        }

        package static func next(_ view: LostView) -> String {
            var lines = [tr("See who has heard: peersync device lost \(quoted(view.device.name))")]
            let keys = view.done ? view.trips.compactMap(\.newKey) : []
            if let isNewKey = keys.contains(false) ? false : keys.first {
                lines.append(Encryption.revoked(isNewKey: isNewKey))
            }
            if view.trips.contains(where: { $0.discounted > 0 }) {
                lines.append(tr("What counts no more: peersync orphans"))
            }
            if let trip = view.trips.first(where: { $0.trip != nil && !$0.letIn.isEmpty }),
                let place = trip.trip, let device = trip.letIn.first
            {
                lines.append(
                    tr(
                        """
                        Take it from somebody you do not know: peersync trip revoke \(quoted(place.name)) \
                        \(quoted(device.name))
                        """))
            }
            if view.call == .needsKey || view.trips.contains(where: { $0.outcome == .needsKey }) {
                lines.append(
                    tr(
                        """
                        With your recovery key: peersync device lost \(quoted(view.device.name)) \
                        --recovery-file FILE
                        """))
            }
            lines.append(
                view.call == .everybody
                    ? tr("Found again? peersync device found \(quoted(view.device.name))")
                    : tr(
                        """
                        Found again? Pair with it: peersync pair. Then give it each trip back: peersync trip \
                        grant TRIP \(quoted(view.device.name))
                        """))
            return lines.joined(separator: "\n")
        }

        package static var noKey: String { tr("skip") }

        package static func recovered(_ view: RecoveryUseView) -> String {
            let asked = Member.list(view.asked.map { plain($0.name) })
            guard !view.trips.isEmpty else {
                return tr("\(asked) had nothing of yours that this device lacks.")
            }
            return view.trips.map { trip in
                let role = trip.role.map { tr(", as \($0.rawValue)") } ?? ""
                let here = trip.isHere ? "" : tr("; it comes when both are connected")
                let from = plain(trip.from.name)
                return tr("\(name(trip.trip.name)): yours again\(role), by \(from)\(here).")
            }.joined(separator: "\n")
        }

        package static func recoveredNext(_ view: RecoveryUseView) -> String {
            let names = Member.list(view.strangers.map { plain($0.name) })
            let strangers =
                view.strangers.isEmpty
                ? []
                : [
                    tr(
                        """
                        Not asked, as nobody paired it with this device: \(names). Pair with whoever shares more \
                        trips with you, and run it again.
                        """)
                ]
            let next =
                view.trips.isEmpty
                ? tr("Others may have more: pair with them, and run it again.")
                : tr(
                    """
                    Now take your trips from the device that you lost: peersync device list; peersync \
                    device lost DEVICE
                    """)
            return (strangers + (strangers.isEmpty || !view.trips.isEmpty ? [next] : []))
                .joined(separator: "\n")
        }

        package static func exchangeQuestion(_ view: KeyExchangeView, newKey: String?) -> String {
            var lines = exchangeLines(view)
            if let newKey {
                lines.append(tr("Your new recovery key:\n\n    \(newKey)\n"))
                lines.append(
                    tr("Write it down. Have you got it, and is the old one to count no more?"))
            } else {
                lines.append(tr("Is the old key to count no more?"))
            }
            return lines.joined(separator: "\n")
        }

        package static func exchanged(_ view: KeyExchangeView) -> String {
            ([tr("The recovery key was exchanged.")] + exchangeLines(view)).joined(separator: "\n")
        }

        private static func exchangeLines(_ view: KeyExchangeView) -> [String] {
            var lines: [String] = []
            for device in view.putOut.map({ plain($0.name) }) {
                lines.append(
                    view.done
                        ? tr("\(device) is out: the old key alone let it in.")
                        : tr("\(device) will be out: the old key alone let it in."))
            }
            for device in view.stayLost.map(\.name) {
                lines.append(
                    view.done
                        ? tr(
                            """
                            \(plain(device)) stays lost: the old key said so. Was that not you? \
                            peersync device found \(quoted(device))
                            """)
                        : tr(
                            """
                            \(plain(device)) will stay lost: the old key said so. Was that not you? \
                            --found \(quoted(device))
                            """))
            }
            for trip in view.elsewhere {
                lines.append(
                    tr(
                        """
                        Not in \(name(trip.name)): this device came into it by the old key alone. Ask an admin \
                        of it to grant it to this device, then exchange the key again.
                        """))
            }
            if view.leftOut > 0 {
                let what = Sentence.count(view.leftOut, "thing", "things")
                lines.append(
                    view.done
                        ? tr(
                            """
                            \(what) that the old key said counts no more, as there is no room for all of them. Look \
                            afterwards at who has your trips: peersync device list
                            """)
                        : tr(
                            """
                            \(what) that the old key said will count no more, as there is no room for all of them. Look \
                            afterwards at who has your trips: peersync device list
                            """))
            }
            return lines
        }

        package static func exchangedNext(file: String?) -> String {
            let place =
                file.map { tr("The new one is in \($0). Move it away from your devices. ") } ?? ""
            return place + tr("Destroy what is written down of the old one.")
        }

        package static func tested(_ view: RecoveryKeyView) -> String {
            if view.exchanged {
                return tr(
                    "This was your recovery key. You exchanged it: it means nothing any more.")
            }
            if view.me {
                return tr("This is your recovery key. It is written down without a mistake.")
            }
            guard let person = view.person else {
                return tr("This is a recovery key, but not yours, and of nobody who is known here.")
            }
            return tr("This is the recovery key of \(plain(person.name)), not yours.")
        }
    }
}
