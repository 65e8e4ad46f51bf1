import LocalAPI

extension Samples {
    /// A name that breaks code which splits or decodes paths carelessly.
    static let hardName = "a/b ?&#%2F..\u{301} \"ü🍝\"+"

    private struct NoSample: Error {
        let type: String
    }

    /// A sample answer of an operation.
    static func value<Value>(of type: Value.Type) throws -> Value {
        guard let value = (answers + inputs).lazy.compactMap({ $0 as? Value }).first else {
            throw NoSample(type: "\(type)")
        }
        return value
    }

    /// Sample inputs of an operation.
    static func inputs<Input>(of type: Input.Type) -> [Input] {
        inputs.compactMap { $0 as? Input }
    }

    private static let answers: [any Codable & Sendable] = [
        SyncSwitched(enabled: false, running: true), info, status, report, doctor, diagnostics,
        sync, activity, [run], device, [device, device], pairing, trip,
        [trip], member, [member], recover, redate, [conflict], why, allThatWaits, memory, [memory],
        [summary],
        [media],
        file, tag,
        [tag], item, [item], media, schema, [schema], record,
        RecordList(collection: schema.collections[0], records: [record], next: "00ff"),
        searchReport, spaceCheck,
        standing,
        batchReport, archived, imported, backedUp, undone, pastOfRecord, dataSetCheck,
        dataSetReport, dataSetRelease,
        [appliedSet], appliedSet,
        digest, ResolvedConflict(conflict: conflict, shown: "Dom"), changeLog,
        revoke, may, request, [orphan], lost,
        FoundView(device: reference, person: reference, trips: [reference]),
        RecoveryKeyView(person: reference, me: false, exchanged: true),
        KeyExchangeView(
            done: true, trips: [reference], elsewhere: [reference], putOut: [reference],
            stayLost: [reference], leftOut: 3),
        RecoveryUseView(
            person: reference, asked: [reference], strangers: [reference],
            trips: [
                RecoveredTrip(trip: reference, role: .admin, from: reference, isHere: false)
            ]),
        RecoverUndoView(changes: 3, refused: [reference]),
        EncryptReport(
            trip: reference, isNew: true, readable: [reference], changes: 3, encrypted: 2,
            missing: LeftFiles(["film.mp4"]), outranked: LeftFiles([])),
        TripKeyView(trip: reference, keys: 2, devices: [reference]),
        VaultList(
            vaults: [
                VaultView(
                    device: reference, person: reference, trip: reference, accepted: true,
                    waiting: .nothing)
            ], carried: [trip]),
        VaultChange(
            device: reference, person: reference, trips: [reference],
            left: [VaultRefusal(trip: reference, sentence: hardName)], partly: [reference]),
        TripKeyExport(trip: reference, keys: 1, keysTotal: 2, identities: "AGE-SECRET-KEY-1"),
        RenameView(was: hardName, name: hardName, person: true, untold: [reference]),
        MarkView(name: hardName, at: moment), [MarkView(name: hardName, at: moment)],
        migration, setting, [setting], dataSetReset, [followedSet], binItem, [binItem],
        binEmptied,
    ]

    private static var binEmptied: BinEmptied {
        var emptied = BinEmptied()
        (emptied.files, emptied.bytes, emptied.later) = (3, 5_000_000_000, 2)
        (emptied.waiting, emptied.waitingFor) = (1, [reference])
        return emptied
    }
    private static let binItem = BinItemView(
        id: "b1", kind: "memory", name: hardName, space: reference, by: reference, deleted: moment,
        parts: 2)

    private static let setting = SettingView(
        name: .port, value: "21900", origin: .set, stored: "21901", standard: "21827")

