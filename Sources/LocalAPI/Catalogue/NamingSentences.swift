extension Sentence {
    /// What `device rename` and `person rename` say.
    package enum Naming {
        package static let you = "you"

        package static func renamed(_ view: RenameView) -> String {
            let what = view.person ? "You are" : "This device is"
            let told =
                "\(what) now called \(name(view.name)). Others see it when they sync next."
            guard !view.untold.isEmpty else { return told }
            let trips = Member.list(view.untold.map { name($0.name) })
            return told + "\nWhere you only read, the name stays as it was: \(trips)."
        }

        package static func next(_ view: RenameView) -> String {
            "Undo: peersync \(view.person ? "person" : "device") rename \(quoted(view.was))"
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
