internal import LocalAPI

/// The texts of the full reset by a data set.
enum DataSetResetText {
    static func preview(_ report: DataSetResetReport) -> String {
        let text =
            report.done
            ? nil : Language.current.pick(report.text, german: report.germanText)
        let counts: [String?]
        if let new = report.newSpace {
            counts = [
                line(tr("stays behind"), new.left),
                line(tr("comes along as history"), report.kept),
                line(tr("comes along as history needs it"), report.needed),
            ]
        } else {
            counts = [
                line(report.done ? tr("deleted") : tr("goes"), report.deleted),
                line(tr("stays as history"), report.kept),
                line(tr("stays as history needs it"), report.needed),
            ]
        }
        let lines =
            [head(report), text.map { "  \(Sentence.plain($0))" }] + counts
            + [line(tr("loaded"), report.loaded), report.done ? nil : staying(report)]
        return lines.compactMap(\.self).joined(separator: "\n")
    }

    private static func head(_ report: DataSetResetReport) -> String {
        let space = Sentence.name(report.space.name)
        if let new = report.newSpace?.space {
            return tr(
                """
                You go on in \(Sentence.name(new.name)) (\(new.shortID)), with version \(report.to) of \
                \(Sentence.name(report.name)). \(space) (\(report.space.shortID)) is as it was.
                """)
        }
        guard !report.done else {
            return
                tr(
                    "\(space) was reset to version \(report.to) of \(Sentence.name(report.name))."
                )
        }
        let (from, to) = (report.from, report.to)
        return report.newSpace == nil
            ? tr("Full reset of \(space) (version \(from) → \(to)), for everybody")
            : tr("Full reset of \(space) (version \(from) → \(to)), for you alone")
    }

    /// The fate of the old space.
    private static func staying(_ report: DataSetResetReport) -> String? {
        report.newSpace.map { new in
            tr(
                """
                A new space called \(Sentence.name(new.name)) is made, for you and your own devices. \
                \(Sentence.name(report.space.name)) stays as it is: the others go on in it, and it stays on this \
                device until you leave it.
                """)
        }
    }

    private static func line(_ what: String, _ counts: [DataSetResetReport.Count]) -> String? {
        guard !counts.isEmpty else { return nil }
        let parts = counts.map { "\($0.count) \(Sentence.plain($0.collection))" }
        return "  \(what): \(parts.joined(separator: ", "))"
    }

    static func next(_ report: DataSetResetReport) -> [String] {
        guard let new = report.newSpace?.space else {
            return [tr("Take it back: peersync undo")]
        }
        let same =
            new.name == report.space.name ? [SpaceText.sameName(new.name, isTrip: false)] : []
        return same + [
            tr("Take it back: peersync space delete \(new.shortID)"),
            tr("Leave the old one: peersync space leave \(report.space.shortID)"),
        ]
    }
}
