/// Words for when two programs of different versions meet.
extension Sentence.Problem {
    package static let updateHere: Message = tr("Update peersync on this computer.")

    /// `place` is nil for the person's own lists.
    package static func schemaObstacle(
        _ obstacle: Sentence.SchemaObstacle, of place: String?
    ) -> Words {
        let name = place.map { Sentence.name($0) } ?? tr("your own lists", context: "schema of")
        let kept = tr("What comes is kept and passed on, and not shown here.")
        let phrase = Message(verbatim: Sentence.Why.schema(obstacle))
        return switch obstacle {
        case .newer:
            Words("A newer peersync made the schema of \(name). \(kept)", phrase, updateHere)
        case .unreadable:
            Words(
                "The schema of \(name) cannot be read. \(kept)", phrase,
                "An admin can replace it: peersync schema change SPACE FILE")
        case .absent:
            Words("The schema of \(name) is not here yet. \(kept)", phrase, "peersync sync")
        }
    }

    /// `changes` by `devices` contain something that this program does not understand.
    package static func newerParts(
        _ changes: Int, by devices: [String], in place: String?
    ) -> Words {
        let what = Sentence.count(changes, "change", "changes")
        let names = devices.prefix(3).map { Sentence.plain($0) }.joined(separator: ", ")
        let authors = "\(names)\(devices.count > 3 ? tr(" and others", context: "from") : "")"
        let within = place.map { tr(" in \(Sentence.name($0))") } ?? ""
        return Words(
            changes == 1
                ? """
                \(what)\(within) from \(authors) contains something that only a newer peersync \
                understands. All of it is kept and passed on.
                """
                : """
                \(what)\(within) from \(authors) contain something that only a newer peersync \
                understands. All of it is kept and passed on.
                """,
            changes == 1
                ? "\(what) contains something that only a newer peersync understands"
                : "\(what) contain something that only a newer peersync understands", updateHere)
    }
}
