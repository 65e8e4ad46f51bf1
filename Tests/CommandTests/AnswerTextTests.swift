import LocalAPI
import Testing
import peersync

struct AnswerTextTests {
    private let ann = Reference(id: "p1", shortID: "p1", name: "Ann")
    private let ben = Reference(id: "p2", shortID: "p2", name: "Ben")
    private let phone = Reference(id: "k2", shortID: "k2", name: "ben-phone")
    private let arezzo = Reference(id: "t1", shortID: "t1", name: "Arezzo")

    @Test("After the loss of another person's device, it says to pair with it and to grant again")
    func lost() {
        // given
        let view = LostView(
            device: phone, person: ben, me: false, done: true, since: nil, call: .notYours,
            trips: [])
        // when
        let next = LostText.next(view)
        // then
        let way = """
            Pair with it: peersync pair. Then give it each trip back, with the role it had: peersync \
            trip grant TRIP ben-phone --role ROLE
            """
        #expect(next.contains(way))
        #expect(LostText.question(view).contains("until you pair with it again"))
    }

    @Test("The empty bucket list of a trip says how to add to that one")
    func emptyBucket() {
        #expect(ListText.emptyBucket(of: nil).hasSuffix("\""))
        #expect(ListText.emptyBucket(of: "Arezzo 2008").hasSuffix(" --trip 'Arezzo 2008'"))
    }

    @Test("Where nothing can be taken from a lost device, nothing is said of giving it back")
    func nothingTaken() {
        // given
        let trip = LostTrip(
            trip: arezzo, outcome: .notAllowed, changesHeld: 1, changes: 1, filesHeld: nil,
            files: 0, discounted: 0, heard: [], unaware: [], ask: [ann])
        let view = LostView(
            device: phone, person: ann, me: false, done: true, since: nil, call: .notYours,
            trips: [trip])
        // when
        let next = LostText.next(view)
        // then
        #expect(!next.contains("trip grant"))
        #expect(next.hasSuffix("Found again? Pair with it: peersync pair"))
    }

    @Test("Before a leave, it counts the changes that nobody else has, and says how to send them")
    func leave() {
        // given
        var trip = TripView(
            .init(
                id: "t1", shortID: "t1", name: "Arezzo", active: true, membership: .member,
                role: .contributor, grantedBy: nil),
            contents: .init(bytes: 0), sync: .init(.pending))
        // when, then
        #expect(LeaveText.unsent(trip, isSyncOn: true).isEmpty)
        trip.unsent = 1
        let said = "Nobody else has 1 change of “Arezzo” yet: this device sends it at its next sync"
        #expect(LeaveText.unsent(trip, isSyncOn: true).hasPrefix(said))
        #expect(!LeaveText.unsent(trip, isSyncOn: true).contains("peersync sync on"))
        #expect(LeaveText.unsent(trip, isSyncOn: false).hasSuffix("peersync sync on\n"))
    }

    @Test("A lost device that is found gets each trip back with the role that it had")
    func wayBack() {
        // given
        var trip = LostTrip(
            trip: arezzo, outcome: .taken, changesHeld: 1, changes: 1, filesHeld: nil, files: 0,
            discounted: 0, heard: [], unaware: [], ask: [])
        trip.role = .admin
        let view = LostView(
            device: phone, person: ben, me: false, done: true, since: nil, call: .notYours,
            trips: [trip])
        // when
        let next = LostText.next(view)
        // then
        #expect(next.contains("peersync trip grant Arezzo ben-phone --role admin"))
    }

    @Test("A trip taken from a vault was not taken before, and comes back as to a vault")
    func vault() {
        // given
        var trip = LostTrip(
            trip: arezzo, outcome: .taken, changesHeld: 1, changes: 1, filesHeld: nil, files: 0,
            discounted: 0, heard: [], unaware: [], ask: [])
        func view(done: Bool) -> LostView {
            LostView(
                device: phone, person: ben, me: false, done: done, since: nil, call: .notYours,
                trips: [trip])
        }
        #expect(LostText.question(view(done: false)).contains("was taken before"))
        // when
        trip.carries = true
        // then
        let question = LostText.question(view(done: false))
        #expect(question.contains("“Arezzo”: can be taken; it held all changes"))
        let next = LostText.next(view(done: true))
        #expect(next.contains("peersync vault add ben-phone --trip Arezzo"))
    }

