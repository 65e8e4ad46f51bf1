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
