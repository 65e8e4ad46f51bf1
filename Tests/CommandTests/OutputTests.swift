import Foundation
import LocalAPI
import Testing
import peersync

struct OutputTests {
    @Test("a table is aligned, even with wide and combining characters")
    func aligned() {
        var table = Table([.text("name"), .number("files"), .text("id")])
        table.add(["Arezzo", "3", "a1"])
        table.add(["日本", "120", "b2"])
        table.add(["Su\u{308}dtirol", "", "c3"])
        let plain = Printable.rendered(table.rendered(width: nil), style: false)
        #expect(
            plain == """
                name      files  id
                Arezzo        3  a1
                日本        120  b2
                Su\u{308}dtirol         c3
                """)
    }

    @Test("a table that comes in parts has one heading, and its columns never get narrower")
    func parts() {
        var table = Table([.text("name"), .number("files")])
        table.add(["Siena", "3"])
        let first = Printable.rendered(table.part(width: nil), style: false)
        table.add(["Arezzo", "1000000"])
        table.add(["Rom", "2"])
        let second = Printable.rendered(table.part(width: nil), style: false)
        table.add(["Lucca", "4"])
        let third = Printable.rendered(table.part(width: nil), style: false)
        #expect(first == "name   files\nSiena      3")
        #expect(second == "Arezzo  1000000\nRom           2")
        #expect(third == "Lucca         4")
    }

    @Test("a table keeps to the width by cutting the columns that may be cut")
    func narrow() {
        var table = Table([.text("name", shrinksTo: 6), .text("id")])
        table.add(["A very long name of a trip", "k3f7"])
        let lines = table.rendered(width: 20, headings: false)
        #expect(lines == "A very long n…  k3f7")
        #expect(TextWidth.columns(lines) == 20)
    }

    @Test("a row that does not fit into the width continues on a second line")
    func folded() {
        // given
        var table = Table([
            .text(""), .text("time"), .text("title", shrinksTo: 8), .number("files"), .text("id"),
        ])
        table.add(["✓", "2008-10-22 16:28", "A walk through the town", "3", "k3f7"])
        table.add(["•", "2008-10-23 09:05", "Market", "", "m8q2"])

        // when
        let lines = Printable.rendered(table.rendered(width: 30), style: false)

        // then
        #expect(
            lines == """
                   time              title
                   files  id
                ✓  2008-10-22 16:28  A walk t…
                       3  k3f7
                •  2008-10-23 09:05  Market
                          m8q2
                """)
    }

    @Test("a column that wraps is continued below, and a word that is too long stays whole")
    func wrapping() {
        // given
        var table = Table([.text(""), .wrapping("", shrinksTo: 8)])
        table.add(["text", "Coffee and cake at noon"])
        table.add(["seen", "0123456789abcdef"])

        // when
        let lines = table.rendered(width: 18, indent: 2)

        // then
        #expect(
            lines == """
                  text  Coffee and
                        cake at
                        noon
                  seen  0123456789abcdef
                """)
    }

    @Test(
        "text is wrapped between words, and commands stay in one piece",
        arguments: [
            ("as it is", "as it is"), ("", ""),
            ("  a line that is too long\nshort", "  a line that is\n    too long\nshort"),
            ("Next: peersync trip show 'A B'", "Next:\n  peersync trip show 'A B'"),
            ("  peersync pair   connect it", "  peersync pair\n    connect it"),
            ("A: peersync pair; B: peersync join", "A: peersync pair;\n  B: peersync join"),
            ("Or: peersync join 'A; B' here", "Or:\n  peersync join 'A; B' here"),
            ("Run 'peersync pair' here", "Run\n  'peersync pair'\n  here"),
            ("Donaudampfschifffahrtsgesellschaft", "Donaudampfschifffahrtsgesellschaft"),
        ])
    func wrapped(text: String, expected: String) {
        #expect(WrappedText.wrapped(text, to: 18) == expected)
    }

    @Test("the waiting list shows device, time, reason and kind, and decisions for this person")
    func waiting() {
        let changes = WaitingCount(changes: 3, files: 0, bytes: 0)
        let ben = Reference(id: "b", shortID: "b", name: "ben-pc")
        let person = Reference(id: "p", shortID: "p", name: "Ben")
        let crete = Reference(id: "c", shortID: "c", name: "Crete")
        let moment = Moment(milliseconds: 1_224_691_200_000, offsetMinutes: 120)
        let entry = ChangeEntry(
            id: "1", space: crete, author: person, isMine: true, device: ben, written: moment,
            received: moment,
            changes: [ChangeView(.added, noun: "memory", count: 1, names: ["Beach"])])
        let view = WaitingView(
            items: [
                .init(
                    device: (ben, of: person, here: false), space: crete,
                    lacks: (changes, elsewhere: .nothing), since: moment, changes: [entry],
                    reasons: [.init(kind: .notConnected, sentence: "not connected")],
                    remedy: "Bring it.")
            ],
            decisions: [
                ProblemView(kind: .invitation, urgent: false, sentence: "Say yes.", remedy: nil)
            ])
        #expect(
            Printable.rendered(WaitingText.rendered(view), style: false) == """
                ○ ben-pc (Ben) lacks 3 changes of “Crete”, since 2008-10-22 18:00
                  not connected
                  Bring it.
                    2008-10-22 18:00  You added the memory “Beach”
                    and 2 more changes

                • Say yes.
                """)
        #expect(
            WaitingText.rendered(WaitingView(items: [], decisions: []))
                == "Nothing waits, as far as this device knows.")
    }

    @Test("style marks take no room when lines are wrapped")
    func wrappedStyles() {
        let text = Style.bold("one two") + " three"
        #expect(WrappedText.wrapped(text, to: 13) == text)
        #expect(WrappedText.wrapped(text, to: 12) == Style.bold("one two") + "\n  three")
    }

    @Test("a table without a width limit cuts nothing")
    func long() {
        let name = String(repeating: "word ", count: 60) + "end"
        var table = Table([.text("name", shrinksTo: 6)])
        table.add([name])
        #expect(table.rendered(width: nil, headings: false) == name)
    }

    @Test(
        "foreign names can neither move the cursor, nor break lines, nor reorder text",
        arguments: [
            "Bea\u{1B}[2J", "Bea\nerror: all is lost", "\u{202E}aeB", "Bea\u{9B}31m",
            "Bea\u{2028}x",
            "Bea" + Style.bold("x"), "Bea\r", "Bea\u{7F}",
        ])
    func hostileNames(name: String) {
        // given
        var table = Table([.text("")])
        table.add([name])

        // when
        let shown = [
            Printable.rendered(Sentence.name(name), style: true),
            Printable.rendered(table.rendered(width: nil, headings: false), style: true),
        ]

        // then
        for text in shown {
            #expect(!text.contains("\n") && !text.contains("\r"))
            for scalar in text.unicodeScalars {
                #expect(scalar.properties.generalCategory != .control || scalar == "\u{1B}")
                #expect(!(0x202A...0x202E).contains(scalar.value))
            }
            let escapes = text.split(separator: "\u{1B}", omittingEmptySubsequences: false)
                .dropFirst()
            #expect(escapes.allSatisfy { $0.hasPrefix("[0m") || $0.hasPrefix("[1m") })
        }
    }

    @Test("style marks become escape sequences on a terminal and vanish elsewhere")
    func style() {
        let text = Style.bold("x") + "y"
        #expect(Printable.rendered(text, style: true) == "\u{1B}[1mx\u{1B}[0my")
        #expect(Printable.rendered(text, style: false) == "xy")
    }

    @Test("a time is shown as in the place where it was written")
    func time() throws {
        let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let known = Moment(milliseconds: 1_224_685_680_000, offsetMinutes: 120)
        let unknown = Moment(milliseconds: 1_224_685_680_000)
        #expect(Formatting.time(known, zone: zone) == "2008-10-22 16:28")
        #expect(Formatting.time(unknown, zone: zone) == "2008-10-22 23:28")
        #expect(Formatting.timeWithZone(known) == "2008-10-22 16:28 +02:00")
        #expect(
            Formatting.timeWithZone(Moment(milliseconds: 0, offsetMinutes: -210))
                == "1969-12-31 20:30 -03:30")
    }

    @Test(
        "a printed time means the same when it is typed",
        arguments: [
            (1_795_258_800_000, "2026-11-21 12:00"), (1_795_258_805_000, "2026-11-21 12:00:05"),
            (1_795_258_805_120, "2026-11-21 12:00:05.120"),
            // The hour that comes twice.
            (1_792_888_200_000, "2026-10-25 02:30"), (1_792_891_800_000, "2026-10-25 02:30+01:00"),
        ])
    func typedTimes(milliseconds: Int64, text: String) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Vienna"))
        #expect(Formatting.typed(Moment(milliseconds: milliseconds), zone: zone) == text)
        #expect(TimeInput(zone: zone).since(text)?.milliseconds == milliseconds)
    }

    @Test("late changes of a device are shown above the log, with the command that undoes them")
    func arrivals() throws {
        func arrival(
            _ kind: ArrivalView.Kind, _ space: String?, _ counts: (Int, Int, Int)
        ) -> ArrivalView {
            var undo = UndoDraft()
            (undo.device, undo.space) = ("Ben's desk", space ?? "home")
            undo.deletions = kind == .deletions
            undo.since = Moment(milliseconds: 1_795_258_800_000)
            undo.until = Moment(milliseconds: 1_795_258_805_000)
            return ArrivalView(
                kind, device: Reference(id: "d1", shortID: "d1", name: "Ben's desk"),
                space: space.map { Reference(id: "t1", shortID: "t1", name: $0) }, counts: counts,
                written: Moment(milliseconds: 1_793_444_400_000),
                received: Moment(milliseconds: 1_795_258_801_000), undo: undo)
        }
        let log = ChangeLog(
            arrivals: [
                arrival(.late, "Crete", (214, 40, 12)), arrival(.late, nil, (1, 1, 0)),
                arrival(.late, nil, (20, 0, 0)), arrival(.deletions, "Crete", (3, 25, 0)),
                arrival(.afterUndo, "Crete", (2, 0, 0)),
            ], entries: [], hasEarlier: false, lastLook: nil, place: 1)
        let command = "  Undo it: peersync undo --device 'Ben'\\''s desk' --space"
        let times = "--since '2026-11-21 12:00' --until '2026-11-21 12:00:05'"
        let zone = try #require(TimeZone(identifier: "Europe/Vienna"))
        #expect(
            ChangeTable.arrivals(log, zone: zone) == [
                """
                Ben's desk brought 214 changes to “Crete”, up to 21 days old: 40 deletions, 12 conflicts.
                \(command) Crete \(times)
                """,
                """
                Ben's desk brought 1 change to your own lists, up to 21 days old: 1 deletion.
                \(command) home \(times)
                """,
                """
                Ben's desk brought 20 changes to your own lists, up to 21 days old.
                \(command) home \(times)
                """,
                """
                Ben's desk deleted 25 records in “Crete”.
                \(command.replacing("undo", with: "undo --deletions")) Crete \(times)
                """,
                """
                Ben's desk brought 2 changes to “Crete”, written before you undid its changes.
                \(command) Crete \(times)
                """,
            ])
    }

    @Test(
        "past times are shown as people say them",
        arguments: [
            (0, "just now"), (40, "40 seconds ago"), (61, "1 minute ago"), (7200, "2 hours ago"),
            (100_000, "27 hours ago"), (260_000, "3 days ago"),
        ])
    func ago(seconds: Int, words: String) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let moment = Moment(milliseconds: Int64(1_800_000_000 - seconds) * 1000)
        #expect(Formatting.ago(moment, now: now) == words)
    }

    @Test("impossible values do not stop the program")
    func extremes() {
        for milliseconds in [Int64.min, Int64.max, 0] {
            let moment = Moment(milliseconds: milliseconds, offsetMinutes: 5)
            #expect(!Formatting.time(moment).isEmpty)
            #expect(!Formatting.ago(moment).isEmpty)
        }
        #expect(!Formatting.timeWithZone(Moment(milliseconds: 0, offsetMinutes: .max)).isEmpty)
        #expect(!Sentence.size(.max).isEmpty && !Sentence.size(.min).isEmpty)
        #expect(Sentence.distance(.nan) == "?")
    }

    @Test(
        "sizes are shown in decimal units",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"),
            (3_249_999, "3.2 MB"),
            (9_960_000, "10 MB"), (999_600, "1.0 MB"), (48_200_000, "48 MB"),
            (1_900_000_000, "1.9 GB"),
        ])
    func sizes(bytes: Int64, words: String) {
        #expect(Sentence.size(bytes) == words)
    }

    @Test(
        "a name is quoted so that a shell returns it unchanged",
        arguments: [
            ("Arezzo", "Arezzo"), ("Arezzo 2008", "'Arezzo 2008'"), ("Bea's", "'Bea'\\''s'"),
            ("", "''"), ("$(rm)", "'$(rm)'"), ("-x", "-x"),
        ])
    func quoted(name: String, typed: String) {
        #expect(Sentence.quoted(name) == typed)
    }

    @Test(
        "a text that can be a pairing code is told from one that cannot",
        arguments: [
            ("7-4827-1956", true), ("748271956", true), ("7 4827 1956", true),
            ("12-4827-1956", true), ("peersync://192.168.1.5:4827/x", true), ("7-4827-195", false),
            ("hello", false), ("", false), ("7-4827-1956-1234-5678", false), ("７-4827-1956", false),
        ])
    func pairingCodes(text: String, plausible: Bool) {
        #expect(PairingCodeInput.isPlausible(text) == plausible)
    }
}