    private static var backedUp: BackupReport {
        var report = backedUpBefore
        report.spaces = 1
        report.newFolder = true
        report.unnoted = "/home/ann/.local/share/peersync"
        return report
    }
    private static let backedUpBefore = BackupReport(
        path: "/media/a b", name: "2026-11-26T09-41-12Z", trips: 2, files: 3, newFiles: 1,
        bytes: 5_000_000_000, keys: true, damaged: 1, removed: 2, freed: 7,
        unreadable: "2026-11-19T09-41-12Z",
        sameDisk: true)
    private static var backupDraft: BackupDraft {
        var draft = BackupDraft(path: "/media/a b")
        draft.withoutKeys = true
        draft.full = true
        draft.keep = "7d,4w,12m"
        return draft
    }
    private static var undoDraft: UndoDraft {
        var draft = UndoDraft()
        (draft.commit, draft.device, draft.since, draft.space) = ("c1", hardName, moment, "t")
        draft.until = moment
        (draft.deletions, draft.over, draft.preview) = (true, true, true)
        return draft
    }
    private static var wholeChanges: ChangeFilter {
        var filter = ChangeFilter()
        (filter.whole, filter.device, filter.person) = (true, hardName, "Ben")
        return filter
    }
    private static var dataSetDraft: DataSetDraft {
        var draft = DataSetDraft(path: "/tmp/a b", space: hardName)
        (draft.preview, draft.theirs, draft.missing) = (true, true, true)
        return draft
    }
    private static let dataSetRow = DataSetReport.Row(
        kind: .kept, collection: "exercise", record: reference, fields: ["name"])
    private static let dataSetCheck = DataSetCheck(
        name: hardName, schema: "gym",
        levels: [
            .init(
                level: .reference, version: 2,
                files: [.init(collection: "exercise", file: "a.csv", rows: 3)], released: [1, 2])
        ],
        mistakes: [
            .init(file: "a.csv", line: 4, reason: hardName),
            .init(file: "a.csv", line: nil, reason: "x"),
        ])
    private static let dataSetRelease = DataSetRelease(
        name: hardName, file: "a.csv",
        levels: [.init(level: .samples, version: 2, released: [1, 2], added: 3, values: 4)])
    private static let dataSetReport = DataSetReport(
        done: true, name: hardName, space: reference,
        levels: [
            .init(
                level: .samples, outcome: .update, from: 1, to: 2, text: hardName, germanText: "x",
                counts: [.init(collection: "exercise", kind: .added, count: 3)],
                rows: [dataSetRow]),
            .init(
                level: .reference, outcome: .lower, from: 3, to: 2, text: nil, germanText: nil,
                counts: [], rows: []),
        ], reset: .init(from: 1, to: 2, text: hardName, germanText: nil))
    private static var dataSetReset: DataSetResetReport {
        let count = DataSetResetReport.Count(collection: "set", count: 2)
        var report = DataSetResetReport(
            done: true, name: hardName, space: reference, from: 1, to: 2, texts: [hardName, nil],
            counts: ([count], [count], [], [count]))
        report.backup = backedUp
        report.newSpace = .init(name: hardName, space: reference, left: [count])
        return report
    }
    private static var migration: SchemaMigrationReport {
        var report = SchemaMigrationReport(
            done: true, space: reference, versions: (1, 2),
            changes: [
                .init(.changedType, "thing.size", from: "text", to: "integer"),
                .init(.addedField, "thing.new"),
            ], converted: [.init(place: "thing.size", count: 3)],
            left: [.init(record: reference, place: "thing.size", text: hardName)])
        report.backup = backedUp
        return report
    }
    private static var migrationDraft: SchemaMigrationDraft {
        var draft = SchemaMigrationDraft(document: hardName)
        (draft.preview, draft.withoutBackup, draft.backup) = (true, true, "/media/a b")
        return draft
    }
    private static var resetDraft: DataSetResetDraft {
        var draft = DataSetResetDraft(path: "/tmp/a b", space: hardName)
        (draft.preview, draft.withoutBackup) = (true, true)
        (draft.confirmed, draft.backup) = (hardName, "/media/a b")
        (draft.here, draft.name) = (true, hardName)
        return draft
    }
    private static let followedSet = FollowedSetView(
        path: "/tmp/a b", name: hardName, space: reference, trouble: hardName, hint: "x")
    private static let appliedSet = AppliedSetView(
        space: reference, name: hardName, level: .reference, version: 3, takenFor: 0, by: reference,
        at: moment, rows: 4, contested: true, others: [dataSetRow], newer: true)
    private static let undone = UndoView(
        done: true, redo: true, commits: 2, change: "c1c1",
        records: [
            .init(
                space: reference, collection: "memory", record: reference, kind: .restored,
                fields: [.init(name: "title", from: hardName, to: "")])
        ],
        kept: [
            .init(
                space: nil, record: reference, field: "text", reason: .changedSince, by: reference)
        ])
    private static let pastOfRecord = RecordHistoryView(
        record: reference, space: reference, collection: "memory", deleted: true,
        changes: [
            .init(
                id: "c1c1", shortID: "c1", author: reference, device: reference, written: moment,
                received: moment, withoutEffect: true,
                writes: [
                    .init(
                        field: "title", text: hardName, added: false, standing: .replaced,
                        by: reference, at: moment, rule: .longest)
                ])
        ])
    private static let archived = ArchiveReport(
        path: "/tmp/a b", space: reference, records: 3, files: 2, bytes: 5_000_000_000, missing: 1,
        closed: LeftFiles(["film.mp4"]), encrypted: true)
    private static let imported = ImportReport(
        trip: trip, records: 3, files: 2, leftOut: 1, wasEncrypted: true)
    private static var archiveTarget: ArchiveTarget {
        var target = ArchiveTarget(path: "/tmp/a b")
        target.encryptedTo = ["age1x"]
        target.incomplete = true
        return target
    }

