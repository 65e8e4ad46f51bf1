extension Sentence {
    /// What `bin` says.
    package enum Bin {
        /// `days` as set.
        package static func empty(days: String) -> String {
            days == "1"
                ? tr("Nothing was deleted in the last day. All that ever was: peersync bin --all")
                : tr(
                    "Nothing was deleted in the last \(days) days. All that ever was: peersync bin --all"
                )
        }

        package static func parts(_ count: Int) -> String {
            count == 0 ? "" : Sentence.count(count, "part", "parts")
        }

        package static func restored(_ item: BinItemView) -> String {
            let with =
                item.parts == 0
                ? "" : tr(item.parts, " with \(item.parts) part", " with \(item.parts) parts")
            let name = item.name.isEmpty ? "" : " \(Sentence.name(item.name))"
            return tr("Brought back the \(Changes.noun(item.kind))\(name)\(with) for everybody.")
        }
    }
}
