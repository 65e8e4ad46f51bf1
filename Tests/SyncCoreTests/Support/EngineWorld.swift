import SyncCore
import TestKit

/// Devices and the connections between them, with every delay, order and loss from one seed.
struct EngineWorld {
    var nodes: [EngineNode]
    var links: [Link] = []
    var now: UInt64 = 1_000
    var random: SeededGenerator
    private var nextSession: UInt64 = 1
    private var nextRequest: UInt64 = 1
    /// The facts of every commit: what verifying finds.
    var facts: [CommitID: [MembershipFact]] = [:]
    /// Devices that were ever granted a space: nobody else may hear of it.
    var granted: [SpaceID: Set<DeviceID>] = [:]
    /// What must never happen, in words.
    var violations: [String] = []
    /// Messages sent, by kind.
    var sent: [String: Int] = [:]
    var closed: [ByeReason: Int] = [:]

    /// One connection; `ends[0]` dialled. Each end has a queue of what is on its way to it.
    struct Link {
        enum Arrival {
            case opening
            case message(PeerMessage)
            case ending
        }

        struct End {
            let node: Int
            let session: SessionID
            /// The two sides notice a new connection at different times.
            var arriving: [Arrival] = [.opening]
            var isOpened = false
        }

        var ends: [End]
        var isOpen = true
        /// Nothing arrives any more and nobody is told: a cable pulled out.
        var isSilent = false
    }

    init(_ devices: [TestDevice], seed: UInt64) {
        nodes = devices.map { EngineNode($0) }
        random = SeededGenerator(seed: seed)
    }

    var isQuiet: Bool {
        nodes.allSatisfy { !$0.hasWork }
            && links.allSatisfy { link in
                link.isSilent || link.ends.allSatisfy { $0.arriving.isEmpty }
            }
    }

    // MARK: What a test does

    mutating func post(_ event: EngineEvent, to node: Int) {
        let instant = Instant(now)
        for action in nodes[node].engine.handle(event, at: instant) {
            perform(action, on: node)
        }
    }

    /// Connects two nodes, the first one dialling.
    @discardableResult
    mutating func connect(_ one: Int, _ other: Int) -> Int {
        let ends = [one, other].map { node in
            defer { nextSession += 1 }
            return Link.End(node: node, session: SessionID(nextSession))
        }
        links.append(Link(ends: ends))
        return links.count - 1
    }

    /// Ends a connection; what was on its way is lost.
    mutating func cut(_ link: Int) {
        guard links[link].isOpen else { return }
        links[link].isOpen = false
        for end in links[link].ends.indices {
            links[link].ends[end].arriving = []
            guard links[link].ends[end].isOpened else { continue }
            post(.sessionClosed(links[link].ends[end].session), to: links[link].ends[end].node)
        }
    }

    /// Puts a device back to where it was, with the log it had: a restored copy that nobody notices.
    mutating func rollBack(_ node: Int, to before: EngineNode) {
        for link in links.indices where links[link].ends.contains(where: { $0.node == node }) {
            cut(link)
        }
        nodes[node] = EngineNode(before.device, pageLength: before.pageLength)
        nodes[node].log = before.log
        nodes[node].stores = before.stores
        nodes[node].acks = before.acks
        nodes[node].counter = now
        for store in before.stores.values {
            if let ledger = store.ledger { post(.spaceOpened(SpaceView(ledger)), to: node) }
        }
    }

    mutating func silence(_ link: Int) {
        links[link].isSilent = true
    }

    mutating func found(_ node: Int, nonce: UInt64 = 0) -> SpaceID {
        let genesis = TestCommit.genesis(nodes[node].device, nonce: nonce)
        facts[genesis.id] = genesis.facts
        granted[genesis.space] = [nodes[node].device.id]
        var store = MemoryStore()
        let view = store.apply([genesis]).view
        nodes[node].stores[genesis.space] = store
        if let view { post(.spaceOpened(view), to: node) }
        return genesis.space
    }

