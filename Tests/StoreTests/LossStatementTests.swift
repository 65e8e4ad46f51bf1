import Store
import SyncCore
import Testing

@Suite("Statements about lost devices in the store")
struct LossStatementTests {
    private let testLog = TestLog()

    @Test("they are kept once, with when they were heard first, and go when there are too many")
    func kept() throws {
        let home = TestPeer.newHome()
        func statement(_ text: String, at moment: UInt64) -> StoredLossStatement {
            StoredLossStatement(
                id: LossID(sha256(Array(text.utf8))), person: PersonID(sha256([1])),
                heardAt: Milliseconds(moment), content: Array(text.utf8))
        }
        let (first, second) = (statement("first", at: 10), statement("second", at: 20))
        let peer = try TestPeer(testLog, seed: 1, home: home)
        try peer.store.losses.keep([first, second], dropping: [])
        try peer.store.losses.keep([statement("first", at: 30)], dropping: [second.id])
        #expect(try peer.store.losses.all() == [first])
        try peer.store.close()
        let again = try TestPeer(testLog, seed: 2, home: home)
        #expect(try again.store.losses.all() == [first])
        try again.store.close()
    }

    @Test("A sound statement replaces a damaged one")
    func replaced() throws {
        // given
        let peer = try TestPeer(testLog, seed: 1, home: TestPeer.newHome())
        func statement(_ content: [UInt8], at moment: UInt64) -> StoredLossStatement {
            StoredLossStatement(
                id: LossID(sha256([1])), person: PersonID(sha256([2])),
                heardAt: Milliseconds(moment), content: content)
        }
        try peer.store.losses.keep([statement([0xFF], at: 10)], dropping: [])
        // when
        try peer.store.losses.keep([statement([1], at: 20)], dropping: [])
        // then
        #expect(try peer.store.losses.all() == [statement([1], at: 20)])
        try peer.store.close()
    }
}
