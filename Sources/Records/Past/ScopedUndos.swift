package import Store
package import SyncCore

/// An undo of everything that a device wrote since a time, or of all deletions since then. Commits that it covers and
/// that arrive later are offered to be undone, too.
package struct ScopedUndo: Codable, Hashable, Sendable {
    /// Nil for all devices.
    private let device: String?
    /// Nil for all spaces.
    private let space: String?
    package let onlyDeletions: Bool
    /// The last commit here before it.
    private let place: Int64
    /// It covers commits written before then.
    private let end: UInt64
    /// One of the commits that undid it: if that was undone itself, nothing is covered.
    private let commit: String

    package init(
        of device: DeviceID?, in space: SpaceID?, onlyDeletions: Bool = false, after place: Int64,
        before end: Milliseconds, by commit: CommitID
    ) {
        (self.device, self.space) = (device?.description, space?.description)
        (self.onlyDeletions, self.place, self.end) = (onlyDeletions, place, end.value)
        self.commit = commit.description
    }

    func isInEffect(_ graph: ReversalGraph) -> Bool {
        CommitID(hexadecimal: commit).map { graph.isLive($0) } ?? false
    }

    /// Whether it is about a space whose first commit came at this time: changes from a first sync are old for
    /// another reason.
    package func isAbout(_ space: SpaceID, begun beginning: Milliseconds) -> Bool {
        (self.space == nil || self.space == space.description) && beginning.value <= end
    }

    package func isOf(_ device: DeviceID) -> Bool {
        self.device == nil || self.device == device.description
    }

    /// Whether a commit of this device came after the undo, though it was written before. `behind` is the largest
    /// known lag of the device's clock in milliseconds.
    package func covers(
        _ commit: ArrivedCommit, of device: DeviceID, clockBehind behind: UInt64 = 0
    ) -> Bool {
        isOf(device) && commit.place > place && commit.clock.milliseconds + behind < end
    }
}

/// The latest such undos on this device. Throws what the store throws.
struct ScopedUndos {
    private let list = StoredList<ScopedUndo>(key: "undos")
    private let replica: any Replica

    init(_ replica: any Replica) { self.replica = replica }

    func inEffect() throws -> [ScopedUndo] {
        let all = try list.all(in: replica.store)
        guard !all.isEmpty else { return [] }
        let graph = ReversalGraph(try replica.store.reversals.all())
        return all.filter { $0.isInEffect(graph) }
    }

    func add(_ undo: ScopedUndo) async throws {
        let list = list
        try await replica.store.offloaded { store in
            try list.change(in: store) { $0.suffix(Limits.scopedUndosNoted - 1) + [undo] }
        }
    }
}

extension Limits {
    /// Undos of a device, or of deletions, for which late changes are watched.
    static let scopedUndosNoted = 16
}
