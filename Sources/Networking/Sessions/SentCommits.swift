package import SyncCore

/// How far each log was sent over one connection. Commits that cross a question about them are sent again; people
/// count each once.
package struct SentCommits: Sendable {
    private var through: [SpaceID: [LogID: UInt64]] = [:]

    package init() {}

    /// How many of these had not been sent before; now they have.
    package mutating func add(_ headers: some Sequence<CommitHeader>, of space: SpaceID) -> Int {
        var count = 0
        for header in headers where header.sequence > through[space]?[header.log] ?? 0 {
            through[space, default: [:]][header.log] = header.sequence
            count += 1
        }
        return count
    }
}
