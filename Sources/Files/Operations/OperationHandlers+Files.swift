package import Device
internal import LocalAPI
internal import Logging
package import Records

extension OperationHandlers {
    /// Without any function yet. Files are missed at the cost of asking each of their 256 folders for the time of its
    /// last change, and of looking into those that changed.
    package init(_ node: AgentNode, _ media: MediaLibrary) {
        self.init(
            node,
            missFiles: {
                do {
                    try await media.fileFinder.missGone()
                } catch {
                    node.storage.notWritten("files not compared", error)
                }
            }, lookAtConnections: { await node.lookAtConnections() })
    }

    /// Adds the functions that also move or delete files, or make a backup first.
    package mutating func addFileHandlers(_ node: AgentNode, _ media: MediaLibrary) {
        let archives = ArchiveService(node, media)
        let backups = BackupService(node, media)
        let bin = BinService(node)
        let changes = SchemaChangeService(node)
        let dataSets = DataSetService(node)
        let followed = FollowedSets(node)
        on(\.agent.backUp) { try await backups.backUp($1) }
        on(\.trips.archive) { try await archives.archive($0, $1) }
        on(\.trips.importArchive) { try await archives.importArchive($1) }
        on(\.spaces.emptyBin) {
            let emptier = BinEmptier(node, media)
            let space = try $1.space.map { try bin.space($0) }
            let days = $1.now ? 0 : try bin.days()
            return try await $1.preview
                ? emptier.preview(in: space, days: days) : emptier.run(in: space, days: days)
        }
        on(\.spaces.migrateSchema) { space, draft in
            var preview = draft
            preview.preview = true
            let planned = try await changes.migrate(ofSpace: space, preview)
            guard !draft.preview else { return planned }
            let backup = try await backups.backUp(draft.backup, unless: draft.withoutBackup)
            var report = try await changes.migrate(ofSpace: space, draft)
            report.backup = backup
            return report
        }
        on(\.schemas.resetSet) { _, draft in
            guard !draft.preview else { return try await dataSets.reset(draft) }
            try await dataSets.checkReset(draft)
            let backup = try await backups.backUp(draft.backup, unless: draft.withoutBackup)
            var report = try await dataSets.reset(draft)
            report.backup = backup
            try followed.note(report)
            return report
        }
    }
}

extension BackupService {
    /// Makes a backup before an action that a person may want to reverse; nil if they want none.
    fileprivate func backUp(_ path: String?, unless isUnwanted: Bool) async throws -> BackupReport?
    {
        isUnwanted ? nil : try await backUp(BackupDraft(path: path))
    }
}
