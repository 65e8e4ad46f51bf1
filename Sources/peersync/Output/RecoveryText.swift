internal import LocalAPI

/// The texts of `recovery`.
enum RecoveryText {
    static func recovered(_ view: RecoveryUseView) -> String {
        let asked = Sentence.Member.list(view.asked.map { Sentence.plain($0.name) })
        guard !view.trips.isEmpty else {
            return tr("\(asked) had nothing of yours that this device lacks.")
        }
        return view.trips.map { trip in
            let role = trip.role.map { tr(", as \($0.rawValue)") } ?? ""
            let here = trip.isHere ? "" : tr("; it comes when both are connected")
            let from = Sentence.plain(trip.from.name)
            return tr("\(Sentence.name(trip.trip.name)): yours again\(role), by \(from)\(here).")
        }.joined(separator: "\n")
    }

    static func recoveredNext(_ view: RecoveryUseView) -> String {
        let names = Sentence.Member.list(view.strangers.map { Sentence.plain($0.name) })
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

    static func exchangeQuestion(_ view: KeyExchangeView, newKey: String?) -> String {
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

    static func exchanged(_ view: KeyExchangeView) -> String {
        ([tr("The recovery key was exchanged.")] + exchangeLines(view)).joined(separator: "\n")
    }

    private static func exchangeLines(_ view: KeyExchangeView) -> [String] {
        var lines: [String] = []
        for device in view.putOut.map({ Sentence.plain($0.name) }) {
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
                        \(Sentence.plain(device)) stays lost: the old key said so. Was that not you? \
                        peersync device found \(Sentence.quoted(device))
                        """)
                    : tr(
                        """
                        \(Sentence.plain(device)) will stay lost: the old key said so. Was that not you? \
                        --found \(Sentence.quoted(device))
                        """))
        }
        for trip in view.elsewhere {
            lines.append(
                tr(
                    """
                    Not in \(Sentence.name(trip.name)): this device came into it by the old key alone. Ask an admin \
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

    static func exchangedNext(file: String?) -> String {
        let place =
            file.map { tr("The new one is in \($0). Move it away from your devices. ") } ?? ""
        return place + tr("Destroy what is written down of the old one.")
    }

    static func tested(_ view: RecoveryKeyView) -> String {
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
        return tr("This is the recovery key of \(Sentence.plain(person.name)), not yours.")
    }
}
