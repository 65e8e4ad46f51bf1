import Store
import SyncCore
internal import TestKit
import Wire

/// The information for checkers, and for the trace.
final class Observer {
    private unowned let world: World
    private(set) var histories: [SpaceID: SpaceHistory] = [:]
    /// In the order of their founding.
    private(set) var spaces: [SpaceID] = []
    /// Devices that were ever granted a space, with the granting commits: no other device may hear
    /// of it.
    private(set) var granted: [SpaceID: [DeviceID: [CommitID]]] = [:]
    /// Commits whose authors knew that nobody may ever accept them.
    private var forbidden: Set<CommitID> = []

    init(world: World) { self.world = world }

    // MARK: Spaces

    func begin(_ space: SpaceID, by founder: Replica) {
        spaces.append(space)
        histories[space] = SpaceHistory(founder: founder.index)
        granted[space] = [founder.device: []]
    }

    /// Spaces that this device has and can read, in the order of their founding.
    func activeSpaces(of replica: Replica, with flags: Permissions = .read) -> [SpaceID] {
        guard let store = replica.store else { return [] }
        return spaces.filter { space in
            guard let ledger = store.ledger(of: space),
                ledger.membership.permissions(of: replica.device).isSuperset(of: flags)
            else { return false }
            return store.spaces.standing(of: space) == .active
        }
    }

    /// Nobody may ever accept this commit.
    func forbid(_ commit: CommitID) { forbidden.insert(commit) }

    /// A device showed others a commit that not even its own store accepts.
    func claim(_ header: CommitHeader, in space: SpaceID) { histories[space]?.claim(header) }

    // MARK: What devices do

    func note(_ event: EngineEvent, _ replica: Replica) {
        world.report.trace.note(
            "event", UInt64(replica.index), event.mark, world.random.state,
            text: "\(replica.index) \(event.summary)")
    }

    func note(_ action: EngineAction, _ replica: Replica) {
        world.report.trace.note(
            "work", UInt64(replica.index), action.mark, text: "\(replica.index) \(action.summary)")
    }

    /// Inspects the results of a replica's work before its engine receives them.
    func observe(_ event: EngineEvent, _ replica: Replica) {
        switch event {
        case .applied(let report, let source):
            for commit in report.stored {
                if source == nil {
                    record(commit, by: replica, in: report.space)
                } else {
                    hold(commit, replica, in: report.space)
                }
            }
            checkGrowth(of: report.watermark, in: report.space, replica)
            world.arrivalCheck.checkGroups(report, replica)
            world.arrivalCheck.checkSuspicions(report, replica)
            for refusal in report.refusals {
                world.report.trace.note(
                    "refused", UInt64(replica.index), text: "\(replica.index) \(refusal.reason)")
            }
        case .ackSigned(let ack):
            world.report.trace.note(bytes: ack.bytes)
            let durable = replica.watermark(of: ack.said.space)
            // For a log that forked meanwhile less is known now.
            let said = ack.said.watermark.without(histories[ack.said.space]?.forks ?? [:])
            if !durable.covers(said) {
                world.report.fail(
                    "durability",
                    "\(replica.index) acknowledges \(ack.said.watermark.summary) and has only "
                        + durable.summary)
            }
        default: break
        }
    }

    /// A commit that a replica just wrote.
    func record(
        _ commit: UnverifiedCommit, by replica: Replica, in space: SpaceID
    ) {
        world.report.counts.commits += 1
        world.report.trace.note(
            "wrote", UInt64(replica.index),
            text: "\(replica.index) \(commit.summary) \(commit.operations.map(\.summary))")
        world.report.trace.note(bytes: commit.id.bytes)
        world.keyCheck.checkKey(of: commit, by: replica, in: space)
        let held = replica.seen.held[space] ?? CommitSet()
        let entry = SpaceHistory.Entry(
            commit: commit, author: replica.index,
            past: histories[space]?.whole(held, besides: commit.header.log) ?? held,
            isForbidden: forbidden.contains(commit.id), writtenAt: world.timeline.now)
        guard let (number, isSecond) = histories[space]?.add(entry) else {
            return world.report.fail("simulator", "no history of \(short(space))")
        }
        for case .grant(let grant) in commit.clear.facts {
            guard let device = grant.card.links.last?.content.device else { continue }
            granted[space, default: [:]][device, default: []].append(commit.id)
        }
        if isSecond, !replica.seen.wentBack, replica.isHonest {
            world.report.fail("sequence", "\(replica.index) uses \(commit.summary) a second time")
        }
        replica.seen.held[space, default: CommitSet()].insert(number)
    }

