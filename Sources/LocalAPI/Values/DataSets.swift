/// The parts of a data set; each has a version of its own.
package enum DataSetLevel: String, Codable, Sendable, CaseIterable {
    /// Rows that the maker of the set keeps up to date.
    case reference
    /// Rows to begin with: those that nobody changes are replaced by the next version.
    case samples
    /// Everything except history is removed, and all rows are loaded again.
    case reset
}

/// A folder with a data set.
package struct DataSetSource: Codable, Sendable, Hashable {
    /// Absolute.
    package let path: String
    /// A space with the set's schema; if absent, the schema file beside the set is used.
    package let space: String?
    /// The schema of a future space, by name or as a document, in place of both.
    package let schema: String?
    package let document: String?

    package init(
        path: String, space: String? = nil, schema: String? = nil, document: String? = nil
    ) {
        (self.path, self.space) = (path, space)
        (self.schema, self.document) = (schema, document)
    }
}

/// Applied sets of one space, or of all.
package struct DataSetFilter: Codable, Sendable, Hashable {
    package let space: String?

    package init(space: String? = nil) { self.space = space }
}

/// The content of a folder with a data set, and its mistakes.
package struct DataSetCheck: Codable, Sendable, Equatable {
    /// The name of the set; empty when it is unreadable.
    package let name: String
    package let schema: String
    package let levels: [Level]
    package let mistakes: [Mistake]

    package init(name: String, schema: String, levels: [Level], mistakes: [Mistake]) {
        (self.name, self.schema) = (name, schema)
        (self.levels, self.mistakes) = (levels, mistakes)
    }

    package struct Level: Codable, Sendable, Equatable {
        package let level: DataSetLevel
        package let version: Int
        package let files: [File]
        /// Versions with known released values; absent without a file of them.
        package let released: [Int]?

        package init(
            level: DataSetLevel, version: Int, files: [File], released: [Int]? = nil
        ) {
            (self.level, self.version, self.files) = (level, version, files)
            self.released = released
        }
    }

    package struct File: Codable, Sendable, Equatable {
        package let collection: String
        package let file: String
        package let rows: Int

        package init(collection: String, file: String, rows: Int) {
            (self.collection, self.file, self.rows) = (collection, file, rows)
        }
    }

    package struct Mistake: Codable, Sendable, Equatable {
        package let file: String
        /// From 1; absent for the file as a whole.
        package let line: Int?
        package let reason: String

        package init(file: String, line: Int?, reason: String) {
            (self.file, self.line, self.reason) = (file, line, reason)
        }
    }
}

/// A data set whose rows will be given away.
package struct DataSetReleaseDraft: Codable, Sendable, Hashable {
    /// The folder, absolute.
    package let path: String
    /// A space with the set's schema; if absent, the schema file beside the set is used.
    package let space: String?
    /// Folders with versions that were given away before, absolute.
    package let earlier: [String]

    package init(path: String, space: String? = nil, earlier: [String] = []) {
        (self.path, self.space, self.earlier) = (path, space, earlier)
    }
}

/// The released versions of a set.
package struct DataSetRelease: Codable, Sendable, Equatable {
    package let name: String
    /// The name of the file in the folder.
    package let file: String
    package let levels: [Level]

    package init(name: String, file: String, levels: [Level]) {
        (self.name, self.file, self.levels) = (name, file, levels)
    }

    package struct Level: Codable, Sendable, Equatable {
        package let level: DataSetLevel
        /// The one in the folder.
        package let version: Int
        /// All that are known.
        package let released: [Int]
        /// Values that no version in the file had before.
        package let added: Int
        package let values: Int

        package init(
            level: DataSetLevel, version: Int, released: [Int], added: Int, values: Int
        ) {
            (self.level, self.version, self.released) = (level, version, released)
            (self.added, self.values) = (added, values)
        }
    }
}

/// A data set that is to be applied.
package struct DataSetDraft: Codable, Sendable, Hashable {
    /// The folder, absolute.
    package var path: String
    package var space: String
    /// Only reports the changes.
    @MayBeAbsent package var preview: Bool
    /// Replaces values of people by those of the set.
    @MayBeAbsent package var theirs: Bool
    /// Restores rows that people deleted.
    @MayBeAbsent package var missing: Bool

    package init(path: String, space: String) { (self.path, self.space) = (path, space) }
}

