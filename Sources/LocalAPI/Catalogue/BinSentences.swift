extension Sentence {
    /// What `bin` says.
    package enum Bin {
        package static let empty =
            "Nothing was deleted in the last 30 days. All that ever was: peersync bin --all"
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
