internal import LocalAPI
internal import Store
package import SyncCore

/// Records that an interrupted move left in both spaces.
package struct InterruptedMove: Hashable, Sendable {
    package let source: SpaceID
    package let target: SpaceID
    package let count: Int

    package init(from source: SpaceID, to target: SpaceID, count: Int) {
        (self.source, self.target, self.count) = (source, target, count)
    }
}

/// This device's note of a move, made before anything is written.
struct MoveNote: Codable, Equatable {
    struct Copy: Codable, Equatable {
        let collection: String
        let record: String

        init(_ key: RecordKey) {
            (collection, record) = (key.collection, key.record.description)
        }

        var key: RecordKey? {
            RecordID(hexadecimal: record).map { RecordKey(collection: collection, record: $0) }
        }
    }

    private let source: String
    private let target: String
    private let collection: String
    private let roots: [String]
    private let made: [String]
    /// All records that the move makes.
    private let copies: [Copy]
    /// The last commit before it began, and before its records were read.
    let began: Int64
    let read: Int64

    /// `made` are the new records of `roots`, in the same order.
    init(
        _ roots: [RecordKey], as made: [RecordKey], from source: SpaceID, to target: SpaceID,
        copies: [RecordKey], began: Int64, read: Int64
    ) {
        (self.source, self.target) = (source.description, target.description)
        collection = roots.first?.collection ?? ""
        self.roots = roots.map(\.record.description)
        self.made = made.map(\.record.description)
        self.copies = copies.map { Copy($0) }
        (self.began, self.read) = (began, read)
    }

    var spaces: (source: SpaceID, target: SpaceID)? {
        guard let source = SpaceID(hexadecimal: source),
            let target = SpaceID(hexadecimal: target)
        else { return nil }
        return (source, target)
    }

    func isOf(_ roots: [RecordKey]) -> Bool {
        Set(self.roots) == Set(roots.map(\.record.description))
    }

    func overlaps(_ roots: [RecordKey]) -> Bool {
        !Set(self.roots).isDisjoint(with: roots.map(\.record.description))
    }

    /// The moved records, each with its new one.
    var pairs: [(root: RecordKey, made: RecordKey)] {
        zip(roots, made).compactMap { root, made in
            guard let root = RecordID(hexadecimal: root), let made = RecordID(hexadecimal: made)
            else { return nil }
            return (
                RecordKey(collection: collection, record: root),
                RecordKey(collection: collection, record: made)
            )
        }
    }

    var keys: [RecordKey] { copies.compactMap(\.key) }
}

/// Moves by this device that were interrupted. Throws what the store throws.
package struct InterruptedMoves {
    private let stored = StoredList<MoveNote>(key: "moves")
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// Those with records that are shown in both spaces.
    package func all() throws -> [InterruptedMove] {
        try notes().compactMap { note in
            let count = try doubled(note).count
            guard count > 0, let (source, target) = note.spaces else { return nil }
            return InterruptedMove(from: source, to: target, count: count)
        }
    }

    /// The source of an interrupted move into this space; nil without one.
    package func source(ofMoveTo target: SpaceID) throws -> SpaceID? {
        try all().last { $0.target == target }?.source
    }

    /// The note of a move with records in both spaces.
    func note(from source: SpaceID, to target: SpaceID, where isMeant: (MoveNote) -> Bool) throws
        -> MoveNote?
    {
        try notes().last { note in
            guard let spaces = note.spaces, spaces == (source, target), isMeant(note) else {
                return false
            }
            return try !doubled(note).isEmpty
        }
    }

    /// Adds a note, and drops those that are no longer needed.
    func add(_ note: MoveNote) throws {
        let open = try notes().filter { try !doubled($0).isEmpty }
        try stored.keep(open.suffix(Limits.movesNoted - 1) + [note], in: replica.store)
    }

    func remove(_ note: MoveNote) throws {
        try stored.keep(try notes().filter { $0 != note }, in: replica.store)
    }

    private func notes() throws -> [MoveNote] { try stored.all(in: replica.store) }

    private func doubled(_ note: MoveNote) throws -> [(root: RecordKey, made: RecordKey)] {
        guard let (source, target) = note.spaces, let one = replica.schema(of: source),
            let other = replica.schema(of: target)
        else { return [] }
        let here = RecordReader(replica, source, one)
        let there = RecordReader(replica, target, other)
        return try note.pairs.filter {
            try here.presence($0.root).isShown && there.presence($0.made).isShown
        }
    }
}

extension Limits {
    /// Interrupted moves to keep notes of.
    static let movesNoted = 16
    /// Commits after an interrupted move to check; beyond that its records count as changed.
    static let commitsSinceMove = 1_000
}
