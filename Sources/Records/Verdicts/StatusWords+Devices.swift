internal import LocalAPI
internal import SyncCore

extension StatusWords {
    /// The others agree with each other.
    var setThisClock: Message {
        tr("The others agree, so this one is wrong: sudo timedatectl set-ntp true")
    }

    /// Nobody can tell which of the two is wrong.
    var setOneClock: Message {
        tr("One of the two is wrong. Look at both, and on that one: sudo timedatectl set-ntp true")
    }

    /// `2 hours ahead of`.
    func apart(_ seconds: Int) -> String {
        // Rounded to the nearest shown unit: two hours less a second are two hours.
        let unit = abs(seconds) < 3600 ? 60 : 3600
        let rounded = (abs(seconds) + unit / 2) / unit * unit
        return "\(Sentence.Status.duration(rounded)) \(seconds > 0 ? tr("ahead of") : tr("behind"))"
    }

    /// `version` is the version that the device reported; empty when it reported none.
    func foreign(_ device: String, isNewer: Bool, version: String) -> Words {
        let age = isNewer ? tr("a newer") : tr("an older")
        let which = version.isEmpty ? "" : " (\(Sentence.plain(version)))"
        return Words(
            """
            \(device) has \(age) peersync\(which), and the two do not understand each \
            other. Nothing is lost; both go on after an update.
            """, "it has \(age) peersync",
            isNewer ? Sentence.Problem.updateHere : "Update peersync on \(device).")
    }

    /// Deliveries to a device failed several times.
    func undelivered(_ calls: CallFacts, to device: String) -> Words {
        let again = soon(calls.nextTry).map { tr(", next try \($0)") } ?? ""
        let (tries, error) = (Sentence.count(calls.failures, "try", "tries"), calls.error)
        return Words(
            """
            What waits for \(Sentence.plain(device)) could not be delivered in \(tries): \
            \(error.words)\(again).
            """, "\(error.words) (\(tries)\(again))",
            Message(verbatim: Sentence.Why.callAgain(device, error)))
    }

    func silent(_ device: String, _ seconds: Int) -> Words {
        let since = Sentence.Status.period(seconds)
        return Words(
            "\(device) has not answered for \(since).", "it has not answered for \(since)",
            "See that \(device) is on and in the same network; it goes on by itself.")
    }

    func runsTwice(_ device: String, isHere: Bool) -> Words {
        let remedy: Message = tr(
            """
            Stop the agent of one of the two copies once it has synced, and delete its \
            folder. To use both computers, then run on that one: peersync join --mine
            """)
        return isHere
            ? Words(
                """
                This home runs twice: \(device) talks in turn with this device and with a \
                copy of it.
                """, "it talks in turn with this device and with a copy of it", remedy)
            : Words(
                "\(device) runs twice: a copy of its home is in use, too.",
                "a copy of its home is in use, too", remedy)
    }
}
