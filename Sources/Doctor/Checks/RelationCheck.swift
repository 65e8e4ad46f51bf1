import Device
import LocalAPI
import Records
import Store
import SyncCore

/// The records of every space are consistent: references lead to records, parts have their parent.
/// ``ShownCheck`` runs it once all shown records are correct.
struct RelationCheck: HealthCheck {
    let check = HealthReport.Check.relations

    func run(_ examination: Examination) async throws -> [Problem] {
        guard let node = examination.open?.agent?.node else {
            return [
                Problem(
                    check, .note,
                    Words(
                        "How records hang together was not checked, as no agent runs here.",
                        "peersync space check SPACE"))
            ]
        }
        let spaces = try SpaceDirectory(node).readable()
        var problems: [Problem] = []
        var records = 0
        for (index, space) in spaces.enumerated() {
            try examination.progress(index, spaces.count)
            // A space whose schema is not followed here shows no references.
            guard let schema = node.schema(of: space.id) else { continue }
            var run = try SpaceCheckRun(node, space.id, schema)
            try run.run()
            records += run.records
            guard let problem = problem(run, space.id, space.name, examination) else {
                continue
            }
            problems.append(problem)
        }
        return problems.isEmpty
            ? [
                Problem(
                    check, .ok,
                    Words(
                        """
                        \(Sentence.count(records, "record", "records")) hang together as they \
                        should.
                        """))
            ] : problems
    }

    private func problem(
        _ run: SpaceCheckRun, _ space: SpaceID, _ name: String, _ examination: Examination
    ) -> Problem? {
        let flaws = run.flaws.all
        guard !flaws.isEmpty else { return nil }
        let isTrouble = flaws.contains { $0.severity.isTrouble }
        let known = examination.isMasked || name.isEmpty ? nil : name
        let what = Sentence.count(flaws.count, "thing", "things")
        return Problem(
            check, isTrouble ? .warning : .note,
            Words(
                """
                Between the records of \(known.map { Sentence.name($0) } ?? space.logged): \(what) to know.
                """,
                "peersync space check \(known.map { Sentence.quoted($0) } ?? space.logged)"))
    }
}
