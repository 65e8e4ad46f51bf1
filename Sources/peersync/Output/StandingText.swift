internal import LocalAPI

/// The sync status of a record in one line, or the number of records in each status.
enum StandingText {
    static func rendered(_ standing: StandingView, width: Int?) -> String {
        if let record = standing.record {
            let name = record.name.isEmpty ? record.shortID : record.name
            return "\(Symbols.of(record.status)) \(Style.bold(Printable.line(name)))  "
                + of(record.status)
        }
        var table = Table([
            .text(tr("collection")), .number(tr("records")), .text("", shrinksTo: 20),
        ])
        for collection in standing.collections where !collection.statuses.isEmpty {
            let states = RecordStatus.allCases.compactMap { status -> String? in
                guard let count = collection.statuses[status.rawValue] else { return nil }
                return "\(Symbols.of(status)) \(count) \(of(status))"
            }
            table.add([
                collection.name, String(collection.statuses.values.reduce(0, +)),
                states.joined(separator: ", "),
            ])
        }
        guard standing.collections.contains(where: { !$0.statuses.isEmpty }) else {
            return RecordTable.none
        }
        return table.rendered(width: width)
    }

    static func of(_ status: RecordStatus) -> String {
        switch status {
        case .localOnly: tr("only on this device")
        case .needsUpload: tr("waits to be sent")
        case .uploading: tr("being sent")
        case .needsDownload: tr("waits to be fetched")
        case .downloading: tr("being fetched")
        case .inSync: tr("synced")
        case .conflict: tr("changed on several devices at once")
        case .syncError: tr("sync failed")
        case .filesPending: tr("files still on their way")
        case .needsDeletion: tr("deletion not delivered yet")
        case .unfinished: tr("unfinished, only here")
        }
    }
}
