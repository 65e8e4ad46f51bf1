import Device
import LocalAPI
import Store

/// SQLite's own check of the file, and the references between tables.
struct DatabaseCheck: HealthCheck {
    let check = HealthReport.Check.database

    func run(_ examination: Examination) async throws -> [Problem] {
        let database = examination.database
        let damage: DatabaseDamage = try await Examination.blocking {
            do {
                return try database.damage()
            } catch StoreError.corrupt(let what) {
                return DatabaseDamage(places: [ErrorSentence.plain(what)], strays: 0)
            }
        }
        let problems = damage.all
        guard let first = problems.first else {
            return [Problem(check, .ok, Words("The database is whole."))]
        }
        let words = Words(
            "The database is damaged in \(Sentence.count(problems.count, "place", "places")): \(first).",
            Remedy.damagedDatabase)
        return [
            Problem(
                check, .error, words, isRepairedLater: true,
                repair: examination.open?.rebuilding)
        ]
    }
}
