internal import Records
internal import Store
package import SyncCore

/// Writing the names of this device and its person into spaces that lack them.
package struct ProfileWriting: Sendable {
    private let work: EngineWork

    package init(_ work: EngineWork) { self.work = work }

    /// Whether a space that this device takes part in and may write to has no name of it. Throws what the store
    /// throws.
    package func isLacking(in space: SpaceID) throws -> Bool {
        let store = work.store
        guard !work.profile(space).isEmpty, store.spaces.standing(of: space) == .active,
            store.spaces.schema(of: space) != nil,
            try work.notices.permissions(in: space).contains(.write)
        else { return false }
        return try store.records.record(.profile(of: work.device, in: space), of: space) == nil
    }

    /// Writes them into a space that lacks them. Throws what the store throws.
    func write(in space: SpaceID) throws -> EngineWork.Done {
        guard try isLacking(in: space) else { return EngineWork.Done() }
        let names = ChangeSet(operations: work.profile(space))
        var done = try work.epochs.ready(in: space)
        do {
            done.merge(try work.write([names], to: space, isSealed: false))
        } catch StoreError.epochMissing {
            // Once somebody gives this device a key, it looks again.
        }
        return done
    }
}
