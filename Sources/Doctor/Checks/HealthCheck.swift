package import LocalAPI

typealias Words = Sentence.Doctor.Words

/// One check of `peersync doctor`, each in its own file.
protocol HealthCheck: Sendable {
    var check: HealthReport.Check { get }
    /// Changes nothing: a repair comes with the problem. Throws if the check could not run.
    func run(_ examination: Examination) async throws -> [Problem]
}

/// A finding, with its repair if that is safe.
package struct Problem: Sendable {
    package var finding: HealthReport.Finding
    /// Carries out the repair and returns a sentence about it.
    let repair: (@Sendable () async throws -> String)?
    /// The repair takes place when the store is opened next: until then the check finds the same.
    let isRepairedLater: Bool

    init(
        _ check: HealthReport.Check, _ severity: HealthReport.Severity,
        _ words: Words, isRepairedLater: Bool = false,
        repair: (@Sendable () async throws -> String)? = nil
    ) {
        finding = HealthReport.Finding(
            check: check, severity: severity, sentence: words.sentence, remedy: words.remedy,
            repairable: repair != nil)
        (self.repair, self.isRepairedLater) = (repair, isRepairedLater)
    }

    static func notChecked(_ check: HealthReport.Check, because reason: String) -> Problem {
        Problem(check, .warning, Words("Checking \(check.words) was not possible: \(reason)"))
    }

    static func storeStopped(_ failure: APIError) -> Problem {
        Problem(
            .store, .error,
            Words(failure.message, failure.advice ?? "Stop the agent and run it again."))
    }
}

/// Remedies that several findings share.
enum Remedy {
    static let repair: Message = "peersync doctor --repair"

    static let useOne: Message = tr(
        """
        Use one of the two only. On the other computer move the folder away and make it a device of \
        its own: peersync join --mine
        """)

    static let damagedDatabase: Message = tr(
        """
        peersync doctor --repair rebuilds the database from every change that is whole, and \
        keeps the damaged one; the other changes come again from other devices. The disk may \
        be failing.
        """)
}

extension Words {
    init(_ error: APIError) { self.init(error.message, error.advice) }
}
