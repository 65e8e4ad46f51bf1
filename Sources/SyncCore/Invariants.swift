internal import Synchronization

/// Rules of this program's own state. One that costs next to nothing to look at is a `precondition`, on everywhere;
/// ``check(_:_:file:line:)`` is for those that cost more than the work they guard. None may depend on the bytes of a
/// peer or of a damaged disk that were not validated before: a bad peer costs its session and never a crash.
package enum Invariants {
    private static let areAllChecked = Atomic(false)

    /// From now on all are looked at: in the simulator, the fuzzers and tests.
    package static func checkAll() { areAllChecked.store(true, ordering: .relaxed) }

    /// For rules that take more than one expression to look at.
    static var areChecked: Bool { areAllChecked.load(ordering: .relaxed) }

    /// Ends the process where a rule is broken, with what is wrong.
    package static func check(
        _ holds: @autoclosure () throws -> Bool, _ state: @autoclosure () -> String,
        file: StaticString = #fileID, line: UInt = #line
    ) rethrows {
        guard areAllChecked.load(ordering: .relaxed) else { return }
        let holds = try holds()
        precondition(holds, state(), file: file, line: line)
    }
}
