import LocalAPI
import Store
import SyncCore

/// The records of every space hang together: references lead somewhere, parts have their whole. Run
/// by ``ShownCheck`` once everything that is shown is right.
struct RelationCheck: HealthCheck {
    let check = HealthReport.Check.relations

    func run(_ examination: Examination) async throws -> [Ailment] {
        guard let core = examination.patient?.runtime?.core else {
            return [Ailment(check, .note, Sentence.SpaceCheck.withoutAgent)]
        }
        let places = try JournalService(core: core).trips.readablePlaces()
        var ailments: [Ailment] = []
        var records = 0
        for (index, (space, trip)) in places.enumerated() {
            try examination.progress(index, places.count)
            // One whose schema is not followed here shows nothing that could lead nowhere.
            guard let schema = core.schema(of: space) else { continue }
            var run = try SpaceCheckRun(core, space, schema)
            try run.run()
            records += run.records
            guard let ailment = ailment(run, space, trip?.name ?? "home", examination) else {
                continue
            }
            ailments.append(ailment)
        }
        return ailments.isEmpty
            ? [Ailment(check, .ok, Sentence.SpaceCheck.sound(records))] : ailments
    }

    private func ailment(
        _ run: SpaceCheckRun, _ space: SpaceID, _ name: String, _ examination: Examination
    ) -> Ailment? {
        let flaws = run.flaws.all
        guard !flaws.isEmpty else { return nil }
        let isTrouble = flaws.contains { $0.severity.isTrouble }
        let known = examination.isMasked || name.isEmpty ? nil : name
        return Ailment(
            check, isTrouble ? .warning : .note,
            Sentence.SpaceCheck.summary(flaws.count, in: known, id: space.logged))
    }
}
