import Store
import SyncCore
import TestKit
import Testing
import VirtualDisk

/// A small sync run of two devices, step by step: Anna's disk is the one that gives trouble, Ben's is
/// sound. A step that threw is done again after whatever was in its way is gone.
struct SmallRun {
    let disk = VirtualDisk(seed: 1)
    /// Nil while Anna's store is closed.
    private(set) var anna: TestPeer?
    private let ben: TestPeer
    private let space: SpaceID
    private let testLog: TestLog
    private(set) var step = 0
    /// What Anna's store has answered: it must be there from then on.
    private(set) var answered: Set<CommitID> = []
    private var setting: String?
    private var incarnation: Incarnation?

    init(_ testLog: TestLog) throws {
        self.testLog = testLog
        ben = try TestPeer(testLog, seed: 2, on: VirtualDisk(seed: 2))
        space = try ben.found()
        for number in 0..<3 as Range<UInt64> {
            try ben.write(SmallRun.records(number, from: "Ben"), to: space)
        }
    }

    static let stepCount = 9
    /// The step in which the space comes to be here.
    static let making = 1
    /// The steps that end with closing the store, after which everything is in one file.
    static let closing = [5, 8]
    /// Those that open or close it, where SQLite may do without a call that failed.
    static let tolerant = [0, 5, 6, 8]

    /// Does the steps that are left, but for those from `end` on; throws what the store throws.
    mutating func go(until end: Int = SmallRun.stepCount) throws {
        while step < end {
            try perform(step)
            step += 1
        }
    }

    private mutating func perform(_ step: Int) throws {
        switch step {
        case 0, 6: try open()
        case 1:
            if ben.store.ledger(of: space)?.membership.writingGrant(of: Self.annaDevice) == nil {
                try ben.grant(.editor, to: try opened(), in: space)
            }
            note(try opened().pull(space, from: ben))
        case 2:
            for number in 3..<5 as Range<UInt64> {
                note(try opened().write(SmallRun.records(number, from: "Anna"), to: space))
            }
        case 3:
            try ben.pull(space, from: opened())
            try ben.write(SmallRun.records(1, from: "Ben zum zweiten"), to: space)
            note(try opened().pull(space, from: ben))
        case 4:
            try opened().store.settings.set("key", to: "value")
            setting = "value"
        case 5: try close()
        case 7: note(try opened().write(SmallRun.records(7, from: "Anna"), to: space))
        default: try close()
        }
    }

    private static let annaSeed: UInt64 = 1
    private static let annaDevice = CardContent(
        signingKey: sha256(bigEndian(annaSeed)), agreementKey: .zero, personKey: .zero
    ).device

    private static func records(_ number: UInt64, from name: String) -> [RecordOperation] {
        let text = String(repeating: "\(name) schreibt. ", count: 20)
        return (0..<2).map { titled("\(text) \(number)", number * 2 + $0) }
    }

    private mutating func note(_ outcome: ApplyReport) {
        #expect(outcome.refusal == nil)
        answered.formUnion(outcome.stored.map(\.id))
    }

    private func opened() throws -> TestPeer {
        try #require(anna, "Anna's store is open in this step")
    }

    /// Opens Anna's store and looks that everything answered is in it.
    private mutating func open() throws {
        let peer = try TestPeer(testLog, seed: SmallRun.annaSeed, on: disk)
        peer.now = Milliseconds(peer.now.value + UInt64(step) * 1000)
        for commit in answered where try peer.store.log.commit(commit) == nil {
            Issue.record("\(commit) was answered and is lost, in step \(step)")
        }
        #expect(try peer.store.settings.value(of: "key") == setting || setting == nil)
        #expect(incarnation == nil || peer.log.incarnation == incarnation)
        incarnation = peer.log.incarnation
        anna = peer
    }

    private mutating func close() throws {
        try anna?.store.close()
        anna = nil
    }

    /// Opens the store again, as after an error it must be, when the run has to go on with one.
    mutating func reopen() throws {
        anna = nil
        if step != 0 && step != 6 { try open() }
    }

    /// After the last step: both have everything, show the same, and it stays after a power cut.
    mutating func conclude() throws {
        var random = SeededGenerator(seed: 1)
        disk.powerCut(random: &random)
        try open()
        let peer = try opened()
        try ben.pull(space, from: peer)
        #expect(try peer.store.integrityCheck() == [])
        #expect(try peer.digest(space) == ben.digest(space))
        #expect(
            peer.store.ledger(of: space)?.watermark == ben.store.ledger(of: space)?.watermark)
    }
}