    private static let revoke = RevokeView(
        trip: reference, person: reference, me: false, role: .editor, rights: [.read, .write],
        devices: [reference], kept: [reference], invited: [reference], withInvited: true,
        believedUntil: moment, discounted: 2, done: true)
    private static let may = RightView(
        trip: reference, person: reference, me: true, right: .delete, allowed: false, role: nil,
        ask: [reference])
    private static let request = RequestView(
        trip: reference, person: reference, me: true, rights: [.admin], ask: [reference])
    private static let orphan = OrphanView(
        trip: nil, author: reference, isMine: true, device: reference, reason: .noRight,
        dismissed: true, count: 3, first: moment, last: moment,
        changes: [ChangeView(.requested, fields: ["write"])], recoverable: true)
    private static let lost = LostView(
        device: reference, person: reference, me: true, done: false, since: moment,
        call: .needsKey, lostWithIt: [reference],
        trips: [
            LostTrip(
                trip: nil, outcome: .needsKey, changesHeld: 1, changes: 2, filesHeld: nil, files: 3,
                discounted: 4, heard: [reference], unaware: [reference], ask: [reference],
                letIn: [reference])
        ])

    static let changeLog = ChangeLog(
        arrivals: [
            ArrivalView(
                .deletions, device: reference, space: nil,
                counts: (changes: 2, deletions: 25, conflicts: 1), written: moment,
                received: moment, undo: undoDraft)
        ],
        entries: [
            ChangeEntry(
                id: "c1", space: nil, author: Reference(id: "p", shortID: "p", name: hardName),
                isMine: false, device: Reference(id: "d", shortID: "d", name: hardName),
                written: Moment(milliseconds: 1), received: Moment(milliseconds: 2),
                changes: [
                    ChangeView(
                        .added, noun: "memory", names: [hardName],
                        parts: [ChangeView.Part(noun: "photo", count: 3)],
                        whole: ChangeView.Whole(noun: "memory", name: hardName))
                ])
        ], hasEarlier: true, lastLook: Moment(milliseconds: 3), place: 7)

