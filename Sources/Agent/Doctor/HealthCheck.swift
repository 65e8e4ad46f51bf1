package import LocalAPI

typealias Words = Sentence.Doctor.Words

/// One thing that `peersync doctor` looks at, in a file of its own below `Checks`.
protocol HealthCheck: Sendable {
    var check: HealthReport.Check { get }
    /// Changes nothing: what can be put right comes as a problem's repair. Throws when it could not
    /// look.
    func run(_ examination: Examination) async throws -> [Problem]
}

/// What is looked at, in this order.
enum HealthChecks {
    /// What needs no store, and must be right before one is opened.
    static let ofFolder: [any HealthCheck] = [PermissionCheck(), IdentityCheck()]
    static let ofStore: [any HealthCheck] = [
        DiskCheck(), StoreCheck(), DatabaseCheck(), LogCheck(), ShownCheck(), FileCheck(),
        StatusCheck(), ClockCheck(), NetworkCheck(),
    ]
    /// What can still be looked at when the store cannot be opened, and may say why.
    static let ofFile: [any HealthCheck] = [DatabaseCheck(), LogCheck()]
}

/// A finding, and how it is put right where that is safe.
package struct Problem: Sendable {
    package var finding: HealthReport.Finding
    /// Does it and says what was done.
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
