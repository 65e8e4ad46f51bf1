package import LocalAPI
internal import SyncCore

/// Checks the consistency of a space's records.
package struct SpaceCheckService: Sendable {
    let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// Throws a sentence when the schema cannot be followed here.
    package func check(_ typed: String) throws -> SpaceCheckView {
        let space = try SpaceDirectory(replica).readable(typed)
        var run = try SpaceCheckRun(replica, space.id, replica.requireSchema(of: space.id))
        try run.run()
        let findings = run.flaws.all.map { finding($0, in: space.reference) }
        let verdict = try replica.sync.verdict(of: space.id)
        // Lost and failed files are reported with their records.
        let problems = verdict.problems.filter {
            ![.lostFiles, .goneFiles, .givenUpFiles, .noRoom].contains($0.kind)
        }
        let open =
            findings.count { $0.severity.isTrouble }
            + problems.count { $0.isUrgent || $0.kind == .conflicts }
        let words = StatusWords(replica)
        return SpaceCheckView(
            space: space.reference,
            verdict: sentence(open: open, records: run.records),
            sound: open == 0, records: run.records, findings: findings,
            problems: problems.map { words.view(of: $0) })
    }

    private func finding(_ flaw: SpaceFlaw, in space: Reference) -> SpaceCheckView.Finding {
        let words = SpaceCheckWords.words(
            flaw.key.kind, flaw.count, of: flaw.key.collection, field: flaw.key.field,
            in: space.name.isEmpty ? space.shortID : space.name)
        let short = ShortIDs(flaw.examples.map(\.id.description))
        return SpaceCheckView.Finding(
            kind: flaw.key.kind, severity: flaw.severity, collection: flaw.key.collection,
            field: flaw.key.field, count: flaw.count,
            examples: flaw.examples.map { id, name in
                Reference(id: id.description, shortID: short[id.description], name: name)
            }, sentence: words.sentence, remedy: words.remedy)
    }

    private func sentence(open: Int, records: Int) -> String {
        let looked = Sentence.count(records, "record", "records")
        return open == 0
            ? tr("\(looked) looked at: nothing is left to do.")
            : tr(
                open, "\(looked) looked at: \(open) thing needs your attention.",
                "\(looked) looked at: \(open) things need your attention.")
    }
}