    private static let inputs: [any Codable & Sendable] = [
        NoInput(), BinFilter(space: hardName, all: true), BinFilter(),
        BinEmptying(space: hardName, now: true, preview: true), BinEmptying(),
        TagChanges(name: hardName, category: "", trip: "t"), TagChanges(),
        BucketItemChanges(title: hardName, done: false, trip: "t"), BucketItemChanges(),
        MergeDraft(into: hardName, trip: "t"), MergeDraft(into: "x", trip: nil),
        MediaChanges(caption: hardName, place: RecordPlace(before: hardName)), MediaChanges(),
        migrationDraft, SchemaMigrationDraft(document: "x"),
        SettingDraft(value: hardName), SettingDraft(value: nil), resetDraft,
        DataSetResetDraft(path: "/tmp", space: "s"),
        DataSetFollowDraft(path: "/tmp/a b", space: hardName),
        DataSetFollowDraft(path: "/tmp", space: nil),
        DataSetFollowDraft(path: "/tmp", space: "s", ends: true), dataSetDraft,
        DataSetDraft(path: "/tmp", space: "s"),
        DataSetSource(path: hardName, space: "s"), DataSetSource(path: "x"),
        DataSetFilter(space: hardName), DataSetFilter(),
        DataSetReleaseDraft(path: hardName, space: "s", earlier: ["/tmp/a b"]),
        DataSetReleaseDraft(path: "x"),
        DataSetVersionDraft(space: "s", name: hardName, level: .samples, version: 0),
        DataSetVersionDraft(space: "s", name: nil, level: .reference, version: 1),
        backupDraft, undoDraft, DoctorRequest(repair: true, masked: true),
        RevisionPoll(knownRevision: 4, waitSeconds: 30), SyncRunFilter(limit: 5),
        SyncRunFilter(limit: nil), SyncSetting(enabled: false),
        AddressDraft(address: "[::1]:1"), PairingRequest(asLink: true),
        JoinRequest(codeOrLink: "7-4827-1956", mine: true, address: "h:1", replacePerson: true),
        PairingDecision(accept: true), TripDraft(name: hardName, encrypted: true),
        TripRename(name: hardName),
        GrantDraft(person: "Bea", role: .editor, authority: true, fromNow: true),
        VaultDraft(device: hardName, trip: hardName), VaultDraft(device: "nas"),
        archiveTarget, ArchiveTarget(path: "/tmp/x"), ArchiveImport(path: hardName),
        ArchiveImport(path: "/tmp/a b", identityPath: hardName),
        GrantDraft(person: hardName, rights: [.read, .admin], believeUntil: moment),
        RevokeDraft(who: hardName, believeUntil: moment, preview: true, withInvited: true),
        RevokeDraft(who: "b"),
        RightQuery(person: hardName, right: .delete), RequestDraft(right: .write),
        RequestDraft(refuse: hardName), RecoverRequest(device: "laptop"),
        LostDraft(since: moment, recoveryKey: hardName, preview: true, keep: [hardName]),
        LostDraft(), FoundDraft(recoveryKey: hardName), FoundDraft(),
        RecoveryKeyDraft(recoveryKey: hardName),
        KeyExchangeDraft(
            recoveryKey: hardName, newRecoveryKey: hardName, found: [hardName], preview: true),
        NameDraft(name: hardName),
        RecoverRequest(trip: hardName, device: "laptop"), RecoverRequest(), RedateDraft(),
        RedateDraft(
            from: moment, to: moment, offsetMilliseconds: -5, undo: true, preview: true),
        ScopeFilter(trip: hardName), ScopeFilter(), WhyScope(space: hardName), WhyScope(),
        ConflictDecision(value: .decimal("3.90")), filter, MemoryFilter(), draft, changes,
        MemoryChanges(), MoveDraft(memories: [hardName, "m"], to: "t1", from: hardName),
        MoveDraft(memories: ["m"], to: "t1"), MediaFilter(trip: "t1", memory: hardName),
        ExportTarget(path: "/tmp/a b"),
        TagDraft(name: "x", category: nil, trip: "t1"),
        BucketItemDraft(title: hardName, trip: nil),
        SpaceDraft(name: hardName, schema: nil, document: "a: \u{1}"),
        SchemaChange(document: "schema: 1\n"), recordFilter, searchQuery,
        SearchQuery(words: "a"),
        RecordFilter(space: "s", collection: "c"), scope,
        RecordDraft(
            space: "s", collection: "c", fields: values, place: RecordPlace(before: hardName)),
        RecordBatchDraft(
            space: "s", collection: hardName,
            records: [.init(fields: values, line: 2), .init(fields: ["a": .text(hardName)])]),
        recordChanges, StandingScope(collection: "product", record: hardName), StandingScope(),
        RecordExport(space: "s", collection: "c", field: "f", path: "/tmp/a b"),
        ChangeFilter(trip: hardName, since: Moment(milliseconds: -1), limit: 3), ChangeFilter(),
        wholeChanges,
        ChangeLook(trip: hardName, place: 7), ChangeLook(trip: nil, place: 0),
    ]
}
