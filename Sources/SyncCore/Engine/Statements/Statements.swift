/// What devices said of what they hold: acks of changes, and holdings of files.
package struct Statements: Sendable {
    /// An ack of this device that is being made.
    private struct OwnAck {
        /// Who is to hear at once of something that it does not cover; nil when it covers all.
        var again: Set<SessionID>?
    }

    /// The latest ack of each device in each space.
    private(set) var acks: [SpaceID: [DeviceID: UnverifiedAck]] = [:]
    /// What each device said last of the files it holds.
    private(set) var holdings: [SpaceID: [DeviceID: UnverifiedHoldings]] = [:]
    /// When this device says which files it holds.
    var reports = FileReports()
    /// What it could not say, as it could not store it.
    private(set) var unstored = UnstoredStatements()
    /// Acks of this device that are being signed.
    private var signing: [SpaceID: OwnAck] = [:]
    /// What is known of the statements of others, as a number.
    private var sums: [SpaceID: StatementSums] = [:]
    var budget = StatementBudget()
    var walks = StatementWalks()

    // MARK: Keeping

    /// Never in place of a later one: what is read and what is stored are reported by two queues.
    mutating func keep(_ ack: UnverifiedAck, _ spaces: LocalSpaces) {
        guard ack.said.counter >= latest(of: ack.said.device, in: ack.said.space).ack else {
            return
        }
        acks[ack.said.space, default: [:]][ack.said.device] = ack
        kept(of: ack.said.device, in: ack.said.space, spaces)
    }

    /// As an ack.
    mutating func keep(_ holdings: UnverifiedHoldings, _ spaces: LocalSpaces) {
        let said = holdings.said
        guard said.counter >= latest(of: said.device, in: said.space).holdings else { return }
        self.holdings[said.space, default: [:]][said.device] = holdings
        kept(of: said.device, in: said.space, spaces)
    }

    private mutating func kept(of author: DeviceID, in space: SpaceID, _ spaces: LocalSpaces) {
        let latest = latest(of: author, in: space)
        sums[space, default: StatementSums()].set(
            author, ack: latest.ack, holdings: latest.holdings,
            counts: spaces.mayHold(author, space))
    }

    mutating func close(_ space: SpaceID) {
        signing[space] = nil
        walks.end(in: space)
        reports.notSigned(space)
        sums[space]?.outdate()
    }

    // MARK: Looking

    /// Devices of which a statement is known.
    func authors(in space: SpaceID) -> Set<DeviceID> {
        Set((acks[space] ?? [:]).keys).union((holdings[space] ?? [:]).keys)
    }

    /// The counters of what is known of a device's statements; 0 where nothing is.
    func latest(of author: DeviceID, in space: SpaceID) -> Heard.Entry {
        Heard.Entry(
            device: author, ack: acks[space]?[author]?.said.counter ?? 0,
            holdings: holdings[space]?[author]?.said.counter ?? 0)
    }

    /// A sum over what is known of the statements of all members, some left out.
    mutating func sum(
        of space: SpaceID, without left: [DeviceID], _ members: Membership
    ) -> UInt64 {
        sums[space, default: StatementSums()].sum(without: left, members: members)
    }

    /// A peer sends what it was asked for.
    mutating func spend(on ack: UnverifiedAck, from session: SessionID) {
        guard walks.isAsking(session, in: ack.said.space) else { return }
        budget.spend(EngineAction.send(session, .ack(ack)).statementCost)
    }

    /// Files that are known to be whole with a device, by its own word.
    func holders(of blob: BlobID, in space: SpaceID, _ spaces: LocalSpaces) -> [DeviceID] {
        (holdings[space] ?? [:]).filter { author, said in
            let lacking = said.said
            return author != spaces.device && spaces.mayHold(author, space)
                && lacking.missingCount == UInt64(lacking.missing.count)
                && !lacking.missing.contains(blob)
        }.map(\.key)
    }

    // MARK: Own ones

    func isSigning(_ space: SpaceID) -> Bool { signing[space] != nil }

    /// Begins an ack of all that is here now; nil when one is under way, which another follows.
    mutating func beginAck(of view: SpaceView, hurried: Set<SessionID>) -> EngineAction? {
        guard let waiting = signing[view.space] else {
            signing[view.space] = OwnAck()
            return .acknowledge(view.space, view.watermark)
        }
        signing[view.space] = OwnAck(again: (waiting.again ?? []).union(hurried))
        return nil
    }

    /// An ack is signed. Returns who is to hear at once of another one; nil when it covers all.
    mutating func signedAck(of space: SpaceID) -> Set<SessionID>? {
        signing.removeValue(forKey: space)?.again
    }

    /// Nothing was signed; what waited for it hears of it another time.
    mutating func notSigned(_ space: SpaceID, at now: Instant) {
        signing[space] = nil
        reports.notSigned(space)
        unstored.note(space, at: now.monotonic)
    }

    /// Spaces of which something could not be said before.
    mutating func drainUnstored() -> [SpaceID] { unstored.drain() }

    /// Asks for a report on every space whose files changed, not too often.
    mutating func dueReports(at now: Instant) -> [EngineAction] {
        reports.begin(at: now.monotonic).map { .reportHoldings($0) }
    }
}
