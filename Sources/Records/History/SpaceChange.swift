internal import LocalAPI
internal import Store
internal import SyncCore

/// What a commit did to its whole space, other than creating it. Undo leaves that to other commands.
enum SpaceChange {
    case copied, restored, deleted
}

extension SpaceChange {
    /// The first one of a deed; nil where no commit did any of it, its space is no longer here, or it was taken
    /// back since.
    static func of(
        _ deed: [StoredCommit], _ replica: any Replica
    ) throws -> (space: ReadableSpace, change: SpaceChange)? {
        for stored in deed {
            if let found = try of(stored, replica) { return found }
        }
        return nil
    }

    private static func of(
        _ stored: StoredCommit, _ replica: any Replica
    ) throws -> (space: ReadableSpace, change: SpaceChange)? {
        let directory = SpaceDirectory(replica)
        if stored.endsCopying || stored.restoresSpace,
            let space = try directory.readable().first(where: { $0.id == stored.space })
        {
            return (space, stored.endsCopying ? .copied : .restored)
        }
        guard stored.deletesSpace,
            try !directory.readable().contains(where: { $0.id == stored.space })
        else { return nil }
        return try directory.readable(.withDeleted).first { $0.id == stored.space }.map {
            ($0, .deleted)
        }
    }
}

extension StoredCommit {
    /// Whether it deletes its space; another command restores spaces.
    var deletesSpace: Bool { writesTitle(where: \.isDeletion) }

    var restoresSpace: Bool {
        writesTitle { $0.isOfExistence && !$0.isDeletion }
    }

    private func writesTitle(where fits: (Write) -> Bool) -> Bool {
        commit.operations.contains { $0.isTitle(of: space) && $0.writes.contains(where: fits) }
    }

    /// Whether it is the last commit that makes its space from another one or an archive.
    var endsCopying: Bool {
        let origin = Schema.origin(of: nil, in: space)
        return commit.operations.contains {
            ($0.collection, $0.record) == (origin.collection, origin.record)
        }
    }
}