    @Test("A person who lowers their own rights is told that only another admin can undo it")
    func lowered() throws {
        // given
        var member = MemberView(
            person: ben, role: .viewer, me: true, founder: false, accepted: true, devices: [])
        member.grant = GrantOutcome(lost: [.write, .delete], leftOut: [])
        // when
        let told = try #require(MemberText.lowered(member, .trip, trip: "Arezzo"))
        // then
        #expect(told.contains("Only another admin can undo it:"))
        #expect(told.contains("peersync trip grant Arezzo Ben --role editor"))
        let space = try #require(MemberText.lowered(member, .space, trip: "Home"))
        #expect(space.contains("peersync space grant Home Ben --role editor"))
    }

    @Test("Changes that do not count are listed with author, time and reason")
    func orphans() {
        // given
        let moment = Moment(milliseconds: 0)
        let view = OrphanView(
            trip: arezzo, author: ann, isMine: false, device: phone, reason: .branch,
            dismissed: false, count: 3, first: moment, last: moment,
            changes: [ChangeView(.added, noun: "memory", count: 3)], recoverable: true)
        // when
        let line = OrphanText.line(view, from: "10:00", to: "10:05")
        // then
        #expect(line.hasPrefix("Ann (ben-phone) in “Arezzo”"))
        #expect(line.contains("10:00 to 10:05, wrote twice from one state: added 3 memories"))
        #expect(OrphanText.next([view]).contains("peersync orphans recover Arezzo"))
    }

    @Test("Lost data is listed with the devices that had it, and with the next command")
    func damage() {
        // given
        func view(_ trip: Reference?, _ changes: Int?, dismissed: Bool = false) -> DamageView {
            DamageView(
                trip: trip, device: changes == nil ? nil : phone, changes: changes,
                holders: changes == 1 ? [] : [phone], dismissed: dismissed)
        }
        let (some, one, whole) = (view(arezzo, 2), view(nil, 1), view(arezzo, nil))
        let lists = view(nil, nil)
        // then
        let lines = """
            “Arezzo”: 2 changes by ben-phone are missing; they come back once in reach of ben-phone.
            Your own lists: 1 change by ben-phone is missing; no device is known to have it.
            “Arezzo”: nothing is here any more.
            Your own lists: nothing is here any more.
            “Arezzo”: nothing is here any more. Dismissed.
            """
        let gone = view(arezzo, nil, dismissed: true)
        #expect(DamageText.rendered([some, one, whole, lists, gone]) == lines)
        #expect(DamageText.next([]) == nil)
        #expect(DamageText.next([lists])?.hasSuffix("peersync doctor --repair") == true)
        #expect(DamageText.next([some])?.hasSuffix("peersync doctor damage --dismiss") == true)
        #expect(DamageText.next([gone])?.hasSuffix("peersync doctor damage --undo") == true)
        #expect(DamageText.next([some, gone])?.split(separator: "\n").count == 3)
        #expect(DamageText.next([gone])?.contains("peersync trip leave Arezzo\n") == true)
        #expect(DamageText.next([gone, whole])?.contains("peersync trip leave TRIP\n") == true)
        #expect(DamageText.dismissed([lists]) == "There is nothing to dismiss.")
        let dismissed = DamageText.dismissed([gone, view(arezzo, 2, dismissed: true), lists])
        #expect(dismissed.hasPrefix("Dismissed: 2 changes and 1 trip."))
        #expect(DamageText.undone([]) == DamageText.rendered([]))
    }

