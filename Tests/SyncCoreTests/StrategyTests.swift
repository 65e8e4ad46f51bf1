import SyncCore
import Testing

@Suite("Merge strategies") struct StrategyTests {
    /// A write of the device with this number, concurrent with those of others.
    private func write(
        _ number: UInt64, _ value: Value, clock: UInt64, precedence: Precedence = .user
    ) -> SurvivingWrite {
        let device = TestDevice(number, person: number)
        return SurvivingWrite(
            id: WriteID(commit: CommitID(number: number), index: 0), log: device.log, sequence: 1,
            clock: HybridTime(raw: clock), precedence: precedence.rawValue, value: value)
    }

    private func place(_ radius: Double?) -> Value {
        .position(PositionValue(latitude: 48.2, longitude: 16.4, radiusMetres: radius))
    }

    @Test("the longer title wins, however old; of equally long ones the last")
    func longest() {
        let register = Register([
            write(1, .text("Rom, zweiter Tag"), clock: 1), write(2, .text("Rom"), clock: 9),
            write(3, .null, clock: 10),
        ])
        let shown = MergeStrategy.longest.shown(register)
        #expect(shown == ShownRegister(value: .text("Rom, zweiter Tag"), isConflicted: true))
        let equal = Register([write(1, .text("Rom"), clock: 1), write(2, .text("Bad"), clock: 2)])
        #expect(MergeStrategy.longest.shown(equal)?.value == .text("Bad"))
        // Four scalars look like one sign, and count as four.
        let signs = Register([
            write(1, .text("👩‍👩‍👧"), clock: 1), write(2, .text("abc"), clock: 2),
        ])
        #expect(MergeStrategy.longest.shown(signs)?.value == .text("👩‍👩‍👧"))
    }

    @Test("the more accurate position wins; one of unknown accuracy loses, none at all even more")
    func mostAccurate() {
        let writes = [
            write(1, place(5), clock: 1), write(2, place(40), clock: 9),
            write(3, place(nil), clock: 10), write(4, .null, clock: 11),
            write(5, place(-1), clock: 12), write(6, place(.nan), clock: 13),
        ]
        #expect(MergeStrategy.mostAccurate.shown(Register(writes))?.value == place(5))
        let rest = Array(writes.dropFirst(2))
        #expect(MergeStrategy.mostAccurate.shown(Register(rest))?.value == place(.nan))
        let known = Array(writes[2...3])
        #expect(MergeStrategy.mostAccurate.shown(Register(known))?.value == place(nil))
    }

    @Test("lastWrite and userChoice show the greatest clock, and somebody should decide")
    func last() {
        let register = Register([
            write(1, .integer(1), clock: 9), write(2, .integer(2), clock: 1),
        ])
        for strategy in [MergeStrategy.lastWrite, .userChoice] {
            let shown = strategy.shown(register)
            #expect(shown == ShownRegister(value: .integer(1), isConflicted: true))
        }
    }

    @Test("an authority's word is shown alone, a data set's never beside a person's")
    func precedence() {
        let register = Register([
            write(1, .text("a longer title of a person"), clock: 9),
            write(2, .text("official"), clock: 1, precedence: .authority),
            write(
                3, .text("an even longer title from a data set"), clock: 10, precedence: .dataSet),
        ])
        for strategy in MergeStrategy.allCases {
            let shown = strategy.shown(register)
            #expect(shown == ShownRegister(value: .text("official"), isConflicted: false))
        }
        let people = Register([register.writes.filter { $0.precedence != 2 }].flatMap { $0 })
        #expect(MergeStrategy.longest.shown(people)?.value == .text("a longer title of a person"))
    }

    @Test("nothing written shows nothing, equal values are no conflict, under every strategy")
    func plain() {
        let equal = Register([write(1, .text("a"), clock: 1), write(2, .text("a"), clock: 2)])
        for strategy in MergeStrategy.allCases {
            #expect(strategy.shown(Register()) == nil)
            let shown = strategy.shown(equal)
            #expect(shown == ShownRegister(value: .text("a"), isConflicted: false))
        }
    }

    @Test("which strategy fits which type")
    func fits() {
        #expect(MergeStrategy.allCases.filter { $0.fits(.set(of: .text)) } == [.union])
        let text: [MergeStrategy] = [.lastWrite, .longest, .mergeText, .userChoice]
        #expect(MergeStrategy.allCases.filter { $0.fits(.text) } == text)
        let position: [MergeStrategy] = [.lastWrite, .mostAccurate, .userChoice]
        #expect(MergeStrategy.allCases.filter { $0.fits(.position) } == position)
        let plain: [MergeStrategy] = [.lastWrite, .userChoice]
        for type in [FieldType.integer, .decimal, .boolean, .time, .json, .blob(.original)] {
            #expect(MergeStrategy.allCases.filter { $0.fits(type) } == plain)
        }
    }
}
