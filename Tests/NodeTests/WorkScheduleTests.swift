import Node
import SyncCore
import Testing

@Suite("Which background work begins, and when")
struct WorkScheduleTests {
    private let kinds = Set(BackgroundWork.Kind.allCases)
    private let hour: UInt64 = 3_600_000

    private func blob(_ number: UInt8) -> BlobID { BlobID(sha256([number])) }

    private func opened(_ rounds: [WorkSchedule.Round] = []) -> WorkSchedule {
        var schedule = WorkSchedule()
        _ = schedule.open(kinds, rounds, at: 0)
        return schedule
    }

    @Test("work that is asked for while its kind runs is done once more, for all that was asked")
    func again() {
        // given
        var schedule = opened()
        let first = schedule.add(.findFiles([blob(1)]))
        // when
        let more = [2, 3, 2].flatMap { schedule.add(.findFiles([blob($0)])) }
        // then
        #expect(first == [.start(.findFiles([blob(1)]))])
        #expect(more == [])
        #expect(schedule.running == [.findFiles([blob(1)])])
        #expect(schedule.waiting == [.findFiles([blob(2), blob(3)])])
        #expect(schedule.ended(.findFiles, at: 1) == [.start(.findFiles([blob(2), blob(3)]))])
        #expect(schedule.ended(.findFiles, at: 2) == [])
        #expect(schedule.running == [] && schedule.waiting == [])
    }

    @Test("work that the running one covers is not done again")
    func covered() {
        // given
        var schedule = opened()
        _ = schedule.add(.examineDatabase)
        // when
        let more = schedule.add(.examineDatabase)
        // then
        #expect(more == [] && schedule.waiting == [])
        #expect(schedule.ended(.examineDatabase, at: 1) == [])
    }

    @Test("work that waits is merged, so that no work of a kind is left out")
    func merged() {
        // given
        var schedule = opened()
        let (some, other) = (SpaceID(sha256([1])), SpaceID(sha256([2])))
        _ = schedule.add(.settleDataSets(DataSetScope(follows: true)))
        // when
        _ = schedule.add(.settleDataSets(DataSetScope(spaces: [some])))
        _ = schedule.add(.settleDataSets(DataSetScope(isEverywhere: true)))
        _ = schedule.add(.settleDataSets(DataSetScope(spaces: [other])))
        // then
        let all = DataSetScope(isEverywhere: true, spaces: [some, other])
        #expect(schedule.ended(.settleDataSets, at: 1) == [.start(.settleDataSets(all))])
    }

    @Test("files of work that waits are limited")
    func limited() {
        // given
        var schedule = opened()
        let many = Set(
            (0..<Limits.filesOfWaitingWork).map { number in
                BlobID(sha256([UInt8(number >> 8), UInt8(number & 255)]))
            })
        _ = schedule.add(.missFiles([blob(1)]))
        _ = schedule.add(.missFiles(many))
        // when
        _ = schedule.add(.missFiles([blob(2), blob(3)]))
        // then
        #expect(schedule.waiting == [.missFiles(many)])
    }

    @Test("rounds share two places; what follows from an event does not wait for them")
    func priorities() {
        // given
        var schedule = opened()
        _ = schedule.add(.compareFiles(isPaced: true))
        _ = schedule.add(.examineDatabase)
        // when
        let third = schedule.add(.freeFiles)
        let normal = schedule.add(.findFiles([blob(1)]))
        let soon = schedule.add(.missFiles([blob(2)]))
        // then
        #expect(third == [])
        #expect(normal == [.start(.findFiles([blob(1)]))])
        #expect(soon == [.start(.missFiles([blob(2)]))])
        #expect(schedule.waiting == [.freeFiles])
        #expect(schedule.ended(.examineDatabase, at: 1) == [.start(.freeFiles)])
    }

