import Records
import Store
import SyncCore

/// Files that devices freed.
struct FreedCheck {
    let world: World

    /// At the end nobody lacks a file that something shows because it was freed.
    func run() {
        for replica in Set(
            world.observer.spaces.flatMap { world.convergence.groups(of: $0) }.flatMap { $0 }.map(
                \.index)
        ).sorted() {
            run(on: world.replicas[replica])
        }
    }

    /// No shown record of a device names a freed file, and freed files are neither missing nor lost.
    func run(on replica: Replica) {
        guard let store = replica.store, let served = ServedReplica(world, replica) else { return }
        do {
            let freed = Set(try store.freedFiles.all())
            for space in world.services.servedSpaces(of: replica) {
                let missing = Set(try store.files.missing(of: space).map(\.blob))
                if try store.files.counts(of: space).missing != missing.count {
                    world.report.fail(
                        "bin files",
                        "\(replica.index) miscounts the \(missing.count) missing files of "
                            + short(space))
                }
                let lost = try served.sync.lostFiles(of: space)
                if let file = missing.union(lost).intersection(freed).min() {
                    world.report.fail(
                        "bin files", "\(replica.index) waits for the freed \(short(file))")
                }
                if try !store.spaces.deletions(of: space).isEmpty { continue }
                try checkShown(in: space, freed, store, replica)
            }
        } catch {
            world.report.fail("bin files", "\(replica.index) does not answer: \(error)")
        }
    }

    private func checkShown(
        in space: SpaceID, _ freed: Set<BlobID>, _ store: SyncStore, _ replica: Replica
    ) throws {
        guard let schema = store.spaces.schema(of: space) else { return }
        let graph = try ShownSpace(space, schema, store)
        var presences = Presences(of: schema)
        for key in graph.records.keys.sorted() {
            let blobs = try store.records.record(key, of: space)?.blobs ?? []
            for blob in blobs.sorted() {
                guard try store.files.blob(blob)?.freedAt != nil,
                    try presences.presence(of: key, in: graph).isShown
                else { continue }
                guard freed.contains(blob) else {
                    world.report.counts.deeds.insert(.wanting)
                    continue
                }
                world.report.fail(
                    "bin files",
                    "\(replica.index) shows \(key.summary), and freed its \(short(blob))")
            }
        }
    }
}
