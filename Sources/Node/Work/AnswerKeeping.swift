internal import Records
internal import Store
internal import SyncCore
internal import Synchronization

/// Answers to invitations: the first ack by a device of a person shows that this person accepted the space.
struct AnswerKeeping: Sendable {
    private let work: EngineWork
    private var store: SyncStore { work.store }
    private var clock: DeviceClock { work.clock }
    private var heard: HeardDevices { work.heard }

    init(_ work: EngineWork) { self.work = work }

    /// Keeps the acceptances that show in the acks of a piece of work.
    func noting(_ made: EngineWork.Done) -> EngineWork.Done {
        var done = made
        for case .ackStored(let ack, _) in made.events {
            done.attempt("answer not kept") { _ in
                try noteYes(by: ack.said.device, to: ack.said.space)
            }
        }
        return done
    }

    private func noteYes(by device: DeviceID, to space: SpaceID) throws {
        guard !heard.contains(device, in: space),
            let membership = store.ledger(of: space)?.membership,
            let person = membership.facts.card(of: device)?.person
        else { return }
        let isFirst = !hasHeard(of: person, in: space, membership)
        heard.add([device], in: space)
        guard isFirst, person != work.person, GrantDescent(membership).giver(to: device) != nil,
            try membership.letIn(by: work.device).contains(device) || isLongHere(space)
        else { return }
        try Answers(store).keep(true, by: device, in: space, at: clock.wall)
    }

    /// The no of a person who accepted the space and left it later is no answer, and neither is that of a second
    /// device.
    func noteNo(by device: DeviceID, to space: SpaceID, grants: GrantCount) throws {
        let declined = try Declines(store).devices(of: space)
        guard try Declines(store).keep(device, of: space, grants: grants),
            let membership = store.ledger(of: space)?.membership,
            let person = membership.facts.card(of: device)?.person, person != work.person,
            !hasHeard(of: person, in: space, membership),
            !declined.contains(where: { membership.facts.card(of: $0)?.person == person })
        else { return }
        try Answers(store).keep(false, by: device, in: space, at: clock.wall)
    }

    private func hasHeard(
        of person: PersonID, in space: SpaceID, _ membership: Membership
    ) -> Bool {
        heard.devices(of: space).contains { membership.facts.card(of: $0)?.person == person }
    }

    /// Answers from before this device had the space come with it, and are no news.
    private func isLongHere(_ space: SpaceID) throws -> Bool {
        guard let beginning = try store.arrivals.beginning(of: space) else {
            return false
        }
        return clock.wall.value > beginning.value + Limits.answersArriveMilliseconds
    }
}

/// The devices of which an ack is here, by space.
final class HeardDevices: Sendable {
    private let state = Mutex<[SpaceID: Set<DeviceID>]>([:])

    func devices(of space: SpaceID) -> Set<DeviceID> { state.withLock { $0[space] ?? [] } }

    func contains(_ device: DeviceID, in space: SpaceID) -> Bool {
        state.withLock { $0[space]?.contains(device) ?? false }
    }

    func add(_ devices: [DeviceID], in space: SpaceID) {
        state.withLock { $0[space, default: []].formUnion(devices) }
    }
}

extension Limits {
    /// How long after the first commit of a space arrives the earlier statements of all others have arrived, too.
    static let answersArriveMilliseconds: UInt64 = 60_000
}
