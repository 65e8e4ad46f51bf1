import Device
import LocalAPI
import Store

/// The store is open and takes changes.
struct StoreCheck: HealthCheck {
    let check = HealthReport.Check.store

    func run(_ examination: Examination) async throws -> [Problem] {
        guard let open = examination.open else { return [] }
        var problems: [Problem] = []
        let fault =
            open.runtime?.node.storageFault
            ?? open.store.writeFailure.map { ErrorSentence.of($0) }
        if let fault {
            let words = Sentence.Health.storeStopped(fault.sentence, fault.hint)
            problems.append(Problem(check, .error, words))
        } else if open.runtime?.node.isDiskFull != true {
            problems.append(Problem(check, .ok, Sentence.Health.takesChanges))
        }
        for copy in SyncStore.damagedCopies(in: examination.home.directory) {
            problems.append(Problem(check, .note, Sentence.Health.rebuilt(copy: copy)))
        }
        switch open.store.opening.newBecause {
        case .machineChanged:
            problems.append(Problem(check, .note, Sentence.Health.copied))
        case .fileReplaced:
            problems.append(Problem(check, .note, Sentence.Health.putBack))
        case .firstOpening, nil: break
        }
        return problems
    }
}
