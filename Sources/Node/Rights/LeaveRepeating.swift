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
        let able = work.store.ledgers.values.flatMap { ledger -> [DeviceID] in
            let leaves = leaves(in: ledger)
            guard !leaves.isEmpty else { return [] }
            let membership = ledger.membership
            return membership.members.map(\.standing.card.device).filter { device in
                leaves.contains { membership.canRestrict($0.grant, from: device) }
            }
        }
        guard let place = Set(able).sorted().firstIndex(of: work.device) else { return nil }
        return Limits.leaveRepeatingSeconds + min(place, 20) * Limits.leaveRepeatingTurnSeconds
    }

    /// Writes it down in every space. One that cannot be written leaves the others to be written.
    func write() -> EngineWork.Done {
        var done = EngineWork.Done()
        for ledger in work.store.ledgers.values.sorted(by: { $0.space < $1.space })
        where !leaves(in: ledger).isEmpty {
            done.attempt("leave not repeated") { done in
                do {
                    done.merge(try work.readyEpoch(in: ledger.space))
                    done.merge(try write(in: ledger.space))
                    done.rightsWritten.append(ledger.space)
                } catch is Repeated {
                    // Somebody else said so meanwhile.
                } catch StoreError.permissionRefused {
                    // The right to was taken from this device meanwhile.
                }
            }
        }
        return done
    }

    private func write(in space: SpaceID) throws -> EngineWork.Done {
        try work.append(to: space) { context in
            let leaves = leaves(in: context.ledger).prefix(Limits.leavesInCommit)
            guard !leaves.isEmpty else { throw Repeated() }
            let facts = leaves.map { grant, cut in
                UnverifiedFact.revocation(
                    Revocation(
                        grant: grant, remaining: [], cut: cut, scope: .device, cascade: .none))
            }
            return CommitDraft(clear: ClearPart(facts: facts), operations: [])
        }
    }

    /// Those that this device may repeat.
    private func leaves(
        in ledger: SpaceLedger
    ) -> [(grant: FactReference, cut: Watermark)] {
        guard ledger.role == .shared else { return [] }
        let membership = ledger.membership
        return Leaves(membership).toRepeat.filter {
            membership.canRestrict($0.key, from: work.device)
        }
        .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension Limits {
    /// Seconds after which the first of those who may say it says again that somebody left, and between one
    /// of them and the next.
    static let leaveRepeatingSeconds = 2
    static let leaveRepeatingTurnSeconds = 3
    static let leavesInCommit = 32
}
