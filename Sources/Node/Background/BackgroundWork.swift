package import SyncCore

/// Work that no person waits for. Of each kind one piece runs at a time, and one may wait: pieces that wait are merged.
package enum BackgroundWork: Hashable, Sendable {
    /// Files that were shown and are gone from the disk: counts them as missing, and fetches them again.
    case missFiles(Set<BlobID>)
    /// Large files that lie on the disk and count as missing: reads them whole, and counts them again.
    case findFiles(Set<BlobID>)
    case settleDataSets(DataSetScope)
    /// Compares what is noted of all files with the disk; slowly, unless the device was just started.
    case compareFiles(isPaced: Bool)
    /// Frees the files of deleted records.
    case freeFiles
    /// Reads the whole database for damage.
    case examineDatabase

    package enum Kind: String, CaseIterable, Sendable {
        case missFiles, findFiles, settleDataSets, compareFiles, freeFiles, examineDatabase
    }

    /// The order in which kinds begin. Each priority has places of its own, so that none waits for work of another.
    package enum Priority: CaseIterable, Sendable {
        /// Somebody was told of it already.
        case soon
        /// Follows from something that happened.
        case normal
        /// A round that is due from time to time.
        case idle
    }

    /// What happens to work that is asked for while work of its kind runs.
    package enum Repetition: Sendable {
        /// It is done after the running work, once, for all that was asked for meanwhile.
        case again
        /// The running work covers it.
        case covered
    }

    package var kind: Kind {
        switch self {
        case .missFiles: .missFiles
        case .findFiles: .findFiles
        case .settleDataSets: .settleDataSets
        case .compareFiles: .compareFiles
        case .freeFiles: .freeFiles
        case .examineDatabase: .examineDatabase
        }
    }

    /// This work and other work of its kind as one. Files over the limit are left to the next comparison.
    func merged(with other: BackgroundWork) -> BackgroundWork {
        switch (self, other) {
        case (.missFiles(let some), .missFiles(let more)): .missFiles(Self.limited(some, more))
        case (.findFiles(let some), .findFiles(let more)): .findFiles(Self.limited(some, more))
        case (.settleDataSets(let some), .settleDataSets(let more)):
            .settleDataSets(some.merged(with: more))
        case (.compareFiles(let isPaced), .compareFiles(let other)):
            .compareFiles(isPaced: isPaced && other)
        default: self
        }
    }

    private static func limited(_ some: Set<BlobID>, _ more: Set<BlobID>) -> Set<BlobID> {
        let new = more.subtracting(some).sorted()
        return some.union(new.prefix(max(0, Limits.filesOfWaitingWork - some.count)))
    }
}

/// The spaces in which versions of data sets are settled, and whether the followed sets are applied.
package struct DataSetScope: Hashable, Sendable {
    /// Applies the data sets that this device follows, after all spaces were settled.
    package var follows = false
    package var isEverywhere = false
    package var spaces: Set<SpaceID> = []

    package init(follows: Bool = false, isEverywhere: Bool = false, spaces: Set<SpaceID> = []) {
        (self.follows, self.isEverywhere, self.spaces) = (follows, isEverywhere, spaces)
    }

    fileprivate func merged(with other: DataSetScope) -> DataSetScope {
        DataSetScope(
            follows: follows || other.follows, isEverywhere: isEverywhere || other.isEverywhere,
            spaces: spaces.union(other.spaces))
    }
}

extension BackgroundWork.Kind {
    package var priority: BackgroundWork.Priority {
        switch self {
        case .missFiles: .soon
        case .findFiles, .settleDataSets: .normal
        case .compareFiles, .freeFiles, .examineDatabase: .idle
        }
    }

    package var repetition: BackgroundWork.Repetition {
        switch self {
        case .missFiles, .findFiles, .settleDataSets: .again
        case .compareFiles, .freeFiles, .examineDatabase: .covered
        }
    }

    /// Whether the end of the program waits for it. Other work may be in the middle of reading gigabytes, or repeats
    /// at the next start.
    package var isAwaited: Bool {
        switch self {
        case .missFiles, .compareFiles: true
        case .findFiles, .settleDataSets, .freeFiles, .examineDatabase: false
        }
    }

    /// What the log says of an error.
    package var failure: String {
        switch self {
        case .missFiles: "missing files not noted"
        case .findFiles: "files not found again"
        case .settleDataSets: "data sets not followed"
        case .compareFiles: "files not compared"
        case .freeFiles: "files not freed"
        case .examineDatabase: "the database was not examined"
        }
    }
}

extension BackgroundWork.Priority {
    /// How many kinds of it run at once: rounds leave the disk to others, but a long one does not stop the next.
    var places: Int {
        switch self {
        case .soon: 1
        case .normal, .idle: 2
        }
    }
}

extension Limits {
    /// Files that one waiting piece of work names: some 300 KB.
    package static let filesOfWaitingWork = 10_000
}
