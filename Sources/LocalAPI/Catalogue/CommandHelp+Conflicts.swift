extension CommandHelp {
    package static let conflicts = CommandHelp(
        "List fields that were changed on two devices at once.",
        examples: ["peersync conflicts", "peersync conflicts --trip Arezzo"],
        remarks: """
            Every device keeps all versions until somebody decides. Each version is listed with its \
            author and time, by the clock of the device that wrote it.
            """)
    package static let conflictsResolve = CommandHelp(
        "Resolve a conflict for everybody.",
        examples: [
            "peersync conflicts resolve 3f9a01c2 --take 1",
            "peersync conflicts resolve 3f9a01c2 --value \"Piazza Grande\"",
            "peersync conflicts resolve 3f9a01c2 --merge",
        ],
        remarks: """
            --take chooses a value by its number, --value writes a new one in the form of 'record \
            set', --merge keeps the merged value. If a new edit arrives in the meantime, the \
            conflict gets a new id: list the conflicts again before you decide.
            """)
}
