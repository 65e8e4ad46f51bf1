extension CommandHelp {
    package static let conflicts = CommandHelp(
        "Show what was changed on two devices at once.",
        examples: ["peersync conflicts", "peersync conflicts --trip Arezzo"],
        remarks: """
            Nothing is lost: every version is kept on every device until somebody decides. Each is \
            listed with its author and time, by the clock of the device it was written on.
            """)
    package static let conflictsResolve = CommandHelp(
        "Decide a conflict, for everybody.",
        examples: [
            "peersync conflicts resolve 3f9a01c2 --take 1",
            "peersync conflicts resolve 3f9a01c2 --value \"Piazza Grande\"",
            "peersync conflicts resolve 3f9a01c2 --merge",
        ],
        remarks: """
            --take takes one of the values by its number, --value writes another one as 'record set' \
            does, --merge keeps what was put together from all. When something new comes in \
            meanwhile the conflict has a new id: look again, so that you never decide about what you \
            have not seen.
            """)
}