    @Test("What came of something whose rest is not here is brought back only by the device's name")
    func incomplete() {
        // given
        let moment = Moment(milliseconds: 0)
        let view = OrphanView(
            trip: arezzo, author: ann, isMine: false, device: phone, reason: .incomplete,
            dismissed: false, count: 3, first: moment, last: moment, changes: [],
            recoverable: true)
        // when
        let next = OrphanText.next([view])
        let words = Sentence.Problem.orphans(3, .incomplete, in: "Arezzo", recoverable: true)
        // then
        #expect(next.contains("peersync orphans recover Arezzo --device ben-phone"))
        #expect(!next.contains("recover Arezzo\n"))
        #expect(words.advice?.text.contains("recover") == false)
        #expect(words.advice?.text.hasSuffix("Look: peersync orphans Arezzo") == true)
    }

    @Test("A recovery names the files that it left out, and says when it found nothing")
    func recovered() {
        // given
        func text(_ missing: [String]) -> String {
            OrphanText.recovered(
                RecoverReport(
                    recovered: [], refused: 0, settled: 0, missing: LeftFiles(missing),
                    membershipChanges: 0))
        }
        // when, then
        #expect(text([]) == "There is nothing to bring back.")
        #expect(
            text(["two.bin"]).contains(
                "Without 1 file (two.bin) from before the encryption, as not on this device."))
        #expect(!text(["two.bin"]).contains("nothing to bring back"))
    }

    @Test("A conflict names its field and its record in the language of its reader")
    func conflict() {
        // given
        let conflict = ConflictView(
            id: "c1", shortID: "c", trip: arezzo, collection: "memory", record: arezzo,
            field: "title", rule: .longest, shown: "Dom", values: [])
        // when
        let heading = Language.$asked.withValue(.german) { ConflictText.heading(conflict) }
        // then
        #expect(ConflictText.heading(conflict).hasPrefix("title of "))
        #expect(heading.hasPrefix("Titel von "))
        #expect(heading.contains("(Erinnerung)"))
    }

    @Test(
        "A person whose role permits no value is told to ask others, else which values it permits",
        arguments: [
            (true, true, "Your role does not let you decide"),
            (true, false, "peersync conflicts resolve ID --take N, but for values that"),
            (false, false, "peersync conflicts resolve ID --take N; 1 keeps it deleted"),
        ])
    func refusedValues(deleted: Bool, edited: Bool, hint: String) {
        // given
        let values = [deleted, edited].map { isRefused in
            var value = ConflictView.Value(
                field: nil, text: "deleted", author: ben, device: phone,
                written: Moment(milliseconds: 0), isShown: false)
            value.refused = isRefused ? true : nil
            return value
        }
        let conflict = ConflictView(
            id: "c1", shortID: "c", trip: arezzo, collection: "memory", record: arezzo, field: nil,
            rule: .deletion, shown: "", values: values)
        // when, then
        #expect(ConflictText.hint([conflict]).contains(hint))
    }

    @Test(
        "The preview of redating says that all changes move by the same time, where there are several",
        arguments: [(1, false), (2, true)])
    func redated(changes: Int, isTold: Bool) {
        // given
        let moment = Moment(milliseconds: 0)
        let view = RedateView(
            device: phone, offsetMilliseconds: -60_000, done: false,
            trips: [
                RedatedTrip(
                    trip: arezzo, changes: changes, first: moment, last: moment, newFirst: moment,
                    newLast: moment)
            ], refused: [])
        // when
        let question = RedateText.question(view, lines: "")
        // then
        #expect(question.contains("All are moved by the same time") == isTold)
        #expect(question.contains("--from and --to") == isTold)
    }

    @Test("Dating changes again as the clock said moves none by a time")
    func undated() {
        // given
        let moment = Moment(milliseconds: 0)
        let trip = RedatedTrip(
            trip: arezzo, changes: 2, first: moment, last: moment, newFirst: moment,
            newLast: moment)
        let view = RedateView(
            device: phone, offsetMilliseconds: 0, done: false, trips: [trip], refused: [])
        // when
        let question = RedateText.question(view, lines: "")
        // then
        #expect(!question.contains("by the same time"))
    }
}
