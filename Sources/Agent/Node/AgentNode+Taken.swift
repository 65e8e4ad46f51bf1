import Identity
internal import LocalAPI
internal import Logging
import Records
import Store
import SyncCore
internal import Wire

/// Spaces that were taken from this device, by what those who took them let it know.
extension AgentNode {
    /// Believed when it proves itself: with these commits this device could not have the space.
    func hear(taken commits: [UnverifiedCommit], of space: SpaceID) throws {
        guard let notice = judge(commits, of: space), notice != takenNotice(of: space) else {
            return
        }
        try keep(notice, saying: MessageCodec().encode(.taken(space, commits)), of: space)
        logger.note(
            .warning, .spaces, "a space was taken from this device", record: space.logged)
    }

    /// Looks again once more of the rights is known: those who took it may have had no right to.
    func judgeNotice(of space: SpaceID) {
        do {
            guard let said = try takenWords(of: space),
                case .taken(_, let commits) = try MessageCodec().decode(said)
            else { return }
            let notice = judge(commits, of: space)
            guard notice != takenNotice(of: space) else { return }
            try keep(notice, saying: said, of: space)
        } catch {
            logger.note(.error, .store, "notice not judged", details: ["why": .reason(error)])
        }
    }

    private func judge(_ commits: [UnverifiedCommit], of space: SpaceID) -> RevocationNotice? {
        let own = identity.deviceID
        guard let ledger = store.ledger(of: space), commits.allSatisfy({ $0.space == space }),
            ledger.membership.permissions(of: own).mayHold
        else { return nil }
        var membership = ledger.membership
        for commit in work.verifier.verify(commits, keys: store.keys).commits
        where !membership.holdsFacts(of: commit.id) {
            membership.collect(commit)
            membership.evaluate()
            guard !membership.permissions(of: own).mayHold else { continue }
            let author = membership.card(of: commit.header.log.device)?.person ?? .zero
            return RevocationNotice(
                commit: commit.id, person: author,
                written: Milliseconds(commit.header.clock.milliseconds),
                isWholePerson: !membership.isMember(identity.person))
        }
        return nil
    }
}
