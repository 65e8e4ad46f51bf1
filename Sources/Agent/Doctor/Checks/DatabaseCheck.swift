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
            return [Problem(check, .ok, Sentence.Health.databaseSound)]
        }
        // Rows that refer to nothing are whole pages: making those anew does not change them.
        guard let store = examination.open?.store, damage.strays == 0,
            await isLogSound(database)
        else {
            let words = Sentence.Health.databaseDamaged(problems.count, example: first)
            return [Problem(check, .error, words)]
        }
        let home = examination.home.directory
        let words = Sentence.Health.databaseBroken(problems.count, example: first)
        return [
            Problem(check, .error, words) {
                let copy = try await store.offloaded { try $0.salvage(in: home) }
                return Sentence.Health.databaseRemade(copy: copy)
            }
        ]
    }

    /// Every commit is there and verifies: what follows from them can be made anew.
    private func isLogSound(_ database: StoreExamination) async -> Bool {
        do {
            return try await Examination.blocking { try database.verifyLogs().faults == 0 }
        } catch {
            return false
        }
    }
}
