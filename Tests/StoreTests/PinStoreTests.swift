import Store
import SyncCore
import Testing

/// What a store makes of the decisions of an admin who was removed, and whose log has two branches.
@Suite struct PinStoreTests {
    private let testLog = TestLog()

    /// Anna founded the space and let Ben in, who let Cleo in. Ben's other life began before that. Anna
    /// removed Ben; then the other life came to light.
    private struct Scene {
        let anna: TestPeer
        let ben: TestPeer
        let other: TestPeer
        let cleo: TestPeer
        let space: SpaceID

        init(_ testLog: TestLog, home: String) throws {
            anna = try TestPeer(testLog, seed: 1, home: home)
            ben = try TestPeer(testLog, seed: 2)
            other = try TestPeer(testLog, seed: 2)
            cleo = try TestPeer(testLog, seed: 3)
            other.log = ben.log
            space = try anna.found()
            let bens = try anna.grant(.all, to: ben, in: space)
            for peer in [ben, other] { try peer.pull(space, from: anna) }
            try ben.grant(.editor, to: cleo, in: space)
            try other.write([titled("other life", 2)], to: space)
            try cleo.pull(space, from: ben)
            try cleo.write([titled("by Cleo", 1)], to: space)
            try anna.pull(space, from: ben)
            try anna.pull(space, from: cleo)
            let cut = try #require(anna.store.ledger(of: space)?.watermark)
            let taking = Revocation(
                grant: bens, remaining: [], cut: cut, scope: .person, cascade: .none)
            try anna.write([], clear: ClearPart(facts: [.revocation(taking)]), to: space)
            try anna.receive(space, from: other)
        }

        func title(_ number: UInt64, at peer: TestPeer) throws -> String? {
            try peer.shown(number, in: space)?.value("title")?.text
        }
    }

    @Test("members whom a removed admin let in go on, also after the store was opened again")
    func reopened() throws {
        let home = TestPeer.newHome()
        let scene = try Scene(testLog, home: home)
        let (anna, cleo, space) = (scene.anna, scene.cleo, scene.space)
        #expect(anna.store.ledger(of: space)?.forks.count == 1)
        #expect(try scene.title(1, at: anna) == "by Cleo" && scene.title(2, at: anna) == nil)
        try cleo.write([titled("later", 3)], to: space)
        try anna.pull(space, from: cleo)
        #expect(try scene.title(3, at: anna) == "later")
        let before = anna.store.ledger(of: space)?.membership.standings
        try anna.store.close()

        let again = try TestPeer(testLog, seed: 1, home: home)

        #expect(again.store.ledger(of: space)?.membership.standings == before)
        #expect(try scene.title(1, at: again) == "by Cleo" && scene.title(3, at: again) == "later")
        #expect(try again.store.examination.verifyLogs().faults == 0)
        #expect(try again.store.examination.compareShown().faults == [])
    }

    @Test("a device that had the other branch learns of the pinned one, and shows the same")
    func otherLifeFirst() throws {
        let scene = try Scene(testLog, home: TestPeer.newHome())
        let dora = try TestPeer(testLog, seed: 4)
        try dora.pull(scene.space, from: scene.other)
        for _ in 0..<3 { try dora.receive(scene.space, from: scene.anna) }
        #expect(try scene.title(1, at: dora) == "by Cleo" && scene.title(2, at: dora) == nil)
        #expect(try dora.digest(scene.space) == scene.anna.digest(scene.space))
        let heads = scene.anna.store.ledger(of: scene.space)?.membership.pinnedHeads
        #expect(heads?.isEmpty == false)
        #expect(dora.store.ledger(of: scene.space)?.membership.pinnedHeads == heads)
    }

    @Test("a store of format 13 judges the decisions of a removed admin again")
    func thirteenthFormat() throws {
        let home = TestPeer.newHome()
        let scene = try Scene(testLog, home: home)
        try scene.anna.store.close()
        try execute(
            """
            UPDATE commits SET effective = 0 WHERE log IN (
                SELECT id FROM logs WHERE device = x'\(scene.cleo.device)');
            DELETE FROM records; ALTER TABLE records DROP COLUMN writers; DROP TABLE reversals;
            DROP INDEX blobs_freed; ALTER TABLE blobs DROP COLUMN freed_at; DROP TABLE groups;
            DROP INDEX commits_ahead; ALTER TABLE records DROP COLUMN text;
            ALTER TABLE records DROP COLUMN former_text;
            ALTER TABLE holdings DROP COLUMN unwanted; PRAGMA user_version = 13
            """, in: home)

        let again = try TestPeer(testLog, seed: 1, home: home)

        #expect(try scene.title(1, at: again) == "by Cleo")
        #expect(try again.store.examination.verifyLogs().faults == 0)
        #expect(try again.store.examination.compareShown().faults == [])
    }
}
