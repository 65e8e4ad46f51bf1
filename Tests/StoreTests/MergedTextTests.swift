import Store
import SyncCore
import Testing

@Suite("Merged texts in the store") struct MergedTextTests {
    private let testLog = TestLog()

    /// Three people in one space that all have the same text of record 1.
    private func three(_ text: String) throws -> (peers: [TestPeer], space: SpaceID) {
        let peers = try (1...3).map { try TestPeer(testLog, seed: UInt64($0)) }
        let space = try peers[0].found()
        for peer in peers[1...] { try peers[0].grant(.editor, to: peer, in: space) }
        try peers[0].write([written(text, 1)], to: space)
        for peer in peers[1...] { try peer.pull(space, from: peers[0]) }
        return (peers, space)
    }

    private func exchange(_ space: SpaceID, _ peers: [TestPeer]) throws {
        for _ in 0..<2 {
            for peer in peers {
                for other in peers where other.device != peer.device {
                    #expect(try peer.pull(space, from: other).refusal == nil)
                }
            }
        }
    }

    private func text(_ peer: TestPeer, _ space: SpaceID) throws -> String? {
        try peer.shown(1, in: space)?.value("text")?.text
    }

    /// What an author who looks at the text now replaces.
    private func seen(_ peer: TestPeer, _ space: SpaceID) throws -> [WriteID] {
        try peer.shown(1, in: space)?.writes("text") ?? []
    }

    @Test("three edits in three places are in the text everywhere, and search finds all")
    func places() throws {
        let (peers, space) = try three("We walked to the lake. It rained. The hut was closed.")
        try peers[0].write(
            [written("We ran to the lake. It rained. The hut was closed.", 1)], to: space)
        try peers[1].write(
            [written("We walked to the lake. It snowed. The hut was closed.", 1)], to: space)
        try peers[2].write(
            [written("We walked to the lake. It rained. The hut was open.", 1)], to: space)
        try exchange(space, peers)
        for peer in peers {
            #expect(try text(peer, space) == "We ran to the lake. It snowed. The hut was open.")
            #expect(try peer.store.records.conflicts(of: space).isEmpty)
            #expect(try peer.store.records.search("ran snowed open").count == 1)
            #expect(try peer.store.examination.compareShown().faults == [])
        }
    }

    @Test("three edits of one word show the same word everywhere and are a conflict until decided")
    func overlap() throws {
        let (peers, space) = try three("to the lake")
        for (peer, word) in zip(peers, ["sea", "hut", "city"]) {
            try peer.write([written("to the \(word)", 1)], to: space)
        }
        try exchange(space, peers)
        for peer in peers {
            #expect(try text(peer, space) == text(peers[0], space))
            #expect(try peer.store.records.conflicts(of: space).count == 1)
            #expect(try seen(peer, space).count == 3)
        }
        let decision = written("to the sea", 1, replaces: try seen(peers[1], space))
        try peers[1].write([decision], to: space)
        try exchange(space, peers)
        for peer in peers {
            #expect(try text(peer, space) == "to the sea")
            #expect(try peer.store.records.conflicts(of: space).isEmpty)
        }
    }

