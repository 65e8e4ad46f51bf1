/// Commands about who may do what.
extension CommandHelp {
    private static let roles = """
        viewer reads; contributor also adds and edits; editor also deletes; admin also shares.
        """
    private static let lowering = """
        With less than they have, the rest is taken: what they did until now stays, or with \
        --believe-until what they did by then.
        """
    private static let taking = """
        From then on nobody sends them anything of it, and what they write has no effect. What is on \
        their devices stays there and can be read for ever. Whoever has not heard of it yet still \
        sends them things; then it counts everywhere.
        """

    package static let tripGrant = CommandHelp(
        "Share a trip with a person, or change what they may do.",
        examples: [
            "peersync trip grant Arezzo Bea",
            "peersync trip grant Arezzo Bea --role editor",
            "peersync trip grant Arezzo Bea --can read,write,admin",
            "peersync trip grant Arezzo Bea --authority",
        ],
        remarks: """
            \(roles) On the other person's device the trip waits until they accept it. \(lowering) \
            \(authorityRemark)
            """)
    package static let spaceGrant = CommandHelp(
        "Share a space with a person, or change what they may do.",
        examples: [
            "peersync space grant Home Ben --role editor",
            "peersync space grant Wiki Cleo --authority",
        ],
        remarks: """
            \(roles) On the other person's device the space waits until they accept it. \(lowering) \
            \(authorityRemark)
            """)
    package static let tripRevoke = CommandHelp(
        "Take a trip from a person or from one device.",
        examples: [
            "peersync trip revoke Arezzo Bea",
            "peersync trip revoke Arezzo bea-phone",
            "peersync trip revoke Arezzo Bea --believe-until \"2008-10-22 16:28\"",
        ],
        remarks: "\(taking) Taken back with 'peersync trip grant'.")
    package static let spaceRevoke = CommandHelp(
        "Take a space from a person or from one device.",
        examples: ["peersync space revoke Home Bea"],
        remarks: "\(taking) Taken back with 'peersync space grant'.")
    package static let tripCan = CommandHelp(
        "Say whether somebody may do something.",
        examples: ["peersync trip can Arezzo Bea delete"],
        remarks: "Exits with 0 for yes and 1 for no.")
    package static let tripRequest = CommandHelp(
        "Ask the admins of a trip for a right.",
        examples: [
            "peersync trip request Arezzo delete",
            "peersync trip request Arezzo --withdraw",
            "peersync trip request Arezzo --refuse Bea",
        ],
        remarks: """
            They see it in 'peersync status' and 'peersync trip members'; 'peersync trip grant' answers \
            it, and --refuse says no.
            """)
}
