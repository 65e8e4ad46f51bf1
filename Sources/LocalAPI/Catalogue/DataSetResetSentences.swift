extension Sentence {
    /// The words of `dataset` about the full reset, and about followed folders.
    package enum DataSetReset {
        static func resetLine(
            _ offer: DataSetReport.ResetOffer, _ report: DataSetReport
        ) -> String {
            let head =
                tr(
                    "\(name(report.name)), reset: full reset offered (version \(offer.from) → \(offer.to))"
                )
            let text = Language.current.pick(offer.text, german: offer.germanText)
            return ([head] + [text].compactMap(\.self).map { "  \(Sentence.plain($0))" })
                .joined(separator: "\n")
        }

        /// The command to type where a set requires a reset.
        package static func resetRemark(_ report: DataSetReport, path: String) -> String? {
            report.reset.map { _ in seeReset(path, of: report.space.name).text }
        }

        private static func seeReset(_ path: String, of space: String) -> Message {
            let (path, space) = (Sentence.quoted(path), Sentence.quoted(space))
            let command = "peersync dataset reset \(path) --space \(space) --for-everybody"
            return tr("See what would go and stay: \(command) --dry-run")
        }

        // MARK: The reset

        package static func resetPreview(_ report: DataSetResetReport) -> String {
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

        package static func resetNext(_ report: DataSetResetReport) -> [String] {
            guard let new = report.newSpace?.space else {
                return [tr("Take it back: peersync undo")]
            }
            let same =
                new.name == report.space.name ? [Usage.sameName(new.name, isTrip: false)] : []
            return same + [
                tr("Take it back: peersync space delete \(new.shortID)"),
                tr("Leave the old one: peersync space leave \(report.space.shortID)"),
            ]
        }

        /// The name of an unfinished space.
        package static func making(_ name: String) -> String { tr("\(name) (being made)") }

        package static func notFinished(
            _ space: Reference, because reason: APIError
        ) -> APIError {
            APIError(
                code: reason.code,
                sentence: """
                    The new space (\(space.shortID)) is there in part only; the old one is as it was. \
                    \(reason.message)
                    """, hint: "Give the same command again: it goes on where this one stopped.")
        }

        // MARK: Following

        package static func following(_ views: [FollowedSetView]) -> String {
            views.isEmpty
                ? tr("No folder is followed.") : views.map { followed($0) }.joined(separator: "\n")
        }

        package static func followed(_ view: FollowedSetView) -> String {
            let head =
                tr(
                    "\(Sentence.plain(view.path)) is applied to \(Sentence.name(view.space.name)) whenever the agent starts"
                )
            return ([head] + [view.trouble, view.hint].compactMap(\.self).map { "  \($0)" })
                .joined(separator: "\n")
        }

        package static func offered(
            from: Int, to: Int, by set: String, of space: String, path: String
        ) -> (sentence: Message, hint: Message) {
            (
                tr(
                    """
                    \(Sentence.name(set)) asks for a full reset of \(Sentence.name(space)) \
                    (version \(from) → \(to)).
                    """), seeReset(path, of: space)
            )
        }

        /// For a table.
        /// For `status`; `sentence` describes the problem with a followed set, or the offer.
        package static func words(
            _ sentence: Message, set: String, hint: Message?
        ) -> Sentence.Problem.Words {
            Sentence.Problem.Words(
                sentence, "the data set \(Sentence.name(set)) wants attention", hint)
        }

        /// Where nothing is named.
        package static let someWants = Sentence.Problem.Words(
            "A data set that this device follows wants attention.", "a data set wants attention",
            "See: peersync dataset status")
    }
}

extension OptionHelp {
    package static var resetBackup: String {
        tr("Folder for the backup before; else that of the last one.")
    }
    package static var withoutBackup: String { tr("Make no backup first.") }
}
