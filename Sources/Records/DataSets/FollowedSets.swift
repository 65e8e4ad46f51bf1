package import LocalAPI
internal import Store
internal import SyncCore

/// Folders with data sets that this device checks when its agent starts: new versions are applied, a full
/// reset is only offered.
package struct FollowedSets: Sendable {
    private struct Entry: Codable, Equatable {
        let path: String
        var space: String
        var name: String
        var word: Word?
        /// By level, the version that was applied when the agent started.
        var versions: [String: Int]?

        var spaceID: SpaceID? { SpaceID(hexadecimal: space) }

        /// Only the offer of a reset is news.
        mutating func hear(_ report: DataSetReport) {
            word = report.reset.map {
                .offer(from: $0.from, to: $0.to, space: report.space.name)
            }
        }

        mutating func hear(_ error: APIError) {
            word = .failure(
                StoredMessage(error.message), hint: error.advice.map { StoredMessage($0) })
        }

        /// In the reader's language.
        var told: (sentence: Message, hint: Message?)? {
            switch word {
            case .offer(let from, let to, let space):
                (
                    tr(
                        """
                        \(Sentence.name(name)) asks for a full reset of \(Sentence.name(space)) \
                        (version \(from) → \(to)).
                        """), Sentence.DataSet.seeReset(path, of: space)
                )
            case .failure(let why, let hint):
                (
                    tr("The data set \(Sentence.name(name)) was not applied: \(why.message)"),
                    hint?.message
                )
            case nil: nil
            }
        }
    }

    /// News about a set.
    private enum Word: Codable, Equatable {
        case offer(from: Int, to: Int, space: String)
        case failure(StoredMessage, hint: StoredMessage?)
    }

    private let stored = StoredList<Entry>(key: "dataset.follow")
    private let replica: any Replica
    private var service: DataSetService { DataSetService(replica) }

    package init(_ replica: any Replica) { self.replica = replica }

    private func entries() throws -> [Entry] { try stored.all(in: replica.store) }

    private func keep(_ entries: [Entry]) throws { try stored.keep(entries, in: replica.store) }

    private func change(
        where isMeant: (Entry) -> Bool, _ change: (inout Entry) -> Void
    ) throws {
        let before = try entries()
        var known = before
        for index in known.indices where isMeant(known[index]) { change(&known[index]) }
        if known != before { try keep(known) }
    }

    // MARK: Following

    /// Throws ``APIError``, also when the set has a mistake.
    package func follow(_ draft: DataSetFollowDraft) throws -> [FollowedSetView] {
        guard let typed = draft.space, draft.ends != true else { return try end(draft) }
        var entries = try entries()
        let (space, set, _) = try service.source(path: draft.path, space: typed)
        let entry = Entry(
            path: draft.path, space: space.id.description, name: ShownText.line(set.name))
        entries.removeAll { $0.path == entry.path && $0.space == entry.space }
        guard entries.count < Limits.followedSets else {
            throw APIError(
                code: .tooLarge, sentence: "So many folders cannot be followed.",
                hint: "End one first: peersync dataset unfollow FOLDER")
        }
        entries.append(entry)
        try keep(entries)
        return try list()
    }

    /// Follows a folder no more: for one space, or for all.
    private func end(_ draft: DataSetFollowDraft) throws -> [FollowedSetView] {
        let meant = try list().filter { $0.path == draft.path }
        guard !meant.isEmpty else {
            throw APIError(
                code: .notFound, sentence: "\(Sentence.plain(draft.path)) is not followed.",
                hint: "Folders that are: peersync dataset status")
        }
        let space = try draft.space.map { try find($0, among: meant.map(\.space), draft.path) }
        var entries = try entries()
        entries.removeAll { $0.path == draft.path && (space == nil || $0.space == space?.id) }
        try keep(entries)
        return try list()
    }

    /// The space that is meant, of those that a folder is followed for.
    private func find(
        _ typed: String, among spaces: [Reference], _ path: String
    ) throws(APIError) -> Reference {
        let entry = { (space: Reference) in Lookup.Entry(id: space.id, name: space.name) }
        let found = Lookup.matches(typed, among: spaces.map(entry)).map { spaces[$0] }
        return try Lookup.single(
            typed, .space, found, by: entry,
            orElse: APIError(
                code: .notFound,
                sentence: """
                    \(Sentence.plain(path)) is not followed for \(Sentence.name(ShownText.line(typed))).
                    """,
                hint: "Folders that are: peersync dataset status"))
    }

    package func list() throws -> [FollowedSetView] {
        let entries = try entries()
        let spaces = entries.isEmpty ? [] : try SpaceDirectory(replica).readable()
        return entries.map { entry in
            let space = spaces.first { $0.id == entry.spaceID }?.reference
            // A space that was left is listed, too, so that following it can be ended.
            let short = String(entry.space.prefix(8))
            return FollowedSetView(
                path: entry.path, name: entry.name,
                space: space ?? Reference(id: entry.space, shortID: short, name: short),
                trouble: entry.told?.sentence.text, hint: entry.told?.hint?.text)
        }
    }

    /// The sets that could not be applied, or required a reset, at the last start of the agent.
    package func notices() throws -> [FollowedSetNotice] {
        try entries().compactMap { entry in
            guard let space = entry.spaceID, let told = entry.told else { return nil }
            return FollowedSetNotice(
                space: space, set: entry.name, sentence: told.sentence, hint: told.hint)
        }
    }

    /// Updates the news after a person applied or reset a set.
    package func note(_ report: DataSetReport) throws {
        try change(where: { $0.space == report.space.id && $0.name == report.name }) {
            $0.hear(report)
        }
    }

    /// If the person continues in a new space, their folder is followed for that one.
    package func note(_ report: DataSetResetReport) throws {
        try change(where: { $0.space == report.space.id && $0.name == report.name }) {
            $0.word = nil
            if let new = report.newSpace?.space { $0.space = new.id }
        }
    }

    // MARK: Applying

    /// Applies all; `note` receives the result of each. Throws what the store throws.
    package func applyAll(
        _ note: @Sendable (Result<DataSetReport, APIError>) -> Void
    ) async throws {
        for entry in try entries() {
            let result = await apply(entry)
            note(result)
            try change(where: { $0.path == entry.path && $0.space == entry.space }) { known in
                switch result {
                case .success(let report):
                    known.name = report.name
                    known.hear(report)
                    known.versions = Dictionary(
                        report.levels.map { ($0.level.rawValue, $0.to) }
                    ) { $1 }
                case .failure(let error): known.hear(error)
                }
            }
        }
    }

    private func apply(_ entry: Entry) async -> Result<DataSetReport, APIError> {
        var draft = DataSetDraft(path: entry.path, space: entry.space)
        draft.preview = true
        do {
            let preview = try await service.apply(draft, isAutomatic: true)
            // A version that somebody undid is not applied again automatically.
            let known = preview.levels.first {
                $0.outcome == .update && entry.versions?[$0.level.rawValue] == $0.to
            }
            if let known { throw known.from == known.to ? Self.waiting : Self.takenBack }
            guard preview.isChange else { return .success(preview) }
            draft.preview = false
            return .success(try await service.apply(draft, isAutomatic: true))
        } catch {
            return .failure(replica.sentence(for: error))
        }
    }

    private static var takenBack: APIError {
        APIError(
            code: .conflict, sentence: "this version was applied here and taken back.",
            hint: "Apply it once more: peersync dataset apply FOLDER --space SPACE")
    }

    /// Only a version that stands beside another one is raised to itself.
    private static var waiting: APIError {
        APIError(
            code: .conflict,
            sentence: "two versions were applied apart, and wait to be settled.",
            hint: "To settle them now: peersync dataset apply FOLDER --space SPACE")
    }
}

extension Limits {
    /// Folders with data sets that one device follows.
    static let followedSets = 64
}
