internal import Store
internal import SyncCore

/// Spaces that are being made of archives. One that an agent did not finish is deleted when the next one
/// starts: the archive can be imported again.
package struct UnfinishedImports {
    private static let setting = "import."
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// Before a space of this name is made, and when it has its own one.
    func note(_ name: String, isUnderWay: Bool) throws {
        try replica.store.settings.set(
            Self.setting + name, to: isUnderWay ? "1" : nil, isPassing: true)
    }

    package func delete() async throws {
        for key in try replica.store.settings.all().keys.sorted() where key.hasPrefix(Self.setting)
        {
            let name = String(key.dropFirst(Self.setting.count))
            for space in try SpaceDirectory(replica).list()
            where space.isReadable && space.name == name && isFounded(space) {
                _ = try await SpaceService(replica).delete(space.id)
            }
            try note(name, isUnderWay: false)
        }
    }

    private func isFounded(_ space: KnownSpace) -> Bool {
        replica.membership(of: space.space)?.facts.genesisLog?.device == replica.local.device
    }
}
