/// What one run reports: its events, the violations that checkers found, and numbers.
final class RunReport {
    var trace: Trace
    var counts = Counts()
    private(set) var violations: [Violation] = []

    init(isRead: Bool) { trace = Trace(isRead: isRead) }

    struct Violation: Hashable, Sendable {
        let check: String
        let text: String
    }

    struct Counts: Sendable {
        var events = 0
        var messages = 0
        /// The bytes of sent messages, without chunks of files.
        var bytes = 0
        var operations = 0
        var faults = 0
        var commits = 0
        var healingMilliseconds: UInt64 = 0
        var deeds: Set<Deed> = []
    }

    func fail(_ check: String, _ text: String) {
        trace.note("violation", text: "\(check): \(text)")
        violations.append(Violation(check: check, text: text))
    }

    /// More violations in one run would add nothing.
    var isHopeless: Bool { violations.count >= 8 }
}
