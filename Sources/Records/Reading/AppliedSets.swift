internal import Foundation
internal import LocalAPI
internal import Store
internal import SyncCore

/// The data sets that were applied to one space, from its records.
struct AppliedSets {
    /// One level of one set.
    struct Mark {
        let name: String
        let level: DataSetLevel
        /// The highest version; if devices applied different ones separately, the one that counts.
        let applied: AppliedSet
        let write: SurvivingWrite
        /// What was applied separately, the one that counts included; the highest first.
        let contents: [Content]

        struct Content {
            let applied: AppliedSet
            let write: SurvivingWrite
        }

        /// False for devices that separately applied the same.
        var isContested: Bool { !contents.allSatisfy(counts) }

        /// Whether it is the version that counts, from whichever device.
        func counts(_ content: Content) -> Bool {
            (content.applied.version, content.applied.digest) == (applied.version, applied.digest)
        }

        /// The rows of all these versions: rows that only a lower one has are known, too.
        var all: AppliedSet {
            contents.map(\.applied).reduce(into: applied) { all, rival in
                all.retired = all.retired.joined(with: rival.retired).joined(with: rival.rows)
            }
        }
    }

    /// One level of one set, of which a newer program wrote the mark: what was applied is not known.
    struct NewerMark {
        let name: String
        let level: DataSetLevel
        let write: SurvivingWrite
    }

    /// What this program can read. By the names of the sets, then in the order of the levels.
    let known: [Mark]
    /// In the same order.
    let newer: [NewerMark]

    /// Throws what the store throws.
    init(_ reader: RecordReader) throws {
        let levels = try reader.all(in: Schema.AppliedSet.collection)
            .compactMap { entry in
                try Level(entry, in: reader.space) { try AppliedSets.isByAdmin($0, reader) }
            }
            .sorted { ($0.name, $0.level.order) < ($1.name, $1.level.order) }
        known = levels.compactMap(\.mark)
        newer = levels.compactMap(\.newer)
    }

    /// Whether the grant that its commit names was an admin's there. Applying needs one: a content by somebody else,
    /// with a changed program or by an undo, does not exist for anybody, and is not even read.
    private static func isByAdmin(_ write: SurvivingWrite, _ reader: RecordReader) throws -> Bool {
        let own = reader.replica.membership(of: reader.space)?.standings.filter {
            $0.value.card.device == write.log.device
        }
        guard let own else { return false }
        let able = own.filter {
            $0.value.permissions(at: write.log, write.sequence).contains(.admin)
        }
        // Few devices have grants of both kinds: only then the commit has to be read.
        guard !able.isEmpty, able.count < own.count else { return !able.isEmpty }
        let id = write.id.commit
        return try reader.replica.store.past.commits(beginning: id.description).contains {
            able[$0.commit.header.grant] != nil
        }
    }

    /// The marks of one set. Throws ``APIError`` where a newer program wrote one: the set would count as never
    /// applied, and be applied over its rows.
    func marks(of set: String) throws -> [Mark] {
        if newer.contains(where: { $0.name == set }) { throw DataSetErrors.newer(set) }
        return known.filter { $0.name == set }
    }

    /// Marks a version as being applied: a mark without content, which does not count yet.
    static func begun(
        _ level: DataSetLevel, of set: String, in space: SpaceID
    ) -> RecordOperation {
        RecordOperation(
            Schema.applied(level.rawValue, of: set, in: space),
            [
                Write(field: Schema.AppliedSet.name, value: .text(set)),
                Write(field: Schema.AppliedSet.level, value: .text(level.rawValue)),
            ])
    }

