/// Words about devices that behave like no peersync does.
extension Sentence.Problem {
    package static func changesRefused(_ device: String) -> Words {
        Words(
            "\(Sentence.plain(device)) sends changes that it has no right to make: none is kept.",
            "it sends changes that it has no right to make",
            """
            peersync never sends such changes: ask whose device it is what program runs there.
            """)
    }

    package static func brokenData(_ device: String) -> Words {
        Words(
            "\(Sentence.plain(device)) sends broken or changed data: none of it is kept.",
            "it sends broken or changed data",
            """
            What it should send comes from other devices. Its disk may be failing, or another \
            program runs there: ask whose device it is.
            """)
    }

    package static func leavesOut(_ device: String) -> Words {
        Words(
            """
            \(Sentence.plain(device)) passes on changes and leaves out what comes before them: none of these \
            is kept.
            """, "it leaves out what comes before the changes that it passes on",
            """
            What is missing comes from other devices that have it. If it stays so, ask whose device \
            it is and what program runs there.
            """)
    }

    package static func runsTwice(_ device: String, isHere: Bool) -> Words {
        let remedy = Message(
            verbatim: tr(
                """
                Stop the agent of one of the two copies once it has synced, and delete its \
                folder. To use both computers, run there then: peersync join --mine
                """))
        return isHere
            ? Words(
                """
                This home runs twice: \(Sentence.plain(device)) talks in turn with this device and with a \
                copy of it.
                """, "it talks in turn with this device and with a copy of it", remedy)
            : Words(
                "\(Sentence.plain(device)) runs twice: a copy of its home is in use, too.",
                "a copy of its home is in use, too", remedy)
    }

    package static func silent(_ device: String, _ seconds: Int) -> Words {
        let since = Sentence.Status.period(seconds)
        return Words(
            "\(Sentence.plain(device)) has not answered for \(since).",
            "it has not answered for \(since)",
            Message(
                verbatim: tr(
                    """
                    See that \(Sentence.plain(device)) is on and in the same network; it goes on by \
                    itself.
                    """)))
    }
}
