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
}
