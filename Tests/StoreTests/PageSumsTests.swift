import Foundation
import Store
import SyncCore
import TestKit
import Testing

/// A page whose older content came back has the right checksum. It is not taken for what was written.
@Suite struct PageSumsTests {
    private let testLog = TestLog()

    /// A device without others, closed; its database before the last changes and after them.
    private struct Scene {
        let home: String
        let space: SpaceID
        let before: [UInt8]
        let after: [UInt8]
        let states: [[StoredRecord]]

        init(_ testLog: TestLog) throws {
            let first = try TestPeer(testLog, seed: 1)
            space = try first.found()
            for number in 0..<40 as Range<UInt64> {
                try first.write([titled("warm \(number)", number)], to: space)
            }
            try first.store.close()
            home = first.home
            before = try Scene.bytes(of: home)
            let second = try TestPeer(testLog, seed: 1, home: home)
            second.log = first.log
            second.now = first.now
            for number in 0..<6 as Range<UInt64> {
                try second.write([titled("cold \(number)", number)], to: space)
            }
            states = try second.states(space)
            try second.store.close()
            after = try Scene.bytes(of: home)
        }

        static func bytes(of home: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: URL(filePath: home + "/store.sqlite")))
        }

        /// Pages that the last changes wrote over, from 0.
        var changed: [Int] {
            (0..<before.count / PageSeal.pageBytes).filter { before[range($0)] != after[range($0)] }
        }

        private func range(_ page: Int) -> Range<Int> {
            page * PageSeal.pageBytes..<(page + 1) * PageSeal.pageBytes
        }

        /// As if the last write to that page had never reached the disk.
        func putBack(_ page: Int) throws {
            let file = try FileHandle(forUpdating: URL(filePath: home + "/store.sqlite"))
            try file.seek(toOffset: UInt64(range(page).lowerBound))
            try file.write(contentsOf: Data(before[range(page)]))
            try file.close()
        }
    }

    @Test("of a page whose last write never reached the disk nothing is shown as right in silence")
    func olderPage() throws {
        let pages = try Scene(testLog).changed
        #expect(pages.count > 5)
        for index in pages.indices {
            // given
            let scene = try Scene(testLog)
            let page = try #require(scene.changed.dropFirst(index).first)
            // when
            try scene.putBack(page)
            // then
            let opened = try TestPeer(testLog, seed: 1, home: scene.home)
            #expect(try opened.store.integrityCheck() == [], "page \(page + 1)")
            let isAsItWas = try opened.states(scene.space) == scene.states
            let isTold = try !opened.store.stranded.lostChanges().isEmpty
            #expect(isAsItWas || isTold, "page \(page + 1)")
            try opened.store.close()
            try FileManager.default.removeItem(atPath: scene.home)
        }
    }

    @Test("a database that another program wrote to, or that is another one, is taken as it is")
    func otherWriter() throws {
        for isWrittenTo in [false, true] {
            // given
            let scene = try Scene(testLog)
            if isWrittenTo {
                // As a program does that knows no checksums beside the database.
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
                    ofItemAtPath: scene.home + "/store.sqlite-wal")
            }
            for page in scene.changed { try scene.putBack(page) }
            let file = try FileHandle(forUpdating: URL(filePath: scene.home + "/store.sqlite"))
            try file.truncate(atOffset: UInt64(scene.before.count))
            try file.close()
            // when
            let opened = try TestPeer(testLog, seed: 1, home: scene.home)
            // then the mark tells what is missing
            #expect(opened.store.rebuilt == nil)
            #expect(try opened.store.stranded.lostChanges().map(\.count) == [6])
            try opened.store.close()
        }
    }

    @Test("opening and closing without a change keeps them")
    func unchanged() throws {
        let scene = try Scene(testLog)
        for _ in 1...2 { try TestPeer(testLog, seed: 1, home: scene.home).store.close() }
        try scene.putBack(try #require(scene.changed.last))
        let opened = try TestPeer(testLog, seed: 1, home: scene.home)
        #expect(opened.store.rebuilt != nil)
    }

    @Test("the bytes beside a database are what they were")
    func golden() throws {
        let scene = try Scene(testLog)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: scene.home + "/store.sums")))
        let pages = scene.after.count / PageSeal.pageBytes
        let sums = (1...pages).flatMap { scene.after[..<($0 * PageSeal.pageBytes)].suffix(8) }
        let content = Array(bytes.prefix(56 + sums.count))
        #expect(content.starts(with: Array("peersync sums 1\n".utf8)))
        #expect(Array(content[48..<56]) == bigEndian(UInt64(pages)))
        #expect(Array(content[56...]) == sums)
        #expect(Array(bytes[content.count...].prefix(32)) == sha256(content).bytes)
    }
}
