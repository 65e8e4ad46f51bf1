package import LocalAPI
import Store
import SyncCore

/// Changes that were quarantined, written anew for everybody.
extension SpaceService {
    package func recover(_ draft: RecoverRequest) async throws -> RecoverReport {
        let places = try directory.readable(scope: draft.trip, as: .trip)
        let device = try draft.device.map { try recoverable($0, in: places.map(\.id)) }
        var recovered: [RecoveredChanges] = []
        var refused = 0
        var membershipChanges = 0
        var missing: [String] = []
        for place in places {
            let hidden = try replica.store.hidden(
                in: place.id, by: device, orphans: draft.orphans ?? false)
            if device == nil, draft.orphans != true {
                membershipChanges += hidden.membershipChanges
            }
            guard !hidden.waiting.isEmpty else { continue }
            if draft.trip != nil { try require(.write, in: place, .recover) }
            let done = try await recover(hidden, in: place)
            refused += done.refused
            missing += done.missing
            recovered += done.counts.sorted { $0.key < $1.key }.map { author, count in
                RecoveredChanges(
                    trip: place.sharedReference, device: replica.reference(author),
                    person: replica.author(with: author, in: place.id), changes: count)
            }
        }
        return RecoverReport(
            recovered: recovered, refused: refused, missing: LeftFiles(missing),
            membershipChanges: membershipChanges)
    }

    /// What came of the hidden commits of one space.
    private struct Recovered {
        /// How many of each device were written anew.
        var counts: [DeviceID: Int] = [:]
        var refused = 0
        /// Files that are not here, by what people call them.
        var missing: [String] = []
    }

    private func recover(_ hidden: Quarantine, in space: ReadableSpace) async throws -> Recovered {
        var done = Recovered()
        var files = RescuedFiles(replica, in: space.id)
        for commit in hidden.waiting {
            do {
                if try await files.recover(commit, of: hidden) {
                    done.counts[commit.log.device, default: 0] += 1
                }
            } catch ReplicaError.notPermitted, ReplicaError.tooLarge {
                // A deletion, say, by somebody who may only write: the rest goes on.
                done.refused += 1
            } catch ReplicaError.epochMissing {
                throw keyMissing(in: space)
            }
        }
        done.missing = files.missing
        return done
    }

    // As Lookup.find, which it calls.
    @inline(never)
    private func recoverable(_ typed: String, in spaces: [SpaceID]) throws -> DeviceID {
        var devices: Set<DeviceID> = []
        for space in spaces { devices.formUnion(try replica.store.hiddenAuthors(in: space)) }
        return try Lookup.find(typed, .device, among: devices.sorted()) { device in
            let own = replica.reference(device)
            return Lookup.Entry(id: own.id, name: own.name)
        }
    }
}
