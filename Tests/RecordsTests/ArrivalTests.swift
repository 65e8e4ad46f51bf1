import LocalAPI
import Records
import Store
import SyncCore
import Testing

@Suite("Late changes and many deletions")
struct ArrivalTests {
    private static let day: UInt64 = 86_400_000
    private static let minute: UInt64 = 60_000
    /// Some day at 12:00:20.
    private static let noon: UInt64 = 20_000 * day + day / 2 + 20_000

    private static func device(_ number: UInt8) -> DeviceID { DeviceID(sha256([number])) }

    /// Written and received at these milliseconds, in storing order.
    private func commits(_ times: [(written: UInt64, received: UInt64)]) -> [ArrivedCommit] {
        times.enumerated().map { index, time in
            ArrivedCommit(
                place: Int64(index + 1), id: CommitID(sha256([UInt8(index)])),
                clock: HybridTime(milliseconds: time.written, counter: 0),
                receivedAt: Milliseconds(time.received))
        }
    }

    private func places(_ meeting: Meeting?) -> [Int64] { meeting?.commits.map(\.place) ?? [] }

    @Test("A pause of more than ten minutes ends a meeting")
    func meetings() {
        let start = Self.noon
        let meetings = Meeting.split(
            commits([
                (start, start), (start, start + 10 * Self.minute),
                (start, start + 20 * Self.minute + 1), (start, start + 21 * Self.minute),
            ]))
        #expect(meetings.map { places($0) } == [[1, 2], [3, 4]])
        #expect(meetings.map(\.next?.value) == [start + 20 * Self.minute + 1, nil])
        #expect(Meeting.split([]).isEmpty)
    }

