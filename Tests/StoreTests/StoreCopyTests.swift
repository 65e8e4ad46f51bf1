import Foundation
import Store
import SyncCore
import TestKit
import Testing

/// A store is copied while it is open.
@Suite struct StoreCopyTests {
    private let testLog = TestLog()

    @Test("a copy has all that the store holds, and goes on in a log of its own")
    func copied() throws {
        // given
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        for number in 1...20 as ClosedRange<UInt64> {
            try anna.write([titled("Arezzo \(number)", number)], to: space)
        }
        let states = try anna.states(space)
        let home = TestPeer.newHome()
        try FileManager.default.createDirectory(
            atPath: home, withIntermediateDirectories: true)
        // when
        let copy = StoreCopy(of: anna.store)
        try copy.write(to: home + "/store.sqlite")
        try anna.write([titled("later", 1)], to: space)
        // then
        #expect(try copy.byteCount() > 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: home)
        #expect(names == ["store.sqlite"])
        let other = try TestPeer(testLog, seed: 1, home: home)
        #expect(try other.states(space) == states)
        #expect(other.store.opening.newBecause == .fileReplaced)
        #expect(try other.store.integrityCheck() == [])
        #expect(throws: StoreCopy.Failure.failed("there is something already")) {
            try copy.write(to: home + "/store.sqlite")
        }
    }

    @Test("a fault of the copy does not stop the store")
    func failing() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()

        #expect(throws: StoreCopy.Failure.self) {
            try StoreCopy(of: anna.store).write(to: "/nowhere/store.sqlite")
        }

        #expect(anna.store.writeFailure == nil)
        try anna.write([titled("goes on", 1)], to: space)
    }
}
