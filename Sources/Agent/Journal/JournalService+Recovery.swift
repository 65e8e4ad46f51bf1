import LocalAPI
import Store
import SyncCore

/// Changes that were quarantined, written anew for everybody.
extension JournalService {
    func recover(_ draft: RecoverRequest) async throws -> RecoverReport {
        let places = try trips.readablePlaces(draft.trip, as: .trip)
        let device = try draft.device.map { try recoverable($0, in: places.map(\.space)) }
        let short = try trips.shortIDs()
        var recovered: [RecoveredChanges] = []
        var refused = 0
        var membershipChanges = 0
        for place in places {
            let hidden = try replica.store.hidden(in: place.space, by: device)
            if device == nil { membershipChanges += hidden.membershipChanges }
            guard !hidden.waiting.isEmpty else { continue }
            if let trip = place.trip, draft.trip != nil { try require(.write, in: trip, .recover) }
            let counts = try await recover(hidden, in: place.space)
            refused += hidden.waiting.count - counts.values.reduce(0, +)
            recovered += counts.sorted { $0.key < $1.key }.map { author, count in
                RecoveredChanges(
                    trip: place.trip.map { trips.reference($0, short) },
                    device: reference(author),
                    person: reference(person(of: author, in: place.space)),
                    changes: count)
            }
        }
        return RecoverReport(
            recovered: recovered, refused: refused, membershipChanges: membershipChanges)
    }

    /// How many commits of each device were written anew.
    private func recover(
        _ hidden: Quarantine, in space: SpaceID
    ) async throws -> [DeviceID: Int] {
        var counts: [DeviceID: Int] = [:]
        for commit in hidden.waiting {
            do {
                try await replica.carryOut { try $0.recover(commit, of: hidden, in: space) }
                counts[commit.log.device, default: 0] += 1
            } catch AgentError.notPermitted {
                // A deletion, say, by somebody who may only write: the rest goes on.
                continue
            } catch AgentError.tooLarge {
                continue
            }
        }
        return counts
    }

    // As Lookup.find, which it calls.
    @inline(never)
    private func recoverable(_ typed: String, in spaces: [SpaceID]) throws -> DeviceID {
        var devices: Set<DeviceID> = []
        for space in spaces { devices.formUnion(try replica.store.hiddenAuthors(in: space)) }
        return try Lookup.find(typed, .device, among: devices.sorted()) { device in
            let own = reference(device)
            return Lookup.Entry(id: own.id, name: own.name)
        }
    }

    private func person(of device: DeviceID, in space: SpaceID) -> PersonID {
        replica.membership(of: space)?.card(of: device)?.person ?? .zero
    }
}