    @Test("work that was asked for before the start begins then, in the order of priority")
    func early() {
        // given
        var schedule = WorkSchedule()
        let before =
            schedule.add(.compareFiles(isPaced: false)) + schedule.add(.freeFiles)
            + schedule.add(.examineDatabase) + schedule.add(.missFiles([blob(1)]))
        // when
        let actions = schedule.open(kinds.subtracting([.freeFiles]), [], at: 5)
        // then this program does not free files
        #expect(before == [])
        #expect(
            actions == [
                .start(.missFiles([blob(1)])), .start(.compareFiles(isPaced: false)),
                .start(.examineDatabase),
            ])
        #expect(schedule.add(.freeFiles) == [] && schedule.waiting == [])
        // when it does from now on
        _ = schedule.ended(.examineDatabase, at: 6)
        _ = schedule.open([.freeFiles], [], at: 7)
        // then
        #expect(schedule.add(.freeFiles) == [.start(.freeFiles)])
        #expect(schedule.add(.findFiles([blob(1)])) == [.start(.findFiles([blob(1)]))])
    }

    @Test("a round comes again a while after its end, and the first one may differ")
    func rounds() {
        // given
        var schedule = WorkSchedule()
        let compare = WorkSchedule.Round(
            .compareFiles(isPaced: false), then: .compareFiles(isPaced: true), every: hour, at: 10)
        let examine = WorkSchedule.Round(
            .examineDatabase, every: 24 * hour, after: 24 * hour, at: 10)
        // when
        let first = schedule.open(kinds, [compare, examine], at: 10)
        // then
        #expect(first == [.start(.compareFiles(isPaced: false))])
        #expect(schedule.nextTick == 10 + 24 * hour)
        #expect(schedule.ended(.compareFiles, at: 1_000) == [])
        #expect(schedule.nextTick == 1_000 + hour)
        #expect(schedule.tick(at: 999 + hour) == [])
        #expect(schedule.tick(at: 1_000 + hour) == [.start(.compareFiles(isPaced: true))])
        #expect(schedule.nextTick == 10 + 24 * hour)
        #expect(schedule.tick(at: 10 + 24 * hour) == [.start(.examineDatabase)])
        #expect(schedule.nextTick == nil)
    }

    @Test("changes do not put a round off, and a round that waits is not due again")
    func busy() {
        // given data sets that change all the time
        var schedule = WorkSchedule()
        let everywhere = BackgroundWork.settleDataSets(DataSetScope(isEverywhere: true))
        let space = SpaceID(sha256([1]))
        let change = BackgroundWork.settleDataSets(DataSetScope(spaces: [space]))
        _ = schedule.open(
            kinds, [WorkSchedule.Round(everywhere, every: hour, after: hour, at: 0)], at: 0)
        _ = schedule.add(change)
        for now in 1...9 {
            _ = schedule.add(change)
            #expect(schedule.ended(.settleDataSets, at: UInt64(now)) == [.start(change)])
        }
        // when
        let due = schedule.tick(at: hour)
        _ = schedule.add(change)
        // then
        let both = BackgroundWork.settleDataSets(
            DataSetScope(isEverywhere: true, spaces: [space]))
        #expect(due == [] && schedule.nextTick == nil)
        #expect(schedule.ended(.settleDataSets, at: hour + 1) == [.start(both)])
        #expect(schedule.nextTick == nil)
        #expect(schedule.ended(.settleDataSets, at: hour + 2) == [])
        #expect(schedule.nextTick == 2 * hour + 2)
    }

    @Test("after the end nothing begins, not even what waited")
    func closed() {
        // given
        var schedule = opened([
            WorkSchedule.Round(.freeFiles, every: hour, at: 0)
        ])
        _ = schedule.add(.findFiles([blob(1)]))
        _ = schedule.add(.findFiles([blob(2)]))
        // when
        let actions = schedule.close()
        // then
        #expect(actions == [.cancel(.findFiles), .cancel(.freeFiles)])
        #expect(schedule.ended(.findFiles, at: 1) == [])
        #expect(schedule.ended(.freeFiles, at: 1) == [])
        #expect(schedule.add(.missFiles([blob(3)])) == [])
        #expect(schedule.tick(at: 10 * hour) == [] && schedule.nextTick == nil)
        #expect(schedule.running == [] && schedule.waiting == [])
    }
}
