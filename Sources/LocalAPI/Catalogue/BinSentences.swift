extension Sentence {
    /// What `bin` says.
    package enum Bin {
        /// `days` as set.
        package static func empty(days: String) -> String {
            let time = days == "1" ? "the last day" : "the last \(days) days"
            return "Nothing was deleted in \(time). All that ever was: peersync bin --all"
        }

        package static let emptyOfAll = "Nothing that was deleted is left to bring back."
        package static let next = "Bring something back for everybody: peersync bin restore NAME"

        package static func parts(_ count: Int) -> String {
            count == 0 ? "" : Sentence.count(count, "part", "parts")
        }

        package static func restored(_ item: BinItemView) -> String {
            let with = item.parts == 0 ? "" : " with \(parts(item.parts))"
            let name = item.name.isEmpty ? "" : " \(Sentence.name(item.name))"
            return "Brought back the \(Printable.line(item.kind))\(name)\(with) for everybody."
        }
    }
}
