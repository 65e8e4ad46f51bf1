extension Sentence {
    /// What `dataset` says of the full reset, and of folders that are followed.
    package enum DataSetReset {
        static func resetLine(
            _ offer: DataSetReport.ResetOffer, _ report: DataSetReport, german: Bool
        ) -> String {
            let head =
                "\(name(report.name)), reset: full reset offered (version \(offer.from) → \(offer.to))"
            let text = german ? offer.germanText ?? offer.text : offer.text
            return ([head] + [text].compactMap(\.self).map { "  \(Sentence.plain($0))" })
                .joined(separator: "\n")
        }

        /// What to type where a set asks for a reset.
        package static func resetRemark(_ report: DataSetReport, path: String) -> String? {
            report.reset.map { _ in
                "See what would go and stay: \(resetCommand(report, path)) --dry-run"
            }
        }

        private static func resetCommand(_ report: DataSetReport, _ path: String) -> String {
            "peersync dataset reset \(Sentence.quoted(path)) --space \(Sentence.quoted(report.space.name)) --for-everybody"
        }

        // MARK: The reset

        package static func resetPreview(_ report: DataSetResetReport, german: Bool) -> String {
            let head =
                report.done
                ? "\(name(report.space.name)) was reset to version \(report.to) of \(name(report.name))."
                : "Full reset of \(name(report.space.name)) (version \(report.from) → \(report.to)), for everybody"
            let text = german ? report.germanText ?? report.text : report.text
            let lines = [
                line(report.done ? "deleted" : "goes", report.deleted),
                line("stays as history", report.kept),
                line("stays as history needs it", report.needed), line("loaded", report.loaded),
            ].compactMap(\.self)
            return
                ([head]
                + [report.done ? nil : text.map { "  \(Sentence.plain($0))" }].compactMap(\.self)
                + lines).joined(separator: "\n")
        }

        private static func line(_ what: String, _ counts: [DataSetResetReport.Count]) -> String? {
            guard !counts.isEmpty else { return nil }
            let parts = counts.map { "\($0.count) \(Sentence.plain($0.collection))" }
            return "  \(what): \(parts.joined(separator: ", "))"
        }

        package static func typeName(_ report: DataSetResetReport) -> String {
            "To do this, type the name of the space, \(Sentence.plain(report.space.name))"
        }

        package static let resetNext = "Take it back: peersync undo"

        package static func notConfirmed(_ space: String) -> APIError {
            APIError(
                code: .badInput,
                sentence: "That is not the name of the space. Nothing was changed.",
                hint: "In a script: --confirm \(Sentence.quoted(space))")
        }

        package static func noReset(_ set: String) -> APIError {
            APIError(
                code: .badInput, sentence: "\(Sentence.name(set)) asks for no full reset.",
                hint: "Bring its rows up to date: peersync dataset apply FOLDER --space SPACE")
        }

        package static func wasReset(_ set: String, _ version: Int) -> APIError {
            APIError(
                code: .conflict,
                sentence:
                    "The space was reset to version \(version) of \(Sentence.name(set)) already.",
                hint: "To do it again: peersync dataset set-version SPACE reset 0")
        }

        package static let onlyForEverybody = APIError(
            code: .badInput,
            sentence: "A full reset deletes records for everybody who has the space.",
            hint: "If that is what you want, add --for-everybody.")

        // MARK: Following

        package static func following(_ views: [FollowedSetView]) -> String {
            views.isEmpty ? noneFollowed : views.map { followed($0) }.joined(separator: "\n")
        }

        package static let noneFollowed = "No folder is followed."

        package static func followed(_ view: FollowedSetView) -> String {
            let head =
                "\(Sentence.plain(view.path)) is applied to \(Sentence.name(view.space.name)) whenever the agent starts"
            return ([head] + [view.trouble, view.hint].compactMap(\.self).map { "  \($0)" })
                .joined(separator: "\n")
        }

        package static func followNext(_ path: String, space: String) -> String {
            "Apply it now: peersync dataset apply \(Sentence.quoted(path)) --space \(Sentence.quoted(space))"
        }

        package static func offered(
            _ offer: DataSetReport.ResetOffer, _ report: DataSetReport, path: String
        ) -> (sentence: String, hint: String) {
            (
                """
                \(Sentence.name(report.name)) asks for a full reset of \(Sentence.name(report.space.name)) \
                (version \(offer.from) → \(offer.to)).
                """, "See what would go and stay: \(resetCommand(report, path)) --dry-run"
            )
        }

        package static func notApplied(_ set: String, _ error: APIError) -> String {
            "The data set \(Sentence.name(set)) was not applied: \(error.sentence)"
        }

        /// For a table.
        package static func wants(_ set: String) -> String {
            "the data set \(Sentence.name(set)) wants attention"
        }

        /// Where nothing is named.
        package static let someWants = Sentence.Problem.Words(
            "A data set that this device follows wants attention.", "a data set wants attention",
            "See: peersync dataset status")

        package static let takenBack = APIError(
            code: .conflict, sentence: "this version was applied here and taken back.",
            hint: "Apply it once more: peersync dataset apply FOLDER --space SPACE")

        package static func notFollowed(_ path: String) -> APIError {
            APIError(
                code: .notFound, sentence: "\(Sentence.plain(path)) is not followed.",
                hint: "Folders that are: peersync dataset status")
        }

        package static let tooManyFollowed = APIError(
            code: .tooLarge, sentence: "So many folders cannot be followed.",
            hint: "End one first: peersync dataset unfollow FOLDER")

        package static let noKeeps =
            "`keeps` names the collections that are history, as in `keeps: set, workout`; \"\" for none"
    }
}

extension CommandHelp {
    package static let dataSetReset = CommandHelp(
        "Delete everything but history, and load a data set again.",
        examples: [
            "peersync dataset reset exercises --space Gym --for-everybody --dry-run",
            "peersync dataset reset exercises --space Gym --for-everybody --backup /media/stick",
        ],
        remarks: """
            It shows what goes and stays, backs everything up, and asks for the name of the space. What history \
            refers to stays, too. 'peersync undo' takes it back.
            """)
    package static let dataSetFollow = CommandHelp(
        "Apply a data set whenever the agent starts.",
        examples: ["peersync dataset follow exercises --space Gym"],
        remarks: "A full reset is never done by itself: status says when one is offered.")
    package static let dataSetUnfollow = CommandHelp(
        "Apply a data set no more by itself.", examples: ["peersync dataset unfollow exercises"])
}

extension OptionHelp {
    package static let forEverybody = "Delete for everybody who has the space."
    package static let resetBackup = "Folder for the backup before; else that of the last one."
    package static let withoutBackup = "Make no backup first."
    package static let confirmName = "The name of the space, instead of typing it."
    package static let createDataSet = "A data set to load at once."
}
