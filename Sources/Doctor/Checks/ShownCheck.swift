import Device
import LocalAPI
import Store

/// The shown records and the search index match the log.
struct ShownCheck: HealthCheck {
    let check = HealthReport.Check.shown

    func run(_ examination: Examination) async throws -> [Problem] {
        let database = examination.database
        let verdict: ShownVerdict
        do {
            verdict = try await Examination.blocking {
                try database.compareShown(progress: examination.progress)
            }
        } catch let error as CancellationError {
            throw error
        } catch StoreError.corrupt {
            return [
                Problem(
                    check, .note,
                    Words(
                        "What is shown was not compared with the log, as the database is damaged."))
            ]
        } catch {
            let reason = ErrorSentence.of(error).sentence
            let words = Words(
                "What is shown could not be compared with the log: \(reason).",
                Remedy.damagedDatabase)
            return [Problem(check, .error, words)]
        }
        guard let store = examination.open?.store else { return [] }
        // Without the keys, encrypted records look as if they had never been written.
        guard
            try verdict.faults.isEmpty || examination.hasKeys && !store.records.lackKeys()
        else {
            return [
                Problem(
                    check, .note,
                    Words(
                        """
                        What is shown was not compared with the log, as this device's keys cannot \
                        be read.
                        """))
            ]
        }
        let problems = shown(verdict, store) + search(verdict, store)
        // Reading a record with wrong bytes would end all writing of this process.
        guard !verdict.faults.contains(where: \.isShownWrong) else { return problems }
        return problems + (try await relations(examination))
    }

    private func relations(_ examination: Examination) async throws -> [Problem] {
        let check = RelationCheck()
        do {
            try await examination.findMissingFiles()
            return try await check.run(examination)
        } catch let error as CancellationError {
            throw error
        } catch {
            let reason = ErrorSentence.of(error).sentence
            return [.notChecked(check.check, because: reason)]
        }
    }

    private func shown(_ verdict: ShownVerdict, _ store: SyncStore) -> [Problem] {
        let wrong = verdict.faults.filter(\.isShownWrong)
        guard !wrong.isEmpty else {
            return [
                Problem(
                    check, .ok,
                    Words(
                        """
                        What is shown is what the log says: \
                        \(Sentence.count(verdict.records, "record", "records")).
                        """))
            ]
        }
        return wrong.map { fault in
            let number = fault.changed + fault.missing + fault.surplus
            let space = fault.space.logged
            let words = Words(
                number == 1
                    ? "\(number) record in \(space) is not what the log says."
                    : "\(number) records in \(space) are not what the log says.", Remedy.repair)
            return Problem(check, .error, words) {
                try await ShownCheck.remake(store)
            }
        }
    }

    private func search(_ verdict: ShownVerdict, _ store: SyncStore) -> [Problem] {
        let isWrong = verdict.isIndexBroken || verdict.faults.contains { $0.misfiled > 0 }
        guard isWrong else {
            return [Problem(.search, .ok, Words("Search finds every record by its words."))]
        }
        return [
            Problem(
                .search, .warning,
                Words("The search index is not what the records say.", Remedy.repair)
            ) {
                try await store.offloaded { try $0.records.remakeSearch() }
                return tr("The search index was rebuilt.")
            }
        ]
    }

    /// Rebuilds all shown records, checks the result, and says what it did.
    static func remake(_ store: SyncStore) async throws -> String {
        try await store.offloaded { store in
            try store.records.remakeAll()
            let after = try store.examination.compareShown()
            guard !after.faults.contains(where: \.isShownWrong) else {
                throw StoreError.corrupt("records differ again")
            }
        }
        return tr("Everything shown was rebuilt from the log.")
    }
}
