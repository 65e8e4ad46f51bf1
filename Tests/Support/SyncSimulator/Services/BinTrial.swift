import LocalAPI
import Records
import Store
import SyncCore
internal import TestKit

/// Records that people delete and restore: they have their former values, except for concurrent
/// writes of others.
struct BinTrial {
    let world: World
    let replica: Replica

    func run() {
        if world.random.chance(60) { deleteAndRestore() } else { restoreAny() }
    }

    private func deleteAndRestore() {
        guard let before = world.services.shown(by: replica), let store = replica.store,
            let place = world.random.pick(deletable(before, store))
        else { return }
        let (id, space) = (place.key.record.description, place.space.description)
        // Some stay in the bin.
        guard delete(place), world.random.chance(70) else { return }
        guard restore(id, in: space), let after = world.services.shown(by: replica) else { return }
        if let first = after.differences(from: before).first {
            world.report.fail(
                "bin", "\(replica.index): \(first) is not as it was when it was deleted")
        }
    }

    /// False if it is not deleted.
    func delete(_ place: Shown.Place) -> Bool {
        let space = place.space.description
        let isDeleted = world.services.serve(replica, "delete") { served in
            let records = RecordService(served)
            let collection = try records.place(space, place.key.collection)
            let reader = records.reader(collection)
            guard let entry = try reader.entry(place.key), try reader.presence(place.key).isShown
            else { return false }
            try await records.delete(entry, in: collection, reader, .deleteRecords)
            return true
        }
        return isDeleted == true
    }

    private func deletable(_ shown: Shown, _ store: SyncStore) -> [Shown.Place] {
        shown.values.keys.filter { place in
            let key = place.key
            return !Schema.everywhere.contains { $0.name == key.collection }
                && key != store.spaces.schema(of: place.space)?.titleRecord(in: place.space)
        }.sorted()
    }

    private func restoreAny() {
        let items = world.services.serve(replica, "look into the bin") { served in
            try BinService(served).items(BinFilter(all: true))
        }
        guard let item = world.random.pick(items ?? []) else { return }
        _ = restore(item.id, in: item.space?.id)
    }

    /// Everything deleted together is restored, and nothing else is written.
    func restore(_ id: String, in space: String?) -> Bool {
        guard let before = world.services.shown(by: replica) else { return false }
        let restored = world.services.serve(replica, "restore") {
            try await BinService($0).restore(id, BinFilter(space: space, all: true))
        }
        guard restored != nil, let after = world.services.shown(by: replica) else { return false }
        world.report.counts.deeds.insert(.bin)
        for (place, state) in before.states {
            let name = place.key.summary
            if after.states[place]?.withoutExistence != state.withoutExistence {
                world.report.fail("bin", "\(replica.index) restores other values of \(name)")
            }
            if place.key.record.description == id, after.values[place] == nil {
                world.report.fail("bin", "\(replica.index) does not bring \(name) back")
            }
        }
        return true
    }
}