    @Test("Changes from before a device came back are late; later ones are not")
    func late() throws {
        let start = Self.noon
        let all = commits([
            (start - 21 * Self.day, start), (start - 1000, start + 50), (start + 200, start + 300),
            (start + Self.minute, start + Self.minute),
        ])
        let meeting = try #require(Meeting.split(all).first)
        let late = try #require(meeting.late(clockBehind: 0))
        #expect(places(late) == [1, 2])
        #expect(late.next?.value == start + 300)
        #expect(late.written.value == start - 21 * Self.day)
        // Seven days are not yet long.
        let week = commits([(start - 7 * Self.day, start)])
        #expect(Meeting.split(week).first?.late(clockBehind: 0) == nil)
        #expect(
            places(
                Meeting.split(commits([(start - 7 * Self.day - 1, start)])).first?
                    .late(clockBehind: 0)) == [1])
    }

    @Test("A device whose clock lagged as much was not away")
    func clockBehind() throws {
        let start = Self.noon
        let meeting = try #require(
            Meeting.split(commits([(start - 21 * Self.day, start)])).first)
        #expect(meeting.late(clockBehind: 20 * Self.day) == nil)
        #expect(meeting.late(clockBehind: 13 * Self.day) != nil)
    }

    @Test("The span to undo has round times and encloses nothing else of the device")
    func spans() throws {
        func span(
            next: UInt64?, now: UInt64, earlier: UInt64? = nil
        ) throws -> Range<UInt64> {
            let start = Self.noon
            var times = [(start - 21 * Self.day, start), (start - 20 * Self.day, start + 5_300)]
            if let next { times.append((start + next, start + next)) }
            let meetings = Meeting.split(
                commits(times), after: earlier.map { Milliseconds(start - $0) })
            let late = try #require(meetings.first?.late(clockBehind: 0))
            let arrival = Arrival(
                .late, of: late, in: .zero, by: Self.device(1), deletions: 0, conflicts: 0,
                now: Milliseconds(start + now))
            #expect(arrival.received.value == start)
            #expect(arrival.ageSeconds == 21 * 86_400)
            return arrival.span.lowerBound.value..<arrival.span.upperBound.value
        }
        let start = Self.noon
        let minute = start - 20_000
        #expect(try span(next: nil, now: 3_600_000) == minute..<minute + 60_000)
        #expect(try span(next: nil, now: 10_000) == minute..<start + 6_000)
        #expect(try span(next: 5_400, now: 3_600_000) == minute..<start + 5_301)
        #expect(try span(next: 7_000, now: 3_600_000) == minute..<start + 6_000)
        #expect(try span(next: 50_000, now: 3_600_000) == minute..<minute + 60_000)
        #expect(try span(next: nil, now: 5_300) == minute..<start + 5_301)
        let hour: UInt64 = 3_600_000
        #expect(try span(next: nil, now: hour, earlier: 20_001) == minute..<minute + 60_000)
        #expect(try span(next: nil, now: hour, earlier: 20_000) == start..<minute + 60_000)
    }

    @Test(
        "Late changes are of note from twenty on, or with one deletion or conflict; deletions from twenty on; those of an undo always",
        arguments: [
            (ArrivalView.Kind.late, 19, 0, 0, false), (.late, 20, 0, 0, true),
            (.late, 1, 1, 0, true), (.late, 1, 0, 1, true), (.deletions, 19, 19, 0, false),
            (.deletions, 1, 20, 0, true), (.afterUndo, 1, 0, 0, true),
        ])
    func note(
        kind: ArrivalView.Kind, changes: Int, deletions: Int, conflicts: Int, isOfNote: Bool
    ) throws {
        let times = Array(
            repeating: (written: Self.noon - 9 * Self.day, received: Self.noon), count: changes)
        let meeting = try #require(Meeting.split(commits(times)).first)
        let arrival = Arrival(
            kind, of: meeting, in: .zero, by: Self.device(1), deletions: deletions,
            conflicts: conflicts, now: Milliseconds(Self.noon))
        #expect(arrival.isOfNote == isOfNote)
    }

    @Test(
        "A part of a meeting has all that came at the same moments, and its span encloses nothing else"
    )
    func part() throws {
        // given
        let start = Self.noon
        let meeting = try #require(
            Meeting.split(
                commits([
                    (start, start), (start + 1, start + 5_000), (start + 2, start + 7_200),
                    (start + 3, start + 7_200), (start + 4, start + 9_000),
                ])
            ).first)
        // when
        let part = try #require(meeting.part { [2, 3].contains($0.place) })
        // then
        #expect(places(part) == [2, 3, 4])
        let span = part.span(now: Milliseconds(start + 3_600_000))
        #expect(span == Milliseconds(start + 5_000)..<Milliseconds(start + 8_000))
        #expect(places(meeting.part { _ in true }) == [1, 2, 3, 4, 5])
        #expect(meeting.part { _ in false } == nil)
    }

    /// A commit of device 1 and an undo at noon, after the commit at place 10.
    struct Coverage: Sendable {
        let name: String
        var device: UInt8? = 1
        var place: Int64 = 11
        var written = ArrivalTests.noon - 1
        var behind: UInt64 = 0
        let isCovered: Bool
    }

    @Test(
        "An undo since a time covers commits of its device that were written before it and arrive after it",
        arguments: [
            Coverage(name: "late", isCovered: true),
            Coverage(name: "of anybody", device: nil, isCovered: true),
            Coverage(name: "of another device", device: 2, isCovered: false),
            Coverage(name: "here already", place: 10, isCovered: false),
            Coverage(name: "written after it", written: ArrivalTests.noon, isCovered: false),
            Coverage(name: "the clock lags", behind: 1, isCovered: false),
        ])
    func coverage(_ example: Coverage) throws {
        // given
        let undo = ScopedUndo(
            of: example.device.map(Self.device), in: nil, after: 10,
            before: Milliseconds(Self.noon), by: CommitID(sha256([1])))
        let commit = ArrivedCommit(
            place: example.place, id: CommitID(sha256([2])),
            clock: HybridTime(milliseconds: example.written, counter: 0),
            receivedAt: Milliseconds(Self.noon + Self.day))
        // when
        let isCovered = undo.covers(commit, of: Self.device(1), clockBehind: example.behind)
        // then
        #expect(isCovered == example.isCovered, "\(example.name)")
    }

    @Test("An undo is about its own space, if that was here then")
    func space() {
        let (one, other) = (SpaceID(sha256([1])), SpaceID(sha256([2])))
        let undo = ScopedUndo(
            of: nil, in: one, after: 10, before: Milliseconds(Self.noon), by: CommitID(sha256([1])))
        #expect(undo.isAbout(one, begun: Milliseconds(Self.noon)))
        #expect(!undo.isAbout(other, begun: Milliseconds(Self.noon)))
        #expect(!undo.isAbout(one, begun: Milliseconds(Self.noon + 1)))
    }

    /// By numbers of devices; this one is 1.
    struct Absence: Sendable {
        let name: String
        let bringers: Set<UInt8>
        let writers: Set<UInt8>
        let isOwn: Bool
    }

    @Test(
        "Commits stored here meanwhile show which device was away",
        arguments: [
            Absence(name: "this one was off", bringers: [2], writers: [], isOwn: true),
            Absence(name: "somebody wrote here", bringers: [2], writers: [1], isOwn: false),
            Absence(name: "a third one was met", bringers: [2], writers: [3], isOwn: false),
            Absence(
                name: "used offline, and all others bring what is old", bringers: [2, 3],
                writers: [1], isOwn: true),
            Absence(
                name: "two came home to two", bringers: [2, 3], writers: [1, 4], isOwn: false),
            Absence(
                name: "two came home to three", bringers: [2, 3, 5], writers: [1, 4], isOwn: true),
            Absence(
                name: "they were met before they left", bringers: [2, 3], writers: [2, 3],
                isOwn: true),
        ])
    func absence(_ absence: Absence) {
        let witnesses = Witnesses(
            bringers: Set(absence.bringers.map(Self.device)),
            writers: Set(absence.writers.map(Self.device)), own: Self.device(1))
        #expect(witnesses.isOwnAbsence == absence.isOwn, "\(absence.name)")
    }
}
