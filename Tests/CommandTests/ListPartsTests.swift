import Foundation
import LocalAPI
import Testing
import peersync

struct ListPartsTests {
    /// A list without an end: each part is a number.
    private struct Numbers: PartFilter {
        var first = 1

        func next(behind part: [Int]) -> Numbers? { Numbers(first: first + part.count) }
    }

    /// Asks for parts while somebody reads them; gives the first number of each that was asked for.
    private func asked(for count: Int) async throws -> [Int] {
        var asked: [Int] = []
        try await ListParts.each(
            from: Numbers(), while: { asked.count < count },
            ask: { filter in
                asked.append(filter.first)
                return [filter.first, filter.first + 1]
            },
            show: { _, isFirst, isLast in #expect(isFirst == (asked == [1]) && !isLast) })
        return asked
    }

    @Test("no more parts are asked for when nobody reads them")
    func stops() async throws {
        #expect(try await asked(for: 1) == [1])
        #expect(try await asked(for: 3) == [1, 3, 5])
    }

    @Test(
        "an output is closed when the reader of its pipe is gone, before anything more is written")
    func closed() throws {
        // given a pipe that holds a result that nobody has read yet
        let pipe = Pipe()
        let output = Output(
            json: true, terminal: .current, results: pipe.fileHandleForWriting.fileDescriptor)
        try output.part([1, 2], isFirst: true, isLast: false) { _ in "" }
        #expect(output.isOpen)

        // when its reader goes
        try pipe.fileHandleForReading.close()

        // then
        #expect(!output.isOpen)
    }

    @Test("a file is open, whatever was written")
    func file() throws {
        let path = "/tmp/peersync-list-\(UInt32.random(in: 0...UInt32.max))"
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try #require(FileHandle(forWritingAtPath: path))
        let output = Output(json: true, terminal: .current, results: file.fileDescriptor)
        try output.part([1], isFirst: true, isLast: true) { _ in "" }
        #expect(output.isOpen)
    }

    @Test(
        "a table of records in parts has a column for each field, and tells of unfinished ones below"
    )
    func records() {
        // given
        let field = { (name: String) in
            SchemaView.Field(
                name: name, type: "text", of: nil, to: nil, strategy: "latest", required: false,
                local: false, searched: false)
        }
        let collection = SchemaView.Collection(
            name: "product", fields: [field("name"), field("note")], derived: [],
            finishedBy: "note")
        var rows = RecordRows(of: collection)

        // when
        let parts = [(RecordStatus.unfinished, false), (.inSync, true)].map { status, isLast in
            Printable.rendered(
                rows.part([record(status)], isLast: isLast, width: nil), style: false)
        }

        // then
        #expect(parts[0].split(separator: "\n").count == 2)
        #expect(parts[0].contains("name  note  id"))
        #expect(!parts[1].contains("note  id"))
        #expect(
            parts[1].hasSuffix("\n1 record is unfinished, and only here until note is set."))
    }

    private func record(_ status: RecordStatus) -> RecordView {
        let someone = Reference(id: "1", shortID: "1", name: "Ann")
        return RecordView(
            .init(
                id: "r1", shortID: "r1", space: someone, collection: "product", name: "Milk",
                fields: ["name": .text("Milk")]),
            .init(
                .shown, seen: "", author: someone, changed: Moment(milliseconds: 0), status: status)
        )
    }
}
