import SyncCore
import Testing

/// Which commits a redating dates anew, and who may write it.
@Suite struct RedatingTests {
    private let ann = TestDevice(1, person: 1)
    private let annsPhone = TestDevice(2, person: 1)
    private let ben = TestDevice(3, person: 2)
    private let cleo = TestDevice(4, person: 3)
    private var family: Family
    private var grants: [DeviceID: FactReference] = [:]

    init() {
        family = Family(ann)
        grants[ann.id] = family.root
        grants[annsPhone.id] = family.grant(
            annsPhone, .all, by: ann, under: family.root, sibling: 1)
        grants[ben.id] = family.grant(ben, .editor, by: ann, under: family.root)
        grants[cleo.id] = family.grant(cleo, .contributor, by: ann, under: family.root)
    }

    private func redating(
        _ device: TestDevice, _ offset: Int64, _ span: ClosedRange<UInt64> = 0...10_000
    ) -> MembershipFact {
        .redating(Redating(device: device.id, span: span, offsetMilliseconds: offset))
    }

    private mutating func write(_ author: TestDevice, _ facts: [MembershipFact] = []) {
        family.write(author.log, under: grants[author.id] ?? family.root, facts)
    }

    /// Milliseconds, of a commit whose own clock says 5000.
    private func date(_ device: TestDevice, _ sequence: UInt64) -> UInt64 {
        family.membership.redatings.clock(
            at: device.log, sequence, raw: HybridTime(milliseconds: 5_000, counter: 7)
        ).milliseconds
    }

    @Test("It reaches what its commit had seen of the device, and neither itself nor later ones")
    mutating func reach() {
        write(ben)
        write(ben)
        write(ben, [redating(ben, -1_000)])
        write(ben)

        #expect(
            (1...4 as ClosedRange<UInt64>).map { date(ben, $0) } == [4_000, 4_000, 5_000, 5_000])
        #expect(date(cleo, 1) == 5_000)
    }

    @Test("It moves what lies in its span by the clocks of the headers, ends included")
    mutating func span() {
        write(ben)
        write(ben, [redating(ben, 250, 5_000...5_000)])
        func date(_ milliseconds: UInt64) -> UInt64 {
            let raw = HybridTime(milliseconds: milliseconds, counter: 0)
            return family.membership.redatings.clock(at: ben.log, 1, raw: raw).milliseconds
        }

        #expect([4_999, 5_000, 5_001].map(date) == [4_999, 5_250, 5_001])
    }

    @Test("A device may redate itself and others of its person, an admin everybody, nobody else")
    mutating func rights() {
        write(ben)
        write(annsPhone)
        let all = [ann, annsPhone, ben, cleo]
        func may(_ author: TestDevice) -> [Bool] {
            all.map { family.membership.mayRedate($0.id, from: author.id) }
        }
        #expect(may(ben) == [false, false, true, false])
        #expect(may(annsPhone) == [true, true, true, true])

        write(cleo, [redating(ben, -1_000)])
        #expect(date(ben, 1) == 5_000)
        write(ben, [redating(annsPhone, -1_000)])
        #expect(date(annsPhone, 1) == 5_000)
        write(annsPhone, [redating(ben, -1_000)])
        #expect(date(ben, 1) == 4_000)
    }

    @Test("Of two the one that had seen the other counts; 0 takes it back")
    mutating func later() {
        write(ben)
        write(ben, [redating(ben, -1_000)])
        write(ann, [redating(ben, -2_000)])
        #expect(date(ben, 1) == 3_000)
        write(ben, [redating(ben, 0)])
        #expect(date(ben, 1) == 5_000)
    }

    @Test("One whose author loses the right to it ceases to count")
    mutating func revoked() throws {
        write(ben)
        let before = family.watermark
        write(ben, [redating(ben, -1_000)])
        #expect(date(ben, 1) == 4_000)

        family.revoke(
            try #require(grants[ben.id]), by: ann, under: family.root, cut: before)

        #expect(date(ben, 1) == 5_000)
        #expect(family.membership.redatings.shifts.isEmpty)
    }

    @Test("A forked log's redatings from the fork on do not count")
    mutating func forked() {
        write(ben)
        write(ben, [redating(ben, -1_000)])
        var membership = family.membership
        let isChanged = membership.fork(ben.log, at: 2)
        #expect(isChanged && membership.redatings.shifts.isEmpty)
    }

    @Test("Only the first ones of a log count")
    mutating func limit() {
        write(ben)
        for offset in 1...Limits.redatingsPerLog { write(ben, [redating(ben, Int64(offset))]) }
        let last = date(ben, 1)
        write(ben, [redating(ben, 0)])
        #expect(last == 5_000 + UInt64(Limits.redatingsPerLog) && date(ben, 1) == last)
        // Another device can still take it back.
        write(ann, [redating(ben, 0)])
        #expect(date(ben, 1) == 5_000)
    }

    @Test("No offset carries a time out of its range")
    func bounds() {
        let time = HybridTime(milliseconds: 5_000, counter: 7)
        #expect(time.moved(by: .min) == HybridTime(milliseconds: 0, counter: 7))
        #expect(time.moved(by: .max) == HybridTime(milliseconds: 1 << 48 - 1, counter: 7))
        #expect(HybridTime(raw: .max).moved(by: 1) == HybridTime(raw: .max))
    }

    @Test("A clock that settles comes back to the wall clock, and one that is behind stays")
    func settling() {
        let now = Milliseconds(1_700_000_000_000)
        var ahead = HybridClock(latest: HybridTime(milliseconds: now.value * 2, counter: 0))
        ahead.settle(now: now)
        #expect(ahead.tick(now: now).milliseconds <= now.value + Limits.clockLeadMilliseconds + 1)
        let before = HybridTime(milliseconds: 5, counter: 3)
        var behind = HybridClock(latest: before)
        behind.settle(now: now)
        #expect(behind.latest == before)
    }
}