    /// A commit of another device that a replica just stored.
    private func hold(_ commit: UnverifiedCommit, _ replica: Replica, in space: SpaceID) {
        guard let number = histories[space]?.numbers[commit.id] else {
            return world.report.fail(
                "permission", "\(replica.index) stored \(commit.summary) of nobody")
        }
        world.arrivalCheck.checkPast(of: commit, replica, in: space)
        replica.seen.held[space, default: CommitSet()].insert(number)
        if commit.header.log.device == replica.device {
            histories[space]?.regained.insert(number)
        }
    }

    /// Commits that a replica wrote but could not answer for before a power cut may nevertheless be
    /// there.
    private func adoptUnanswered(by replica: Replica, _ store: SyncStore) throws {
        for space in store.ledgers.keys.sorted() {
            if histories[space] == nil {
                begin(space, by: replica)
            }
            for commit in try store.log.history(of: space, limit: .max).reversed()
            where commit.log.device == replica.device
                && histories[space]?.numbers[commit.id] == nil
            {
                guard let bytes = try store.log.commit(commit.id) else { continue }
                let codec = CommitCodec(epochKeys: replica.epochKeys)
                record(try codec.decode(bytes), by: replica, in: space)
            }
        }
    }

    private func checkGrowth(of watermark: Watermark, in space: SpaceID, _ replica: Replica) {
        let before = (replica.seen.watermarks[space] ?? Watermark())
            .without(histories[space]?.forks ?? [:])
        if !watermark.covers(before), replica.isHonest {
            world.report.fail(
                "watermark",
                "\(replica.index) went from \(before.summary) back to \(watermark.summary)")
        }
        replica.seen.watermarks[space] = watermark
    }

    /// After a start everything ever answered or acknowledged must be there.
    func checkRestart(of replica: Replica, _ store: SyncStore) {
        do {
            try adoptUnanswered(by: replica, store)
            for space in spaces {
                let known = store.ledger(of: space) != nil
                let stored = known ? try store.log.history(of: space, limit: .max) : []
                var there = CommitSet()
                for commit in stored {
                    guard let number = histories[space]?.numbers[commit.id] else {
                        world.report.fail(
                            "permission", "\(replica.index) has \(commit.id) of nobody")
                        continue
                    }
                    there.insert(number)
                }
                let before = replica.seen.held[space] ?? CommitSet()
                for number in before.members where !there.contains(number) {
                    guard let commit = histories[space]?.entries[number].commit else { continue }
                    // Commits at a fork do not count, and are still there.
                    if histories[space]?.isBranch(number) == true,
                        try store.log.commit(commit.id) != nil
                    {
                        there.insert(number)
                    } else if !replica.seen.isSpoiled {
                        world.report.fail("durability", "\(replica.index) lost \(commit.summary)")
                    } else if commit.header.log.device == replica.device,
                        histories[space]?.regained.contains(number) != true,
                        try !SpoilTrial.isTold(space, by: store)
                    {
                        world.report.fail(
                            "told", "\(replica.index) lost \(commit.summary) without a word")
                    }
                }
                replica.seen.held[space] = there
                let after = store.ledger(of: space)?.watermark ?? Watermark()
                if replica.seen.isSpoiled { replica.seen.watermarks[space] = nil }
                checkGrowth(of: after, in: space, replica)
            }
        } catch {
            world.report.fail("durability", "\(replica.index) does not read its store: \(error)")
        }
    }
}