    /// Marks a version as applied. `mark` is what its rows were compared with: one that arrives in between stays
    /// beside it. Contents of it that have more than a person's precedence are replaced up to `precedence`. Throws when
    /// the mark is too large for one record.
    static func operation(
        _ applied: AppliedSet, _ level: DataSetLevel, of set: String, in space: SpaceID,
        over mark: Mark? = nil, upTo precedence: UInt32 = Precedence.user.rawValue
    ) throws -> RecordOperation {
        let contents = mark?.contents.map(\.write)
        let highest = contents?.map(\.precedence).max() ?? 0
        var operation = begun(level, of: set, in: space)
        // An undo may have deleted the record.
        operation.writes.insert(.deletion(false), at: 0)
        operation.writes.append(
            Write(
                field: Schema.AppliedSet.content, value: try applied.content(),
                replaces: contents?.map(\.id),
                precedence: max(Precedence.user.rawValue, min(highest, precedence))))
        return operation
    }
}

extension RecordOperation {
    /// Whether it is ``AppliedSets/begun(_:of:in:)``, from the commit that makes a space by a reset.
    var beginsReset: Bool {
        collection == Schema.AppliedSet.collection
            && !writes.contains {
                [Schema.AppliedSet.content, Write.existence].contains($0.field)
            }
    }
}

/// The record of one level of one set.
private struct Level {
    let name: String
    let level: DataSetLevel
    private var contents: [AppliedSets.Mark.Content] = []
    /// Of newer programs.
    private var unread: [SurvivingWrite] = []

    /// Nil for another record. A level that only newer programs know is none that this one applies. `counts` tells
    /// which of its contents exist.
    init?(
        _ entry: ShownEntry, in space: SpaceID, where counts: (SurvivingWrite) throws -> Bool
    ) throws {
        func text(_ field: String) -> String? { entry.state.fields[field]?.latest?.value.text }
        guard !entry.state.isDeleted, let name = text(Schema.AppliedSet.name),
            // The ids of its rows follow from the name that is shown.
            ShownText.line(name) == name,
            let level = text(Schema.AppliedSet.level).flatMap(DataSetLevel.init),
            // Its content must match its id, so that two marks never speak for one level.
            entry.id == Schema.applied(level.rawValue, of: name, in: space).record
        else { return nil }
        (self.name, self.level) = (name, level)
        let writes = entry.state.fields[Schema.AppliedSet.content]?.writes ?? []
        for write in writes {
            guard write.value != .null, try counts(write) else { continue }
            guard let applied = AppliedSet(content: write.value) else {
                unread.append(write)
                continue
            }
            // There cannot be another version.
            guard applied.version > 0 else { continue }
            contents.append(AppliedSets.Mark.Content(applied: applied, write: write))
        }
        contents.sort { one, other in
            (one.applied.version, one.applied.digest, one.write.id) > (
                other.applied.version, other.applied.digest, other.write.id
            )
        }
    }

    /// Nil for one that does not count yet, or that a newer program wrote.
    var mark: AppliedSets.Mark? {
        guard unread.isEmpty, let first = contents.first else { return nil }
        return AppliedSets.Mark(
            name: name, level: level, applied: first.applied, write: first.write,
            contents: contents)
    }

    var newer: AppliedSets.NewerMark? {
        unread.max { $0.clock < $1.clock }.map {
            AppliedSets.NewerMark(name: name, level: level, write: $0)
        }
    }
}

extension AppliedSet {
    /// Nil for content of another program: also if the digest is not that of the rows.
    fileprivate init?(content: Value) {
        guard case .json(let text) = content else { return nil }
        do {
            self = try JSONCoding.decode(AppliedSet.self, from: Data(text.utf8))
            guard try digest == AppliedSet.digest(of: rows) else { return nil }
        } catch {
            return nil
        }
    }
}

extension DataSetLevel {
    /// Samples come after reference rows, as they refer to them.
    var order: Int {
        switch self {
        case .reference: 0
        case .samples: 1
        case .reset: 2
        }
    }
}

extension AppliedSetView {
    init(_ mark: AppliedSets.NewerMark, in space: Reference, by author: Reference) {
        self.init(
            space: space, name: mark.name, level: mark.level, version: 0, takenFor: nil,
            by: author, at: Moment(mark.write.clock), rows: 0, contested: false, others: [],
            newer: true)
    }
}
