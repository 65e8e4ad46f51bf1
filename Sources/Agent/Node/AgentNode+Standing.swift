import Store
import SyncCore

/// Who has what of a space.
extension AgentNode {
    /// The other devices that may read a space, what they said they hold, and what moves now.
    func readers(of space: SpaceID) throws -> ReaderStandings {
        let readers = membership(of: space)?.readers ?? []
        let holdings = try store.holdings(of: space).map(\.holdings)
        return ReaderStandings(
            others: readers.subtracting([identity.deviceID]), acks: try acks(of: space),
            holdings: holdings.reduce(into: [:]) { $0[$1.device] = $1 },
            fileCount: try fileCounts(of: space).total,
            traffic: loop.inspect { $0.traffic(in: space) }, going: outgoingFiles.byDevice)
    }
}
