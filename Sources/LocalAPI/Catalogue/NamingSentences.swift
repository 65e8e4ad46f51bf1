extension Sentence {
    /// The words of `device rename` and `person rename`.
    package enum Naming {
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
