import LocalAPI
import Store

/// The store is open and takes changes.
struct StoreCheck: HealthCheck {
    let check = HealthReport.Check.store

    func run(_ examination: Examination) async throws -> [Ailment] {
        guard let patient = examination.patient else { return [] }
        var ailments: [Ailment] = []
        let fault =
            patient.runtime?.core.storageFault
            ?? patient.store.writeFailure.map { ErrorSentence.of($0) }
        if let fault {
            let words = Sentence.Health.storeStopped(fault.sentence, fault.hint)
            ailments.append(Ailment(check, .error, words))
        } else if patient.runtime?.core.isDiskFull == true {
            ailments.append(Ailment(check, .warning, Sentence.Health.diskWasFull))
        } else {
            ailments.append(Ailment(check, .ok, Sentence.Health.takesChanges))
        }
        switch patient.store.opening.newBecause {
        case .machineChanged, .fileReplaced:
            ailments.append(Ailment(check, .note, Sentence.Health.newIncarnation))
        case .firstOpening, nil: break
        }
        return ailments
    }
}
