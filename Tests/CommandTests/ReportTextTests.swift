import LocalAPI
import Testing
import peersync

struct ReportTextTests {
    private let shed = Reference(id: "s1", shortID: "s1", name: "Shed")

    @Test("time left follows from the remaining bytes and the rate, in words")
    func timeLeft() {
        // given
        let view = ProgressView(
            stage: .adding, files: 120, totalFiles: 400, bytes: 360_000_000,
            totalBytes: 1_200_000_000, bytesPerSecond: 24_000_000)

        // then
        #expect(view.secondsLeft == 35)
        #expect(
            ProgressText.progress(view)
                == "Adding: 120 of 400 files, 360 MB of 1.2 GB, 24 MB/s, 35 seconds left")
    }

    @Test("files that encryption left out come with the command for a space, not for a trip")
    func filesLeftOut() {
        // given
        let report = EncryptReport(
            trip: shed, isNew: false, readable: [], changes: 0, encrypted: 0,
            missing: LeftFiles(["Saw"]), outranked: LeftFiles([]))

        // when
        let text = EncryptionText.encrypted(report, .space)

        // then
        #expect(
            text == """
                Not encrypted, as not on this device: 1 file (Saw). Once fetched, or on a device that \
                has them: peersync space encrypt Shed
                """)
    }

    @Test("deleting an unfinished record says that it was only on this device")
    func deletedUnfinished() {
        // given
        let someone = Reference(id: "1", shortID: "1", name: "Ann")
        let record = RecordView(
            .init(
                id: "r1", shortID: "r1", space: shed, collection: "product", name: "Milk",
                fields: ["name": .text("Milk")]),
            .init(
                .shown, seen: "", author: someone, changed: Moment(milliseconds: 0),
                status: .unfinished))

        // then
        #expect(
            RecordText.deleted(record) == "Deleted “Milk” (r1), which was only on this device.")
    }

    @Test("undo says in the past what it did, and in the present what it would do")
    func tenses() {
        // given
        func view(done: Bool) -> UndoView {
            UndoView(
                done: done, redo: false, commits: 1,
                records: [UndoView.Undone.Kind.removed, .restored, .changed].map {
                    UndoView.Undone(
                        space: nil, collection: "memory", record: shed, kind: $0, fields: [])
                },
                kept: [
                    UndoView.Kept(
                        space: nil, record: shed, field: nil, reason: .inUse, by: nil)
                ])
        }

        // when
        let asked = UndoText.preview(view(done: false))
        let done = UndoText.done(view(done: true))
        let german = Language.$asked.withValue(.german) {
            [UndoText.preview(view(done: false)), UndoText.done(view(done: true))]
        }

        // then
        for text in ["is deleted", "comes back", "its version changes too", "stays"] {
            #expect(asked.contains(text) && !done.contains(text))
        }
        for text in ["was deleted", "came back", "its version changed too", "stayed"] {
            #expect(done.contains(text))
        }
        for (before, after) in [
            ("wird gelöscht", "ist gelöscht"), ("kommt wieder", "ist wieder da"),
            ("ändert sich", "hat sich auch geändert"), ("bleibt", "ist geblieben"),
        ] {
            #expect(german[0].contains(before) && !german[1].contains(before))
            #expect(german[1].contains(after))
        }
    }

    @Test(
        "the language is listed with the option or variable that it comes from",
        arguments: [
            (["config", "--language", "de"], "C", "de-AT", SettingView.Origin.flag),
            (["config"], "de_AT.UTF-8", "de-AT", .environment),
            (["config"], "C", "en", .standard),
        ])
    func language(
        _ arguments: [String], _ variable: String, _ value: String, _ origin: SettingView.Origin
    ) {
        // when
        let view = Language.setting(arguments, ["LANG": variable])

        // then
        #expect(view.value == value && view.origin == origin)
    }

    @Test("the status of a data set counts the rows of a level, but none of a reset")
    func appliedSets() {
        // given
        func text(_ level: DataSetLevel, _ others: [DataSetReport.Row] = []) -> String {
            let view = AppliedSetView(
                space: shed, name: "tools", level: level, version: 2, takenFor: nil,
                by: Reference(id: "a", shortID: "a", name: "Ann"), at: Moment(milliseconds: 0),
                rows: level == .reset ? 0 : 3, contested: false, others: others)
            return DataSetText.applied(view, ago: "now")
        }
        let saw = DataSetReport.Row(
            kind: .removed, collection: "tool",
            record: Reference(id: "r1", shortID: "r1", name: "Saw"), fields: [])

        let axe = DataSetReport.Row(
            kind: .kept, collection: "tool",
            record: Reference(id: "r2", shortID: "r2", name: "Axe"), fields: ["name", "use"],
            ofSet: ["name": "Hatchet"])

        // then
        #expect(text(.reset) == "“Shed”: “tools”, reset 2, applied by Ann now")
        #expect(
            text(.reference, [axe]).hasSuffix(
                "“Axe” stays as somebody changed it: name (the set has “Hatchet”), use"))
        #expect(
            text(.reference, [saw]) == """
                “Shed”: “tools”, reference 2, 3 rows, applied by Ann now
                  “Saw” left the set and is not needed any more: the next version deletes it
                """)
    }

    @Test("a preview of undo writes yes and no without quotation marks, in the reader's language")
    func booleans() {
        // given
        let field = UndoView.Undone.Field(name: "done", from: "ja", to: "nein")
        let view = UndoView(
            done: false, redo: false, commits: 1,
            records: [
                UndoView.Undone(
                    space: shed, collection: "entry", record: shed, kind: .changed, fields: [field])
            ], kept: [])

        // when
        let text = Language.$asked.withValue(.german) { UndoText.preview(view) }

        // then
        #expect(text.contains("ja → nein"))
    }
}
