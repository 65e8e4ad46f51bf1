import Node
import SyncCore
import Wire

/// One device of a crowd: its engine, and a log in memory in place of a store.
final class CrowdDevice {
    /// The shell's queues: each carries out its work in order.
    enum Lane: Int, CaseIterable {
        case verifying, storing, stating, reading
    }

    /// Its dialling state since it was switched on.
    struct Calls {
        /// How often it was switched on.
        var boot = 0
        var dialing = Dialing()
        var next = Alarm()
    }

    /// The acknowledgements that it signed and heard.
    struct Acks {
        private var ownCounter: UInt64 = 0
        /// The newest counter of each device that signed one.
        private(set) var heard: [DeviceID: UInt64] = [:]

        /// The counter of its next own acknowledgement.
        mutating func nextOwn() -> UInt64 {
            ownCounter += 1
            return ownCounter
        }

        /// False for one that is no newer than those it heard before.
        mutating func hear(_ ack: Ack) -> Bool {
            guard ack.counter > heard[ack.device] ?? 0 else { return false }
            heard[ack.device] = ack.counter
            return true
        }
    }

    let index: Int
    let card: Card
    let log: LogID
    var engine: Engine
    var ledger: SpaceLedger
    /// In storing order, without those that all had from the start.
    var commits: [UnverifiedCommit] = []
    var isUp = false
    /// The side of a split network; 0 for all otherwise.
    var side = 0
    var sessions: [SessionID: Int] = [:]
    var acks = Acks()
    /// When the last work of each lane is done.
    var busyUntil = [UInt64](repeating: 0, count: Lane.allCases.count)
    var nextTick = Alarm()
    var calls = Calls()
    /// How often each commit arrived.
    var copies: [CommitID: Int] = [:]
    var sent = (bytes: 0, messages: 0)

    init(index: Int, card: Card, log: LogID, ledger: SpaceLedger) {
        self.index = index
        self.card = card
        self.log = log
        self.ledger = ledger
        engine = Engine(device: card.device, person: card.person)
    }

    var device: DeviceID { card.device }

    /// The device's service instance, as others see it.
    var instance: DiscoveredInstance {
        DiscoveredInstance(
            name: "crowd-\(index)-\(calls.boot)", addresses: [HostPort(host: "\(index)", port: 1)],
            protocolVersion: 1, nameplate: nil)
    }

    /// Switches it on.
    func begin() {
        isUp = true
        engine = Engine(device: device, person: card.person)
        calls = Calls(boot: calls.boot + 1)
    }

    var view: SpaceView {
        SpaceView(
            space: ledger.space, role: .shared, watermark: ledger.watermark,
            membership: ledger.membership)
    }

    func commit(at log: LogID, _ sequence: UInt64) -> CommitID? {
        if ledger.watermark.heads[log]?.sequence == sequence {
            return ledger.watermark.heads[log]?.commit
        }
        return commits.last { $0.header.log == log && $0.header.sequence == sequence }?.id
    }

    /// Stores the commits that fit; reports why the first one did not, if any.
    func apply(_ batch: [VerifiedCommit]) -> ApplyReport {
        var report = ApplyReport(space: ledger.space)
        for commit in batch {
            let refusal = try? ledger.check(commit) { self.commit(at: $0, $1) }
            guard let refusal else {
                _ = ledger.record(commit)
                commits.append(commit.commit)
                report.stored.append(commit.commit)
                continue
            }
            if refusal != .known { report.refusals.append(ApplyReport.Refusal(commit, refusal)) }
        }
        report.view = view
        return report
    }

    func page(beyond watermark: Watermark, after: Int64) -> LoadedCommits {
        let fresh = commits.enumerated().dropFirst(Int(after)).filter {
            !watermark.covers($0.element.header.log, $0.element.header.sequence)
        }
        return LoadedCommits(
            commits: fresh.map(\.element), cursor: Int64(commits.count), isLast: true)
    }
}
