internal import LocalAPI

/// The sign that a person sees for each state.
enum Symbols {
    static func of(_ state: SyncState) -> String {
        switch state {
        case .synced: Style.green("\u{2713}")
        case .syncing: Style.yellow("\u{21BB}")
        case .pending, .localOnly: Style.yellow("\u{2022}")
        case .offline: "\u{25CB}"
        case .error: Style.red("!")
        }
    }

    static func of(_ status: RecordStatus) -> String {
        switch status {
        case .inSync: of(SyncState.synced)
        case .uploading, .downloading: of(SyncState.syncing)
        case .localOnly, .needsUpload, .needsDownload, .filesPending, .needsDeletion, .unfinished:
            of(SyncState.pending)
        case .conflict, .syncError: of(SyncState.error)
        }
    }

    static func of(_ severity: HealthReport.Severity) -> String {
        switch severity {
        case .ok: of(SyncState.synced)
        case .note: of(SyncState.offline)
        case .warning: of(SyncState.pending)
        case .error: of(SyncState.error)
        }
    }

    static func of(_ level: NetworkReport.Level) -> String {
        switch level {
        case .ok: of(SyncState.synced)
        case .note: of(SyncState.pending)
        case .problem: of(SyncState.error)
        case .skipped: of(SyncState.offline)
        }
    }
}