    @Test("texts of two records that one commit wrote are merged, and the commit is read once")
    func together() throws {
        let (peers, space) = try three("to the lake")
        try peers[0].write([written("by the old bridge", 2)], to: space)
        try exchange(space, peers)
        try peers[0].write(
            [written("up to the lake", 1), written("by the very old bridge", 2)], to: space)
        try peers[1].write(
            [written("to the lake, slowly", 1), written("by the old bridge again", 2)], to: space)
        try exchange(space, peers)
        for peer in peers {
            #expect(try text(peer, space) == "up to the lake, slowly")
            #expect(
                try peer.shown(2, in: space)?.value("text")?.text == "by the very old bridge again")
        }
    }

    @Test("a save of a form opened before much arrived keeps what arrived, and what was typed")
    func form() throws {
        let (peers, space) = try three("One. Two. Three. Four.")
        let (author, other) = (peers[0], peers[1])
        let opened = try seen(author, space)
        for text in ["1. Two. Three. Four.", "1. 2. Three. Four."] {
            try other.write([written(text, 1)], to: space)
            try author.pull(space, from: other)
        }
        // What the device had received meanwhile its author had not seen.
        try author.write([written("One. Two. Three. 4.", 1, replaces: opened)], to: space)
        try exchange(space, peers)
        for peer in peers {
            #expect(try text(peer, space) == "1. 2. Three. 4.")
            #expect(try peer.store.records.conflicts(of: space).isEmpty)
        }
    }

    @Test("edits upon a merged text, on two sides again, are merged over it")
    func rounds() throws {
        let (peers, space) = try three("a b c d e f g h")
        var words = "a b c d e f g h".split(separator: " ").map(String.init)
        for round in 0..<4 {
            for (index, peer) in peers[...1].enumerated() {
                var own = words
                own[index * 4 + round] = "x\(index)\(round)"
                try peer.write(
                    [
                        written(
                            own.joined(separator: " "), 1, replaces: try seen(peer, space))
                    ], to: space)
            }
            try exchange(space, Array(peers[...1]))
            for index in 0...1 { words[index * 4 + round] = "x\(index)\(round)" }
            #expect(try text(peers[0], space) == words.joined(separator: " "))
            #expect(try text(peers[1], space) == words.joined(separator: " "))
        }
        try exchange(space, peers)
        #expect(try text(peers[2], space) == words.joined(separator: " "))
    }

    @Test("an edit beside a deletion stays hidden, is a conflict, and comes back with the record")
    func deletion() throws {
        let (peers, space) = try three("a text")
        try peers[0].write([deleted(1)], to: space)
        try peers[1].write([written("a text, and more", 1)], to: space)
        try exchange(space, peers)
        let key = RecordKey(collection: "memory", record: record(1))
        for peer in peers {
            #expect(try peer.store.records.list(of: space, in: "memory").isEmpty)
            #expect(try peer.store.records.conflicts(of: space) == [key])
            #expect(try peer.store.records.record(key, of: space)?.hiddenEdits.count == 1)
            #expect(try peer.store.examination.compareShown().faults == [])
        }
        try peers[2].write([deleted(1, false)], to: space)
        try exchange(space, peers)
        for peer in peers {
            #expect(try text(peer, space) == "a text, and more")
            #expect(try peer.store.records.conflicts(of: space).isEmpty)
        }
    }

    @Test("a deletion that saw the edits is no conflict, and deciding to delete ends one")
    func decidedDeletion() throws {
        let (peers, space) = try three("a text")
        try peers[0].write([deleted(1)], to: space)
        #expect(try peers[0].store.records.conflicts(of: space).isEmpty)
        try peers[1].write([written("more", 1)], to: space)
        try exchange(space, peers)
        #expect(try peers[2].store.records.conflicts(of: space).count == 1)
        try peers[2].write([deleted(1)], to: space)
        try exchange(space, peers)
        for peer in peers { #expect(try peer.store.records.conflicts(of: space).isEmpty) }
    }

    @Test("texts are put together where too many changes are of a record to stand in its row")
    func manyWriters() throws {
        // given
        let (peers, space) = try three("One. Two. Three.")
        for number in 0...Limits.keptWriters {
            try peers[0].write([written("One. Two. Three. \(number).", 1)], to: space)
        }
        try peers[1].pull(space, from: peers[0])
        let end = " \(Limits.keptWriters)."
        // when
        try peers[0].write([written("1. Two. Three." + end, 1)], to: space)
        try peers[1].write([written("One. Two. 3." + end, 1)], to: space)
        try exchange(space, Array(peers[...1]))
        // then
        for peer in peers[...1] {
            #expect(try text(peer, space) == "1. Two. 3." + end)
            #expect(try peer.store.records.conflicts(of: space).isEmpty)
            let key = RecordKey(collection: "memory", record: record(1))
            #expect(
                try peer.store.records.textWrites(to: "text", of: key, in: space).count
                    == Limits.keptWriters + 4)
            #expect(try peer.store.records.textWrites(to: "title", of: key, in: space).isEmpty)
            #expect(try peer.store.examination.compareShown().faults == [])
        }
    }

    @Test("a text with more writes than are looked at shows the last one, and merges no more")
    func longHistory() throws {
        let (peers, space) = try three("start")
        for number in 0..<Limits.mergedHistory {
            try peers[0].write([written("start \(number)", 1)], to: space)
        }
        try peers[1].pull(space, from: peers[0])
        let last = "start \(Limits.mergedHistory - 1)"
        try peers[0].write([written("first " + last, 1)], to: space)
        try peers[1].write([written(last + " end", 1)], to: space)
        try exchange(space, peers)
        for peer in peers {
            #expect(try text(peer, space) == text(peers[0], space))
            #expect(try peer.store.records.conflicts(of: space).count == 1)
        }
    }
}
