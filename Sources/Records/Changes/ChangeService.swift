package import LocalAPI
internal import Store
internal import SyncCore

/// The history of spaces, from the commits on this device.
///
/// Stateless, like ``RecordService``.
package struct ChangeService: Sendable {
    let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    var directory: SpaceDirectory { SpaceDirectory(replica) }

    /// The newest changes, up to the requested number; reads no others.
    package func changes(_ filter: ChangeFilter) throws -> ChangeLog {
        let space = try filter.trip.map { try directory.readable($0, among: .withDeleted) }
        let marks = try ReadMarkers(of: replica)
        let isNews = filter.since == nil && !filter.whole
        let authors = try Authors(filter, replica)
        let limit = min(max(filter.limit ?? Limits.changesShown, 1), Limits.changesAtOnce)
        let last = try replica.store.log.lastPlace()
        var reader = try ChangeReader(replica, directory)
        var entries: [ChangeEntry] = []
        let meter = ProgressMeter(.reading)
        try replica.store.log.eachShown(
            in: space?.id, since: filter.since, after: isNews ? marks : nil,
            exceptOf: isNews ? replica.local.device : nil
        ) { stored in
            guard authors.include(stored.commit.header.log.device) else { return true }
            try Task.checkCancellation()
            meter.add()
            if let entry = try reader.entry(stored) { entries.append(entry) }
            return entries.count <= limit
        }
        let answers = try answers(filter, in: space, after: isNews ? marks : nil) {
            authors.include($0)
        }
        entries = entries.merged(with: answers)
        return ChangeLog(
            arrivals: try arrivals(filter, in: space, after: isNews ? marks : nil) {
                authors.include($0)
            },
            entries: entries.prefix(limit).reversed(), hasEarlier: entries.count > limit,
            lastLook: isNews ? marks.time(in: space?.id) : nil, place: last)
    }

    /// Everything that happened in a space, oldest first.
    func history(of space: ReadableSpace) throws -> [ChangeEntry] {
        var reader = try ChangeReader(replica, directory)
        var entries: [ChangeEntry] = []
        var before: Int64?
        while true {
            let page = try replica.store.log.storedCommits(
                of: space.id, after: 0, before: before, exceptOf: nil, limit: Limits.changePage)
            guard let first = page.last else { return entries.reversed() }
            before = first.place
            for stored in page {
                if let entry = try reader.entry(stored) { entries.append(entry) }
            }
        }
    }

    /// Marks everything up to a place as seen.
    package func look(_ look: ChangeLook) throws {
        let space = try look.trip.map { try directory.readable($0, among: .withDeleted) }
        let marks = try ReadMarkers(of: replica)
        // A mark with a time that was ahead is written again, with a time that is true.
        let place = max(
            min(look.place, try replica.store.log.lastPlace()), marks.place(in: space?.id))
        guard
            try place > marks.place(in: space?.id) || marks.isAhead(in: space?.id)
                || !answers(ChangeFilter(), in: space, after: marks, of: { _ in true }).isEmpty
        else { return }
        for space in try space.map({ [$0] }) ?? directory.readable(.withDeleted) {
            try Answers(replica.store).date(atMost: replica.now, in: space.id)
        }
        try ReadMarkers.set(place, in: space?.id, of: replica)
    }
}

/// The authors whose changes are listed.
private struct Authors {
    /// Nil: everybody.
    private let devices: Set<DeviceID>?

    init(_ filter: ChangeFilter, _ replica: any Replica) throws {
        let device = try filter.device.map { Set([try Lookup.anyDevice($0, of: replica)]) }
        let person = try filter.person.map { try Authors.devices(ofPerson: $0, replica) }
        devices = device.map { device in person.map(device.intersection) ?? device } ?? person
    }

    // Not inlined, for the same reason as Lookup.find.
    @inline(never)
    private static func devices(
        ofPerson typed: String, _ replica: any Replica
    ) throws -> Set<DeviceID> {
        let people = try KnownPeople(replica).all()
        return Set(
            try Lookup.find(typed, .person, among: people) { $0.entry }.cards.map(\.device))
    }

    func include(_ device: DeviceID) -> Bool { devices?.contains(device) ?? true }
}

/// Reads what stored commits changed, in the words of their spaces; reads each space once.
struct ChangeReader {
    private let replica: any Replica
    private let known: [SpaceID: ReadableSpace]
    private var reports: [SpaceID: CommitReports] = [:]

    init(_ replica: any Replica, _ directory: SpaceDirectory) throws {
        self.replica = replica
        known = Dictionary(try directory.readable(.withDeleted).map { ($0.id, $0) }) { first, _ in
            first
        }
    }

    /// Nil for a commit without news for people, or in a space that was left.
    mutating func entry(_ stored: StoredCommit) throws -> ChangeEntry? {
        guard let space = known[stored.space], let schema = replica.schema(of: stored.space) else {
            return nil
        }
        let reports =
            reports[stored.space] ?? CommitReports(RecordReader(replica, stored.space, schema))
        self.reports[stored.space] = reports
        let changes = try reports.changes(of: [stored])
        guard !changes.isEmpty else { return nil }
        let header = stored.commit.header
        let author = replica.author(with: header.log.device, in: stored.space)
        return ChangeEntry(
            id: stored.commit.id.description, space: space.sharedReference, author: author,
            isMine: replica.isOwn(author),
            device: replica.reference(header.log.device), written: Moment(stored.clock),
            received: Moment(stored.shownAt), changes: changes)
    }
}

extension Limits {
    /// Changes to show unless a number is given.
    package static let changesShown = 50
    /// The most changes to show: people read them.
    static let changesAtOnce = 10_000
    /// Commits read at a time, of at most 1 MiB each.
    static let changePage = 16
}
