package import LocalAPI

/// The texts of `dataset`.
package enum DataSetText {
    /// The mistakes that people are shown; the answer in JSON has all.
    private static let mistakesShown = 20

    static func checked(_ check: DataSetCheck) -> String {
        let levels = check.levels.map { level in
            let files = level.files.map { "\(Sentence.plain($0.collection)) \($0.rows)" }
            return "\(level.level.rawValue) \(level.version): \(files.joined(separator: ", "))"
        }
        let mistakes = check.mistakes.map { mistake in
            let place = mistake.line.map { "\(mistake.file):\($0)" } ?? mistake.file
            return "\(Sentence.plain(place)): \(Sentence.plain(mistake.reason))"
        }
        if !mistakes.isEmpty {
            let more = mistakes.count - mistakesShown
            return (mistakes.prefix(mistakesShown) + (more > 0 ? [tr("… and \(more) more")] : []))
                .joined(separator: "\n")
        }
        return ([tr("\(Sentence.name(check.name)) has no mistakes.")] + levels).joined(
            separator: "\n")
    }

    static func preview(_ report: DataSetReport) -> String {
        (report.levels.flatMap { lines($0, of: report) }
            + [report.reset.map { resetLine($0, report) }]
            .compactMap(\.self))
            .joined(separator: "\n")
    }

    static func done(_ report: DataSetReport) -> String {
        (report.levels.flatMap { lines($0, of: report, isBrief: true) }
            + [report.reset.map { resetLine($0, report) }]
            .compactMap(\.self))
            .joined(separator: "\n")
    }

    private static func lines(
        _ level: DataSetReport.Level, of report: DataSetReport,
        isBrief: Bool = false
    ) -> [String] {
        let what = "\(Sentence.name(report.name)), \(level.level.rawValue)"
        switch level.outcome {
        case .same where !level.isChange:
            return [tr("\(what): version \(level.to) was applied; nothing to do")]
        case .lower:
            return [tr("\(what): version \(level.from) was applied; \(level.to) is older")]
        case .load:
            return [what + (report.done ? tr(": rows were missing") : tr(": rows are missing"))]
                + body(level, isBrief: isBrief)
        case .same, .update:
            let step =
                level.from == level.to
                ? tr("version \(level.to) is applied again")
                : report.done
                    ? tr("version \(level.to) is applied")
                    : tr("update needed (version \(level.from) → \(level.to))")
            let head = "\(what): \(step)"
            let text = Language.current.pick(level.text, german: level.germanText).map {
                Sentence.plain($0)
            }
            return [head] + (isBrief ? [] : [text].compactMap(\.self).map { "  \($0)" })
                + body(level, isBrief: isBrief)
        }
    }

    private static func body(_ level: DataSetReport.Level, isBrief: Bool) -> [String] {
        var collections: [String] = []
        for count in level.counts where !collections.contains(count.collection) {
            collections.append(count.collection)
        }
        let counts = collections.map { collection in
            let parts = level.counts.filter { $0.collection == collection }
                .map { "\($0.count) \(word($0.kind))" }
            return "  \(Sentence.plain(collection)): \(parts.joined(separator: ", "))"
        }
        guard !isBrief else { return counts }
        let rows = level.rows.filter { $0.kind != .updated && $0.kind != .removed }
        let shown = rows.prefix(20).map { "  \(said($0))" }
        return counts + shown
            + (rows.count > shown.count ? [tr("  … and \(rows.count - shown.count) more")] : [])
    }

    private static func word(_ kind: DataSetReport.Kind) -> String {
        switch kind {
        case .added: tr("added")
        case .adopted: tr("there before, and of the set now")
        case .joined: tr("made one with a record of their name")
        case .takenOver: tr("taken over with values of earlier versions")
        case .similar: tr("called like several that were there before")
        case .updated: tr("updated")
        case .removed: tr("deleted")
        case .retired: tr("left the set, still needed")
        case .kept: tr("kept as people have them")
        case .conflicting: tr("changed by people and by the set")
        case .deleted: tr("deleted by people")
        case .theirs: tr("left the set, changed by people")
        }
    }

    private static func said(_ row: DataSetReport.Row) -> String {
        let record = named(row)
        let fields = row.fields.map { field in
            let name = Sentence.plain(field)
            guard let value = row.ofSet?[field] else { return name }
            return tr("\(name) (the set has \(Sentence.name(value)))")
        }.joined(separator: ", ")
        switch row.kind {
        case .added: return tr("\(record) is new")
        case .adopted where fields.isEmpty:
            return tr("\(record) was there before, and follows the set now")
        case .adopted:
            return tr("\(record) was there before, and follows the set now, but for: \(fields)")
        case .joined where fields.isEmpty:
            return tr(
                "\(record) and a record of this name from a device without the set become one"
            )
        case .joined:
            return tr(
                """
                \(record) and a record of this name from a device without the set become one, \
                which keeps: \(fields)
                """)
        case .takenOver:
            return
                tr(
                    "\(record) had values of an earlier version, which follow the set now: \(fields)"
                )
        case .similar:
            return
                tr(
                    "\(record): several that were there before have this name, and stay as they are"
                )
        case .updated: return tr("\(record) is updated")
        case .removed: return tr("\(record) is deleted: it left the set")
        case .retired: return tr("\(record) left the set, and stays as something refers to it")
        case .kept: return tr("\(record) stays as somebody changed it: \(fields)")
        case .conflicting:
            return tr("\(record): somebody changed it, and the set has a new value: \(fields)")
        case .deleted: return tr("\(record) was deleted by somebody, and stays so")
        case .theirs: return tr("\(record) left the set; somebody changed it, so it stays")
        }
    }

    private static func named(_ row: DataSetReport.Row) -> String {
        row.record.name.isEmpty ? row.record.shortID : Sentence.name(row.record.name)
    }

    /// The options to use where people have other values than the set, or deleted rows.
    static func remarks(_ report: DataSetReport) -> [String] {
        let kinds = Set(report.levels.flatMap(\.counts).map(\.kind))
        var remarks: [String] = []
        if kinds.contains(.kept) || kinds.contains(.conflicting) {
            remarks.append(tr("To take the values of the set instead: add --theirs"))
        }
        if kinds.contains(.deleted) {
            remarks.append(tr("To bring rows back that were deleted: add --missing"))
        }
        return remarks
    }

    package static func applied(_ view: AppliedSetView, ago: String) -> String {
        if view.newer == true {
            return tr(
                """
                \(Sentence.name(view.space.name)): \(Sentence.name(view.name)), \(view.level.rawValue), applied by \
                \(Sentence.plain(view.by.name)) \(ago) with a newer peersync
                """)
        }
        let head = head(of: view, ago: ago)
        let taken = view.takenFor.map {
            tr(
                "  this device takes version \($0) for the applied one, until it is applied again"
            )
        }
        let contested =
            view.contested
            ? tr(
                "  two versions were applied apart, and are settled soon; to do it now, apply \(view.version) once more"
            ) : nil
        let unknown =
            view.incomparable == true
            ? tr("  it is not known which rows people changed: the schema has other types now")
            : nil
        let rows = view.others.prefix(20).map { row in
            switch row.kind {
            case .removed:
                tr(
                    "  \(named(row)) left the set and is not needed any more: the next version deletes it"
                )
            case .joined:
                tr(
                    """
                      \(named(row)) is there twice, as a record of this name came from a device without the set. To \
                    make them one: peersync dataset apply FOLDER --space \(Sentence.quoted(view.space.name))
                    """)
            default: "  \(said(row))"
            }
        }
        let rest = view.others.count - rows.count
        return
            ([head] + [taken, contested, unknown].compactMap(\.self) + rows
            + (rest > 0 ? [tr("  … and \(rest) more")] : [])).joined(separator: "\n")
    }

    /// A reset has no rows of its own.
    private static func head(of view: AppliedSetView, ago: String) -> String {
        let what = tr(
            "\(Sentence.name(view.space.name)): \(Sentence.name(view.name)), \(view.level.rawValue) \(view.version)"
        )
        let author = Sentence.plain(view.by.name)
        return view.level == .reset
            ? tr("\(what), applied by \(author) \(ago)")
            : tr(
                "\(what), \(Sentence.count(view.rows, "row", "rows")), applied by \(author) \(ago)")
    }

    private static func resetLine(
        _ offer: DataSetReport.ResetOffer, _ report: DataSetReport
    ) -> String {
        let head =
            tr(
                "\(Sentence.name(report.name)), reset: full reset offered (version \(offer.from) → \(offer.to))"
            )
        let text = Language.current.pick(offer.text, german: offer.germanText)
        return ([head] + [text].compactMap(\.self).map { "  \(Sentence.plain($0))" })
            .joined(separator: "\n")
    }

    /// The command to type where a set requires a reset.
    static func resetRemark(_ report: DataSetReport, path: String) -> String? {
        report.reset.map { _ in Sentence.DataSet.seeReset(path, of: report.space.name).text }
    }

    static func following(_ views: [FollowedSetView]) -> String {
        views.isEmpty
            ? tr("No folder is followed.") : views.map { followed($0) }.joined(separator: "\n")
    }

    private static func followed(_ view: FollowedSetView) -> String {
        let head =
            tr(
                "\(Sentence.plain(view.path)) is applied to \(Sentence.name(view.space.name)) whenever the agent starts"
            )
        return ([head] + [view.trouble, view.hint].compactMap(\.self).map { "  \($0)" })
            .joined(separator: "\n")
    }
}