extension Watermark {
    /// The same without some logs: for a forked log less is known later.
    fileprivate func without(_ forks: [LogID: UInt64]) -> Watermark {
        Watermark(heads.filter { forks[$0.key] == nil })
    }
}

extension EngineEvent {
    /// Distinguishes events of different kinds and sizes.
    fileprivate var mark: UInt64 {
        switch self {
        case .tick: 1
        case .received(let session, _): 2 + session.number << 8
        case .applied(let report, _):
            4 + UInt64(report.stored.count) << 8 + brief(report.space) << 16
        case .loaded(_, _, let loaded): 5 + UInt64(loaded.commits.count) << 8
        case .sessionOpened(let session, _): 6 + session.number << 8
        case .sessionClosed(let session): 7 + session.number << 8
        case .ackStored(let ack, _): 8 + ack.said.counter << 8
        case .ackSigned(let ack): 9 + ack.said.counter << 8
        case .blobFinished(let blob, _): 10 + brief(blob) << 8
        default: 11
        }
    }
}

extension EngineEvent {
    /// For readers of a trace.
    fileprivate var summary: String {
        switch self {
        case .tick: "tick"
        case .received(let session, let message): "hears on \(session.number) \(message.summary)"
        case .applied(let report, let source):
            "stored \(report.stored.map(\.summary)) \(source == nil ? "of its own" : "")"
        case .sessionOpened(let session, let peer):
            "session \(session.number) with \(short(peer.device)) opens"
        case .sessionClosed(let session): "session \(session.number) closes"
        case .spaceOpened(let view): "opens \(short(view.space)) \(view.watermark.summary)"
        default: String("\(self)".prefix(60))
        }
    }
}

extension EngineAction {
    fileprivate var mark: UInt64 {
        switch self {
        case .verify(let session, _, let commits, _):
            1 + session.number << 8 + UInt64(commits.count) << 32
        case .apply(_, let commits, let verdict, let session):
            2 + session.number << 8 + UInt64(commits.count) << 32
                + (verdict == .sound ? 1 << 60 : verdict == .keysMissing ? 1 << 61 : 0)
        case .load(let session, _, _, let cursor):
            3 + session.number << 8 + UInt64(bitPattern: cursor) << 32
        case .acknowledge(let space, _): 4 + brief(space) << 8
        case .verifyAck(let ack, let session): 5 + session.number << 8 + ack.said.counter << 16
        case .serve(let bulk, let want): 6 + bulk.number << 8 + UInt64(want.request) << 32
        case .writeChunk(let blob, let index, _, _): 7 + brief(blob) << 8 + UInt64(index)
        default: 8
        }
    }

    fileprivate var summary: String {
        switch self {
        case .verify(_, let space, let commits, _):
            "verifies \(short(space)) \(commits.map(\.summary))"
        case .apply(let space, let commits, let verdict, _):
            "applies \(short(space)) \(commits.map(\.commit.summary)), \(verdict)"
        case .load(_, let space, let beyond, _): "loads \(short(space)) from \(beyond.summary)"
        case .acknowledge(let space, let mark): "acknowledges \(short(space)) \(mark.summary)"
        case .verifyAck(let ack, _): "checks the ack of \(short(ack.said.device))"
        case .ownLogAhead(_, let log, _): "has less than others of \(short(log.device))"
        case .offer(let space, _, _): "is offered \(short(space))"
        case .reportHoldings: "reports what it holds"
        case .verifyHoldings: "checks holdings"
        case .serve(_, let want): "serves \(short(want.blob))"
        case .finishBlob(let need, _), .storeSmallBlob(let need, _, _):
            "keeps \(short(need.blob))"
        default: "works on a file"
        }
    }
}

extension RecordOperation {
    /// The record and what is written to it, for traces.
    fileprivate var summary: String {
        let words = writes.map { write in
            "\(write.field)\(write.element.map { "[\($0)]" } ?? "") = \(write.value)".prefix(60)
        }
        return "\(collection) \("\(record)".prefix(8)): \(words.joined(separator: ", "))"
    }
}
