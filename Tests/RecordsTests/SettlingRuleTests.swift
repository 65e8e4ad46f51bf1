import Records
import SyncCore
import Testing

@Suite("The device that settles versions of a data set which were applied separately")
struct SettlingRuleTests {
    private let ann = DeviceID(sha256([1]))
    private let ben = DeviceID(sha256([2]))
    private let cleo = DeviceID(sha256([3]))
    private let applied = Milliseconds(1_000_000)
    private var soon: Milliseconds { Milliseconds(applied.value + 3_600_000) }
    private var nextDay: Milliseconds { Milliseconds(applied.value + 24 * 3_600_000) }

    private func version(
        by device: DeviceID, isHighest: Bool = false, isReplaced: Bool = false,
        isOfUndo: Bool = false, _ precedence: Precedence = .user, received: Milliseconds? = nil
    ) -> SettlingRule.Version {
        SettlingRule.Version(
            by: device, isHighest: isHighest, isReplaced: isReplaced, isOfUndo: isOfUndo,
            precedence: precedence.rawValue, received: received ?? applied)
    }

    /// Those of the devices that are due.
    private func due(
        _ versions: [SettlingRule.Version], at now: Milliseconds, admins: Set<DeviceID>,
        writing precedence: Precedence = .user
    ) -> [DeviceID] {
        [ann, ben, cleo].filter {
            SettlingRule(versions).isDue(
                on: $0, writing: precedence.rawValue, at: now, isAdmin: admins.contains)
        }
    }

    @Test("The device that applied the higher version does it; after a day, those of a lower one")
    func higher() {
        // given
        let versions = [version(by: ann, isHighest: true), version(by: ben)]
        // when, then
        let all: Set = [ann, ben, cleo]
        #expect(due(versions, at: soon, admins: all) == [ann])
        #expect(due(versions, at: nextDay, admins: all) == [ann, ben])
    }

    @Test(
        "If the higher version's device may not do it any more, those of a lower one do it at once")
    func withoutRight() {
        // given
        let versions = [version(by: ann, isHighest: true), version(by: ben), version(by: cleo)]
        // when, then
        #expect(due(versions, at: soon, admins: [ben, cleo]) == [ben, cleo])
        #expect(due(versions, at: soon, admins: [cleo]) == [cleo])
        #expect(due(versions, at: nextDay, admins: []).isEmpty)
    }

    @Test("Devices that applied the same version have nothing to settle")
    func same() {
        // given
        let versions = [version(by: ann, isHighest: true), version(by: ben, isHighest: true)]
        // when, then
        #expect(due(versions, at: nextDay, admins: [ann, ben]).isEmpty)
    }

    @Test("The day begins when the last version arrives")
    func arrival() {
        // given
        let versions = [version(by: ann, isHighest: true, received: soon), version(by: ben)]
        let later = Milliseconds(soon.value + 24 * 3_600_000)
        // when, then
        #expect(due(versions, at: nextDay, admins: [ann, ben]) == [ann])
        #expect(due(versions, at: later, admins: [ann, ben]) == [ann, ben])
    }

    @Test("A version with more authority is settled only by a device that has it")
    func outranked() {
        // given
        let versions = [version(by: ann, isHighest: true), version(by: ben, .authority)]
        // when, then
        #expect(due(versions, at: nextDay, admins: [ann, ben]).isEmpty)
        #expect(due(versions, at: nextDay, admins: [ann, ben], writing: .authority) == [ann, ben])
    }

    @Test("A version that was replaced, and stays all the same, is not replaced again")
    func replaced() {
        // given
        let versions = [version(by: ann, isHighest: true), version(by: ben, isReplaced: true)]
        // when, then
        #expect(due(versions, at: nextDay, admins: [ann, ben]).isEmpty)
        #expect(due(versions + [version(by: cleo)], at: soon, admins: [ann, ben]) == [ann])
    }

    @Test("A device on which a person undid its version settles nothing")
    func undone() {
        // given
        let lower = [version(by: ann, isOfUndo: true), version(by: ben, isHighest: true)]
        let higher = [version(by: ann, isHighest: true, isOfUndo: true), version(by: ben)]
        // when, then
        #expect(due(lower, at: nextDay, admins: [ann, ben]) == [ben])
        #expect(due(higher, at: soon, admins: [ann, ben]).isEmpty)
    }
}