    /// Writes one commit; the engine hears of it later. False when the node may not.
    @discardableResult
    mutating func write(_ node: Int, _ space: SpaceID, _ draft: TestDraft) -> Bool {
        if nodes[node].stores[space]?.forks[nodes[node].log] != nil {
            nodes[node].leave(nodes[node].log)
        }
        let log = nodes[node].log
        guard let commit = nodes[node].stores[space]?.append(in: log, clock: now, draft) else {
            return false
        }
        facts[commit.id] = commit.facts
        for case .grant(let grant) in commit.facts {
            granted[space, default: []].insert(grant.card.device)
        }
        var report = ApplyReport(
            space: space, view: nodes[node].stores[space]?.ledger.map(SpaceView.init))
        report.stored = [commit.commit]
        nodes[node].reports.append(report)
        return true
    }

    mutating func grant(
        _ space: SpaceID, by author: Int, to node: Int, _ flags: Permissions, sibling: UInt32 = 0
    ) {
        let device = nodes[author].device.id
        guard let own = nodes[author].stores[space]?.ledger?.membership.writingGrant(of: device)
        else { return }
        let grant = nodes[node].device.grant(from: own, flags, sibling: sibling)
        write(author, space, TestDraft(facts: [.grant(grant)]))
    }

    mutating func revoke(_ space: SpaceID, by author: Int, of node: Int) {
        guard let ledger = nodes[author].stores[space]?.ledger,
            let grant = ledger.membership.writingGrant(of: nodes[node].device.id)
        else { return }
        let revocation = Revocation(
            grant: grant, remaining: [], cut: ledger.watermark, scope: .device, cascade: .none)
        write(author, space, TestDraft(facts: [.revocation(revocation)]))
    }

    mutating func requestSync(_ node: Int) -> SyncRequestID {
        let request = SyncRequestID(nextRequest)
        nextRequest += 1
        post(.syncRequested(request), to: node)
        return request
    }

    // MARK: Time

    /// Does one thing that can happen now, at random; false when nothing can.
    mutating func step() -> Bool {
        var choices: [() -> (inout EngineWorld) -> Void] = []
        for node in nodes.indices {
            for kind in EngineNode.Work.allCases where !(nodes[node].queues[kind] ?? []).isEmpty {
                choices.append { { $0.work(kind, on: node) } }
            }
            if !nodes[node].reports.isEmpty {
                choices.append { { $0.report(on: node) } }
            }
        }
        for link in links.indices where !links[link].isSilent {
            for end in links[link].ends.indices where !links[link].ends[end].arriving.isEmpty {
                choices.append { { $0.deliver(link, end) } }
            }
        }
        guard let choice = choices.randomElement(using: &random) else { return false }
        choice()(&self)
        return true
    }

    /// Lets everything happen that can without time going on.
    mutating func settle(limit: Int = 200_000) {
        var steps = 0
        while step() {
            steps += 1
            if steps == limit {
                violations.append("still busy after \(limit) steps")
                return
            }
        }
    }

    /// Lets time go on, tick by tick, with everything that happens on the way.
    mutating func pass(_ milliseconds: UInt64) {
        let end = now + milliseconds
        settle()
        while now < end {
            let wait = nodes.compactMap { $0.engine.nextTick(at: Instant(now)) }.min()
            now = min(end, now + max(1, wait ?? milliseconds))
            for node in nodes.indices where nodes[node].engine.nextTick(at: Instant(now)) == 0 {
                post(.tick, to: node)
                if nodes[node].engine.nextTick(at: Instant(now)) == 0 {
                    violations.append("node \(node) wants a tick at once after a tick")
                }
            }
            settle()
        }
    }

    mutating func advance(_ milliseconds: UInt64) {
        now += milliseconds
        for node in nodes.indices { post(.tick, to: node) }
    }
}

// MARK: What is looked at afterwards

extension EngineWorld {
    func watermark(_ node: Int, _ space: SpaceID) -> Watermark {
        nodes[node].stores[space]?.watermark ?? Watermark()
    }

    func forks(_ node: Int, _ space: SpaceID) -> [LogID: ForkedLog] {
        nodes[node].stores[space]?.forks ?? [:]
    }

    func records(_ node: Int, _ space: SpaceID) -> [RecordID: RecordState] {
        nodes[node].stores[space]?.records ?? [:]
    }

    func hasSynced(_ node: Int, _ request: SyncRequestID) -> Bool {
        nodes[node].finishedSyncs.contains(request)
    }

    /// Open connections between two nodes that both engines still know of.
    func openLinks(_ one: Int, _ other: Int) -> Int {
        links.count { link in
            link.isOpen && Set(link.ends.map(\.node)) == [one, other]
        }
    }
}
