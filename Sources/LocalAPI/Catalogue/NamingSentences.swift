extension Sentence {
    /// What `device rename` and `person rename` say.
    package enum Naming {
        package static var you: String { tr("you") }

        package static func renamed(_ view: RenameView) -> String {
            let new = name(view.name)
            let told =
                view.person
                ? tr("You are now called \(new). Others see it when they sync next.")
                : tr("This device is now called \(new). Others see it when they sync next.")
            guard !view.untold.isEmpty else { return told }
            let trips = Member.list(view.untold.map { name($0.name) })
            return told + tr("\nWhere you only read, the name stays as it was: \(trips).")
        }

        package static func next(_ view: RenameView) -> String {
            tr("Undo: peersync \(view.person ? "person" : "device") rename \(quoted(view.was))")
        }
    }
}

extension CommandHelp {
    package static let deviceRename = CommandHelp(
        "Give this device another name.", examples: ["peersync device rename kitchen"],
        remarks: "Everybody who shares a trip with it sees the new name.")
    package static let person = CommandHelp(
        "See who is known, and change what you are called.",
        examples: ["peersync person list", "peersync person rename \"Anna M.\""])
    package static let personList = CommandHelp(
        "List the people whom this device knows, with their devices.",
        examples: ["peersync person list"])
    package static let personRename = CommandHelp(
        "Change your name.", examples: ["peersync person rename \"Anna M.\""],
        remarks: "For all your devices; everybody who shares a trip with you sees the new name.")
}
