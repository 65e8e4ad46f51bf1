import SyncCore
import Testing

@Suite("When this device says what files it holds")
struct FileReportsTests {
    private let crete = SpaceID(sha256([1]))
    private let diary = SpaceID(sha256([2]))
    private let pause = Limits.holdingsIntervalMilliseconds

    @Test("Changed files are reported once, and not again before the pause is over")
    func pauses() {
        var reports = FileReports()
        #expect(reports.nextDeadline == nil)
        reports.changed([crete, diary])
        #expect(reports.nextDeadline == pause)
        let first = [reports.begin(at: pause - 1), reports.begin(at: pause)]
        #expect(first == [[], [crete, diary].sorted()])
        reports.changed([crete])
        let second = [
            reports.begin(at: 2 * pause - 1), reports.begin(at: 2 * pause),
            reports.begin(at: 9 * pause),
        ]
        #expect(second == [[], [crete], []])
    }

    @Test("A report is true once it is signed, unless files changed meanwhile")
    func current() {
        var reports = FileReports()
        reports.changed([crete])
        #expect(!reports.isCurrent(crete) && reports.isCurrent(diary))
        _ = reports.begin(at: pause)
        #expect(!reports.isCurrent(crete))
        reports.changed([crete])
        _ = reports.signed(crete)
        #expect(!reports.isCurrent(crete))
        _ = reports.begin(at: 2 * pause)
        reports.notSigned(crete)
        #expect(reports.isCurrent(crete))
    }

    @Test(
        "A peer that was refused a file gets the next report once, also an equal one")
    func refused() {
        var reports = FileReports()
        reports.needed([crete])
        _ = reports.begin(at: pause)
        // It could not be stored, and is made again.
        reports.notSigned(crete)
        reports.changed([crete])
        _ = reports.begin(at: 2 * pause)
        let answers = [reports.signed(crete), reports.signed(crete), reports.signed(diary)]
        #expect(answers == [true, false, false])
    }

    @Test("What could not be stored is tried again together, at the time of the first")
    func unstored() {
        var unstored = UnstoredStatements()
        unstored.note(crete, at: 5)
        unstored.note(diary, at: 500)
        #expect(unstored.due == 5 + Limits.pullIntervalMilliseconds)
        let taken = [unstored.drain(), unstored.drain()]
        #expect(taken == [[crete, diary].sorted(), []])
        #expect(unstored.due == nil)
    }
}
