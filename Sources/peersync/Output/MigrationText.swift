internal import LocalAPI

/// The changes of `schema migrate` and `schema check --against`.
enum MigrationText {
    static func preview(_ report: SchemaMigrationReport) -> String {
        let head =
            tr("\(Sentence.name(report.space.name)): version \(report.from) → \(report.to)")
            + (report.done ? tr(", done") : "")
        let isSame = report.changes.isEmpty && report.converted.isEmpty
        let none = isSame ? [tr("  nothing is otherwise")] : []
        return ([head] + none + report.changes.map { "  \(line($0))" } + values(report))
            .joined(separator: "\n")
    }

    private static func values(_ report: SchemaMigrationReport) -> [String] {
        let converted = report.converted.map {
            let count = Sentence.count($0.count, "record", "records")
            guard report.from < report.to else {
                return tr("  \(Sentence.plain($0.place)): the old value ends in \(count)")
            }
            return tr("  \(Sentence.plain($0.place)): converted in \(count)")
        }
        let left = report.left.prefix(20).map { value in
            let record = value.record.name.isEmpty ? value.record.shortID : value.record.name
            return tr(
                "  \(Sentence.name(record)): \(Sentence.plain(value.place)) stays \(Sentence.name(value.text))"
            )
        }
        let rest = report.leftCount - left.count
        return converted + left
            + (rest > 0 ? [tr("  … and \(rest) more that stay as they are")] : [])
    }

    private static func line(_ change: SchemaMigrationReport.Change) -> String {
        let place = Sentence.plain(change.place)
        let (from, to) = (Sentence.plain(change.from ?? ""), Sentence.plain(change.to ?? ""))
        switch change.kind {
        case .addedCollection, .addedField: return tr("\(place) is new")
        case .renamedCollection, .renamedField: return tr("\(place) is called \(to)")
        case .changedRule: return tr("\(place) follows another rule")
        case .changedFinish where to.isEmpty:
            return tr("\(place): new records no longer wait until they are finished")
        case .changedFinish:
            return tr("\(place): a new record stays on its device until \(to) is set")
        case .removedCollection, .removedField:
            return tr("! \(place) is gone: what is written there is kept, and not shown")
        case .changedDeletion:
            return tr("! \(place): something else happens when its record is deleted")
        case .changedType: return "! \(place): \(from) → \(to)"
        }
    }

    /// The command to type after checking a version.
    static func next(_ report: SchemaMigrationReport, file: String) -> String {
        let isRetyped = report.changes.contains { $0.kind == .changedType }
        let command = "peersync schema \(isRetyped ? tr("migrate") : tr("change"))"
        let rest = "\(Sentence.quoted(report.space.name)) \(Sentence.quoted(file))"
        return tr("Change it: \(command) \(rest)")
    }
}