/// The result of applying a data set, or its preview.
package struct DataSetReport: Codable, Sendable, Equatable {
    package let done: Bool
    package let name: String
    package let space: Reference
    /// In the order in which they are applied.
    package let levels: [Level]
    /// A full reset that the set requires; it happens only when a person agrees.
    package let reset: ResetOffer?

    package init(
        done: Bool, name: String, space: Reference, levels: [Level], reset: ResetOffer? = nil
    ) {
        (self.done, self.name, self.space, self.levels) = (done, name, space, levels)
        self.reset = reset
    }

    package struct ResetOffer: Codable, Sendable, Hashable {
        package let from: Int
        package let to: Int
        package let text: String?
        package let germanText: String?

        package init(from: Int, to: Int, text: String?, germanText: String?) {
            (self.from, self.to) = (from, to)
            (self.text, self.germanText) = (text, germanText)
        }
    }

    package var isChange: Bool { levels.contains(where: \.isChange) }

    package struct Level: Codable, Sendable, Equatable {
        package let level: DataSetLevel
        package let outcome: Outcome
        /// The version that was applied before; 0 for none.
        package let from: Int
        /// The one in the folder.
        package let to: Int
        /// The maker's description of this version.
        package let text: String?
        package let germanText: String?
        /// The number of rows of a collection, by outcome.
        package let counts: [Count]
        /// Those rows but the added ones, at most 500.
        package let rows: [Row]

        package init(
            level: DataSetLevel, outcome: Outcome, from: Int, to: Int, text: String?,
            germanText: String?, counts: [Count], rows: [Row]
        ) {
            (self.level, self.outcome, self.from, self.to) = (level, outcome, from, to)
            (self.text, self.germanText, self.counts) = (text, germanText, counts)
            self.rows = Array(rows.prefix(LocalLimits.dataSetRowsShown))
        }

        package var isChange: Bool {
            outcome == .update || outcome == .load
                || counts.contains { $0.kind.isChange && $0.count > 0 }
        }
    }

    package enum Outcome: String, Codable, Sendable, CaseIterable {
        /// To a higher version.
        case update
        /// Rows that were not there at all.
        case load
        /// This version was applied.
        case same
        /// A higher one was applied.
        case lower
    }

    package struct Count: Codable, Sendable, Equatable {
        package let collection: String
        package let kind: Kind
        package let count: Int

        package init(collection: String, kind: Kind, count: Int) {
            (self.collection, self.kind, self.count) = (collection, kind, count)
        }
    }

    package enum Kind: String, Codable, Sendable, CaseIterable {
        case added
        /// It was there under this name before the set, and is its row now.
        case adopted
        /// It was there, and so was a record of its name from a device without the set: they are one now.
        case joined
        /// It had values of an earlier version, and follows the set now.
        case takenOver
        /// Several records from before the set have this name: none became the row.
        case similar
        case updated
        /// Left the set, and is deleted.
        case removed
        /// It left the set, but stays as another record refers to it.
        case retired
        /// Somebody wrote other values, which stay.
        case kept
        /// The same, but the set has a new value, which is not applied.
        case conflicting
        /// Somebody deleted it, and it stays deleted.
        case deleted
        /// It left the set, but stays as somebody changed it.
        case theirs

        package var isChange: Bool {
            switch self {
            case .added, .adopted, .joined, .takenOver, .updated, .removed, .conflicting: true
            case .similar, .retired, .kept, .deleted, .theirs: false
            }
        }
    }

    /// One row.
    package struct Row: Codable, Sendable, Equatable {
        package let kind: Kind
        package let collection: String
        package let record: Reference
        /// The fields that are kept, in conflict, or taken over; of a joined one those of the record that stay.
        package let fields: [String]
        /// Of fields that keep a person's value, that of the set, in the reader's language; none for an empty one, and
        /// for sets of values.
        package let ofSet: [String: String]?

        package init(
            kind: Kind, collection: String, record: Reference, fields: [String],
            ofSet: [String: String]? = nil
        ) {
            (self.kind, self.collection) = (kind, collection)
            (self.record, self.fields, self.ofSet) = (record, fields, ofSet)
        }
    }
}

/// One level of a data set, as it was applied to a space.
package struct AppliedSetView: Codable, Sendable, Equatable {
    package let space: Reference
    package let name: String
    package let level: DataSetLevel
    package let version: Int
    /// The version that this device treats as applied; absent where that is the applied one.
    package let takenFor: Int?
    package let by: Reference
    package let at: Moment
    package let rows: Int
    /// Versions were applied separately: the rows are a mixture until a device settles it, or somebody applies the
    /// higher one again.
    package let contested: Bool
    /// Rows that people changed or deleted, retired rows, and rows that applying again would join with a record of their
    /// name; at most 500. Retired rows that nothing refers to any
    /// more count as removed: the next version deletes them.
    package let others: [DataSetReport.Row]
    /// True where the schema has other types by now, so that it is not known which rows people changed.
    package let incomparable: Bool?
    /// True where a newer program applied it: version and rows are not known, and given as 0.
    package let newer: Bool?

    /// `others` are nil where they are not known.
    package init(
        space: Reference, name: String, level: DataSetLevel, version: Int, takenFor: Int?,
        by: Reference, at: Moment, rows: Int, contested: Bool, others: [DataSetReport.Row]?,
        newer: Bool? = nil
    ) {
        (self.space, self.name, self.level) = (space, name, level)
        (self.version, self.takenFor, self.by, self.at) = (version, takenFor, by, at)
        (self.rows, self.contested, self.newer) = (rows, contested, newer)
        self.others = Array((others ?? []).prefix(LocalLimits.dataSetRowsShown))
        incomparable = others == nil ? true : nil
    }
}

/// The version that a device should treat as applied.
package struct DataSetVersionDraft: Codable, Sendable, Hashable {
    package let space: String
    /// Absent where the space has one set only.
    package let name: String?
    package let level: DataSetLevel
    package let version: Int

    package init(space: String, name: String?, level: DataSetLevel, version: Int) {
        (self.space, self.name) = (space, name)
        (self.level, self.version) = (level, version)
    }
}

extension LocalLimits {
    /// Rows of a data set to list.
    package static let dataSetRowsShown = 500
    /// All files of a data set together.
    package static let dataSetBytes = 8 << 20
    /// Rows of a data set.
    package static let dataSetRows = 20_000
    /// The file of released values: some 80 bytes for each.
    package static let dataSetReleasedBytes = 16 << 20
}
