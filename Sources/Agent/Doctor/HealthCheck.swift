package import LocalAPI

typealias Words = Sentence.Doctor.Words

/// One check of `peersync doctor`, each in its own file below `Checks`.
protocol HealthCheck: Sendable {
    var check: HealthReport.Check { get }
    /// Changes nothing: a repair comes with the problem. Throws if the check could not run.
    func run(_ examination: Examination) async throws -> [Problem]
}

/// All checks, in the order in which they run.
enum HealthChecks {
    /// The checks that need no store and must succeed before one is opened.
    static let ofFolder: [any HealthCheck] = [PermissionCheck(), IdentityCheck()]
    static let ofStore: [any HealthCheck] = [
        DiskCheck(), StoreCheck(), DatabaseCheck(), LogCheck(), ShownCheck(), FileCheck(),
        StatusCheck(), ClockCheck(), NetworkCheck(),
    ]
    /// The checks that still work if the store cannot be opened, and that may find out why.
    static let ofFile: [any HealthCheck] = [DatabaseCheck(), LogCheck()]
}

/// A finding, with its repair if that is safe.
package struct Problem: Sendable {
    package var finding: HealthReport.Finding
    /// Carries out the repair and returns a sentence about it.
    let repair: (@Sendable () async throws -> String)?

    init(
        _ check: HealthReport.Check, _ severity: HealthReport.Severity,
        _ words: Words, repair: (@Sendable () async throws -> String)? = nil
    ) {
        finding = HealthReport.Finding(
            check: check, severity: severity, sentence: words.sentence, remedy: words.remedy,
            repairable: repair != nil)
        self.repair = repair
    }
}
