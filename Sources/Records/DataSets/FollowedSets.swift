internal import Foundation
package import LocalAPI
internal import Store
package import SyncCore

/// What a person should know of a data set that this device follows.
package struct FollowedSetNotice: Hashable, Sendable {
    package let space: SpaceID
    package let set: String
    package let sentence: String
    package let hint: String?

    package init(space: SpaceID, set: String, sentence: String, hint: String?) {
        (self.space, self.set, self.sentence, self.hint) = (space, set, sentence, hint)
    }
}

/// Folders with data sets that this device looks at when its agent starts: what is raised is applied, a full reset
/// only offered.
package struct FollowedSets: Sendable {
    private static let setting = "dataset.follow"

    private struct Entry: Codable, Equatable {
        let path: String
        let space: String
        var name: String
        var trouble: String?
        var hint: String?
        /// By level, the version that was applied when the agent started.
        var versions: [String: Int]?

        var spaceID: SpaceID? { bytes(hexadecimal: space).flatMap { SpaceID(bytes: $0) } }
    }

    private let replica: any Replica
    private var service: DataSetService { DataSetService(replica) }

    package init(_ replica: any Replica) { self.replica = replica }

    private func entries() throws -> [Entry] {
        guard let text = try replica.store.setting(FollowedSets.setting) else { return [] }
        return try JSONCoding.decode([Entry].self, from: Data(text.utf8))
    }

    private func keep(_ entries: [Entry]) throws {
        let text = String(decoding: try JSONCoding.encode(entries), as: UTF8.self)
        try replica.store.setSetting(
            FollowedSets.setting, to: entries.isEmpty ? nil : text)
    }

    // MARK: Following

    /// Throws ``APIError``, also when the set has a mistake.
    package func follow(_ draft: DataSetFollowDraft) throws -> [FollowedSetView] {
        var entries = try entries()
        if let typed = draft.space {
            let (space, set, _) = try service.source(path: draft.path, space: typed)
            let entry = Entry(
                path: draft.path, space: space.id.description, name: ShownText.line(set.name))
            entries.removeAll { $0.path == entry.path && $0.space == entry.space }
            guard entries.count < Limits.followedSets else {
                throw Sentence.DataSetReset.tooManyFollowed
            }
            entries.append(entry)
        } else {
            let count = entries.count
            entries.removeAll { $0.path == draft.path }
            guard entries.count < count else { throw Sentence.DataSetReset.notFollowed(draft.path) }
        }
        try keep(entries)
        return try list()
    }

    package func list() throws -> [FollowedSetView] {
        let directory = SpaceDirectory(replica)
        return try entries().map { entry in
            let space = try directory.readable().first { $0.id == entry.spaceID }?.reference
            // One that was left meanwhile is listed, too: it can be ended.
            let short = String(entry.space.prefix(8))
            return FollowedSetView(
                path: entry.path, name: entry.name,
                space: space ?? Reference(id: entry.space, shortID: short, name: short),
                trouble: entry.trouble, hint: entry.hint)
        }
    }

    /// Of those that could not be applied, or ask for a reset, when the agent started last.
    package func notices() throws -> [FollowedSetNotice] {
        try entries().compactMap { entry in
            guard let space = entry.spaceID, let trouble = entry.trouble else { return nil }
            return FollowedSetNotice(
                space: space, set: entry.name, sentence: trouble, hint: entry.hint)
        }
    }

    /// What came of a set that a person applied or reset: what was said of it is over, or another word.
    package func note(_ report: DataSetReport) throws {
        try change(report.space.id, report.name) { entry in
            let offer = report.reset.map {
                Sentence.DataSetReset.offered($0, report, path: entry.path)
            }
            (entry.trouble, entry.hint) = (offer?.sentence, offer?.hint)
        }
    }

    package func note(_ report: DataSetResetReport) throws {
        try change(report.space.id, report.name) { ($0.trouble, $0.hint) = (nil, nil) }
    }

    private func change(
        _ space: String, _ set: String, _ change: (inout Entry) -> Void
    ) throws {
        var known = try entries()
        var isChange = false
        for index in known.indices where known[index].space == space && known[index].name == set {
            let before = known[index].trouble
            change(&known[index])
            isChange = isChange || known[index].trouble != before
        }
        if isChange { try keep(known) }
    }

    // MARK: Applying

    /// Applies all; `note` hears what came of each. Throws what the store throws.
    package func applyAll(
        _ note: @Sendable (Result<DataSetReport, APIError>, _ path: String) -> Void
    ) async throws {
        for entry in try entries() {
            let result = await apply(entry)
            note(result, entry.path)
            var known = try entries()
            guard
                let index = known.firstIndex(where: {
                    $0.path == entry.path && $0.space == entry.space
                })
            else { continue }
            switch result {
            case .success(let report):
                known[index].name = report.name
                let offer = report.reset.map {
                    Sentence.DataSetReset.offered($0, report, path: entry.path)
                }
                (known[index].trouble, known[index].hint) = (offer?.sentence, offer?.hint)
                known[index].versions = Dictionary(
                    report.levels.map { ($0.level.rawValue, $0.to) }
                ) { $1 }
            case .failure(let error):
                (known[index].trouble, known[index].hint) = (
                    Sentence.DataSetReset.notApplied(entry.name, error), error.hint
                )
            }
            if known[index] != entry {
                try keep(known)
            }
        }
    }

    private func apply(_ entry: Entry) async -> Result<DataSetReport, APIError> {
        var draft = DataSetDraft(path: entry.path, space: entry.space)
        draft.preview = true
        do {
            let preview = try await service.apply(draft)
            let isTakenBack = preview.levels.contains {
                $0.outcome == .update && entry.versions?[$0.level.rawValue] == $0.to
            }
            // Whoever undid a version does not want it again by itself.
            guard !isTakenBack else { throw Sentence.DataSetReset.takenBack }
            guard preview.isChange else { return .success(preview) }
            draft.preview = false
            return .success(try await service.apply(draft))
        } catch {
            return .failure(replica.sentence(for: error))
        }
    }
}

extension Limits {
    /// Folders with data sets that one device follows.
    static let followedSets = 64
}
