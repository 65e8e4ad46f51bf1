import SyncCore
import TestKit

extension Instant {
    /// A moment of a test: the wall clock goes with the monotonic one.
    init(_ monotonic: UInt64) {
        self.init(monotonic: monotonic, wall: Milliseconds(1_700_000_000_000 + monotonic))
    }
}

extension RecordID {
    init(_ number: UInt64) {
        var random = SeededGenerator(seed: number)
        self.init(Bytes16(random: &random))
    }
}

extension CommitID {
    init(number: UInt64) {
        self.init(sha256(bigEndian(number)))
    }
}

extension RecordOperation {
    /// Writes to one test record.
    init(_ record: UInt64, _ writes: [Write]) {
        self.init(collection: "memory", record: RecordID(record), writes: writes)
    }
}

func title(_ text: String, replaces: [WriteID]? = nil) -> Write {
    Write(field: "title", value: .text(text), replaces: replaces)
}

/// A commit that gives one record a title.
func note(_ record: UInt64, _ text: String) -> TestDraft {
    TestDraft(operations: [RecordOperation(record, [title(text)])])
}

extension EngineWorld {
    /// Four people in one space of the first one's, not connected yet.
    static func fourPeople(seed: UInt64) -> (EngineWorld, SpaceID) {
        var world = EngineWorld((0..<4).map { TestDevice($0 + 1, person: $0 + 1) }, seed: seed)
        let space = world.found(0)
        for node in 1..<4 {
            world.grant(space, by: 0, to: node, .all)
            world.post(.spaceAccepted(space), to: node)
        }
        return (world, space)
    }
}
