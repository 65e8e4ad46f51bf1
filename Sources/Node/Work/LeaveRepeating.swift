internal import Store
internal import SyncCore

/// Says of people who left what they said themselves: who leaves pins no branch of a log, as they could leave on
/// two of them, and undo what they had decided.
struct LeaveRepeating {
    private struct Repeated: Error {}

    private let work: EngineWork

    init(_ work: EngineWork) { self.work = work }

    /// How long to wait: those who may do it have turns. Nil when there is nothing for this device to say.
    func secondsUntilWriting() -> Int? {
        let able = work.joined.flatMap { ledger -> [DeviceID] in
            let own = leaves(in: ledger)
            guard !own.isEmpty else { return [] }
            let leaves = Leaves(ledger.membership)
            return ledger.membership.members.map(\.standing.card.device).filter { device in
                own.contains { leaves.canRepeat($0.grant, from: device) }
            }
        }
        guard able.contains(work.device) else { return nil }
        return Limits.leaveRepeatingSeconds + Set(able).secondsBefore(work.device)
    }

    /// Writes it down in every space. One that cannot be written leaves the others to be written.
    func write() -> EngineWork.Done {
        var done = EngineWork.Done()
        for ledger in work.joined where !leaves(in: ledger).isEmpty {
            done.changeRights(in: ledger.space, "leave not repeated", by: work) {
                try write(in: ledger.space)
            }
        }
        return done
    }

    private func write(in space: SpaceID) throws -> EngineWork.Done {
        do {
            return try work.append(to: space) { context in
                let leaves = leaves(in: context.ledger).prefix(Limits.leavesInCommit)
                guard !leaves.isEmpty else { throw Repeated() }
                let facts = leaves.map { grant, cut in
                    UnverifiedFact.revocation(
                        Revocation(
                            grant: grant, remaining: [], cut: cut, scope: .device, cascade: .none))
                }
                return CommitDraft(clear: ClearPart(facts: facts), operations: [])
            }
        } catch is Repeated {
            // Somebody else said so meanwhile.
            return EngineWork.Done()
        }
    }

    /// Those that this device may repeat.
    private func leaves(
        in ledger: SpaceLedger
    ) -> [(grant: FactReference, cut: Watermark)] {
        guard ledger.role == .shared else { return [] }
        let leaves = Leaves(ledger.membership)
        return leaves.toRepeat.filter { leaves.canRepeat($0.key, from: work.device) }
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension Limits {
    /// Seconds after which the first device that may say it says again that somebody left.
    static let leaveRepeatingSeconds = 2
    static let leavesInCommit = 32
}
