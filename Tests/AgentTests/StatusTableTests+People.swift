import Agent
import LocalAPI
import Records
import SyncCore
import TestDevices

/// Decisions that wait for a person: here, or for an invited one.
extension StatusTableTests {
    static let people = [
        Side(
            "sync is off there, and something waits", ann, with: [ben],
            [.offline, .pending, .offline], [.syncOffThere], why: [[], [.syncOffThere]]
        ) {
            away(&$0, read: 4)
            $0.devices[0].isSyncOff = true
            $0.devices[0].calls = CallFacts(
                failures: 9, nextTry: nil, error: .notListening, kind: .peerTrouble)
        },
        Side(
            "sync is off there, and nothing waits", ann, with: [ben],
            [.offline, .offline, .synced], []
        ) {
            away(&$0)
            $0.devices[0].isSyncOff = true
        },
        Side(
            "a given trip waits for an answer", ben, with: [ann], [.pending, .synced, .synced],
            [.invitation]
        ) { $0.invitations = [SpaceID(sha256([8]))] },
        Side(
            "a person asks for a right", ann, with: [ben], [.pending, .synced, .synced], [.request]
        ) { $0.spaces[0].requests = [PersonID(.zero): .write] },
        Side(
            "an invitation has no answer", ann, with: [ben], [.synced, .synced, .localOnly],
            [.unanswered], why: [[], [.notAccepted]]
        ) { invite(ben, .nothing, &$0) },
        Side(
            "an invitation was declined", ann, with: [ben], [.synced, .synced, .localOnly],
            [.declined], why: [[], [.notAccepted]]
        ) { invite(ben, .no, &$0) },
        Side(
            "one has joined, another has not answered and is away", ann, with: [ben, cleo],
            [.synced, .synced, .synced], [.unanswered]
        ) {
            invite(cleo, .nothing, &$0, with: [ben])
            $0.devices[1].link = .away
        },
        Side(
            "a trip that was taken", ben, with: [ann], [.pending, .synced, .offline], [.taken]
        ) {
            $0.spaces[0].sync = sync([])
            $0.spaces[0].taken = RevocationFacts(
                by: nil, written: nil, changes: 3, files: 0, isWholePerson: true, isMine: false)
        },
        Side(
            "a trip that was taken because this device was called lost", ben, with: [ann],
            [.error, .synced, .offline], [.calledLost]
        ) {
            $0.here.loss = KnownLoss(since: nil, by: ann)
            $0.spaces[0].sync = sync([])
            $0.spaces[0].taken = RevocationFacts(
                by: nil, written: nil, changes: 3, files: 0, isWholePerson: false, isMine: false)
        },
        Side(
            "another trip was left, and nobody knows it yet", ben, with: [ann],
            [.pending, .synced, .synced], [.unsentLeave]
        ) { $0.leaves = [UnsentLeave(SpaceID(sha256([8])), changes: 2)] },
        Side(
            "a person has to answer, and no device is in reach", ben, with: [ann],
            [.offline, .offline, .offline], [.invitation], why: [[], [.notConnected]]
        ) {
            away(&$0, read: 4)
            $0.invitations = [SpaceID(sha256([8]))]
        },
    ]

    /// One device that was given the trip and did not accept it; others have everything.
    private static func invite(
        _ device: DeviceID, _ answer: SpaceFacts.OpenAnswer, _ facts: inout StatusFacts,
        with others: [DeviceID] = []
    ) {
        facts.spaces[0].sync = sync(others, invited: [device]) { $0.withoutSpace = [device] }
        facts.spaces[0].answers = [PersonID(.zero): answer]
    }
}
