import LocalAPI
import Store

/// SQLite's own check of the file, and the references between tables.
struct DatabaseCheck: HealthCheck {
    let check = HealthReport.Check.database

    func run(_ examination: Examination) async throws -> [Ailment] {
        let database = examination.database
        let problems = try await Examination.blocking {
            do {
                return try database.damage()
            } catch StoreError.corrupt(let what) {
                return [what]
            }
        }
        guard let first = problems.first else {
            return [Ailment(check, .ok, Sentence.Health.databaseSound)]
        }
        let words = Sentence.Health.databaseDamaged(problems.count, example: first)
        return [Ailment(check, .error, words)]
    }
}
