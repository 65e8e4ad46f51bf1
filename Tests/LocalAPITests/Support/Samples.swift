import LocalAPI

/// One value of each shape, with every optional part present and text that is hard to encode.
enum Samples {
    static let moment = Moment(milliseconds: 1_224_685_680_000, offsetMinutes: 120)
    static let position = Position(
        latitude: -33.9, longitude: 151.2, radius: 12.5, altitude: 3.25)
    static let reference = Reference(
        id: "k3f7aaaa", shortID: "k3f7", name: "Ärezzo/..\u{301} \"🍝\"\n")
    static let waiting = WaitingCount(changes: 3, files: 2, bytes: 5_000_000_000)
    static let info = InfoView(
        version: "0.1.0", apiVersion: 1, protocolVersion: 1, device: reference, person: reference,
        home: "/home/ann", processID: 7)
    static let tries = TriesView(
        failed: 5, nextTry: moment, lastError: "no answer", trouble: .noNetwork)
    static let problem = ProblemView(
        kind: .undelivered, urgent: true, device: reference, space: reference, count: 3,
        sentence: "Look.", remedy: "Do.", tries: tries)
    static let device = DeviceView(
        .init(
            id: "d1", shortID: "d", name: "phone", person: reference, mine: true, paired: true),
        .init(
            .offline, connected: false, lastSeen: moment, lastSync: moment,
            addresses: ["[2001:db8::1]:4827"], waiting: waiting, elsewhere: waiting, tries: tries,
            problems: [problem], replacedBy: reference))
    static let trip: TripView = {
        var details = TripView.Details(schema: "journal")
        (details.members, details.collections) = ([member], ["memory"])
        details.origin = OriginView(author: reference.name, written: moment, source: "s0")
        details.encryption = EncryptionView(keys: 2, keysHere: 1, writable: true, closed: 3)
        details.vaults = [reference]
        details.keptBy = [reference]
        details.carried = CarriedView(changes: 5, filesHere: 6, newest: moment)
        details.deletion = DeletionView(by: reference, isMine: true, at: moment, unseen: [])
        return TripView(
            .init(
                id: "t1", shortID: "t", name: "Arezzo 2008", active: true, membership: .granted,
                role: .contributor, grantedBy: reference),
            contents: .init(members: 2, memories: 3, media: 4, bytes: 5),
            sync: .init(.pending, missing: waiting, problems: [problem], quarantined: 6),
            details: details)
    }()
    static let member = MemberView(
        person: reference, role: .admin, me: false, founder: true, accepted: true,
        authority: true, devices: [reference])
    static let network = NetworkStatus(
        running: true, port: 4827, discovery: .noAvahi, announcedDevices: 2)
    static let status = StatusView(
        device: reference, person: reference, state: .syncing, verdict: "syncing now",
        syncEnabled: true, network: network,
        lastSync: moment, lastBackup: LastBackup(path: "/media/usb", made: moment, keys: true),
        devices: [device], trips: [trip], problems: [problem])
    static let report = NetworkReport(
        verdict: "All is well.",
        findings: [.init(check: .avahi, level: .problem, sentence: "Off.", remedy: "Start it.")])
    static let health = HealthReport(
        verdict: "Look.", sound: false,
        findings: [
            .init(
                check: .files, severity: .error, sentence: "Broken.", remedy: "Mend it.",
                repairable: true, repaired: "Mended.")
        ])
    static let doctor = DoctorView(
        revision: 3, phase: .done, check: .files, done: 4, total: 5, report: health,
        failure: failure)
    static let diagnostics = DiagnosticsView(
        made: moment,
        program: .init(
            version: "0.1.0", apiVersion: 1, protocolVersion: 1, system: "Debian", kernel: "6.1",
            sqlite: "3.40.1", storeFormat: 1, uptimeSeconds: 9),
        counts: ["commits": 4], records: ["memory": 2], network: network, syncEnabled: true,
        devices: [
            .init(
                id: "d", mine: true, paired: true, connected: false, state: .offline,
                lastSync: moment, waiting: waiting, clockSkewMilliseconds: -5)
        ], log: ["a line"])
    static let sync = SyncReport(
        started: moment, durationMilliseconds: 42,
        devices: [
            .init(
                device: reference, reached: false, sent: waiting, received: .nothing,
                lacking: waiting)
        ],
        problems: ["desk lacks it"], elsewhere: waiting,
        onlyHere: [.init(space: reference, waiting: waiting, shared: true)])
    static let activity = ActivityView(
        revision: 3,
        devices: [
            .init(
                device: reference, sending: .init(waiting: waiting, bytesPerSecond: 40),
                receiving: .init(waiting: .nothing, bytesPerSecond: nil))
        ])
    static let run: SyncRunView = {
        var details = SyncRunView.Details()
        details.records = ["memory": 2]
        return SyncRunView(
            id: 7, device: reference, started: moment, ended: moment, sent: waiting,
            received: .nothing, bytesSent: 1, bytesReceived: 2, conflicts: 3, errors: 4,
            details: details)
    }()
    static let failure = APIError(
        code: .ambiguous, sentence: "Which?", hint: "More.",
        candidates: [.init(id: "t1", shortID: "t", name: "Arles")])
    static let pairing = PairingView(
        id: "p1", revision: 3, phase: .confirm, code: "7-4827-1956", link: "peersync:x",
        expires: moment, addresses: ["10.0.0.1:21827"], discovery: .noAvahi,
        remedy: "sudo service avahi-daemon start",
        other: .init(deviceID: "d9", deviceName: "pad", personName: "Bea", mine: false),
        failure: failure)
    static let media = MediaView(
        id: "m1", shortID: "m", memory: reference, trip: reference, fileName: "../a b.jpg",
        mediaType: "image/jpeg", bytes: 5_000_000_000, blobID: "ab", taken: moment,
        position: position, caption: "Dom ü", camera: "Canon EOS 5D",
        hasThumbnail: true, bytesHere: 1, status: .downloading)
    static let track = TrackView(
        id: "g1", shortID: "g", fileName: "walk.gpx", bytes: 9, blobID: "cd", points: 300,
        length: 1234.5, start: moment, end: moment, bytesHere: 9, status: .inSync)
    static let summary = MemorySummary(
        id: "e1", shortID: "e", trip: reference, title: "Duomo", at: moment, position: position,
        tags: ["food"], mediaCount: 2, hasTrack: true, status: .filesPending)
    static let memory: MemoryView = {
        var state = MemoryView.State(
            author: reference, changed: moment, status: .conflict,
            conflicts: [.init(field: "title", values: conflict.values)],
            seen: "0123456789abcdef", notices: ["Kept whole."])
        state.origin = trip.origin
        return MemoryView(
            .init(
                id: "e1", shortID: "e", trip: reference, title: "Duomo",
                text: "line\nline\u{0}\u{1F}", at: moment, position: position,
                locationName: "Arezzo", weather: "sun", tags: [reference], bucketItem: reference,
                media: [media], track: track), state)
    }()
    static let recover = RecoverReport(
        recovered: [
            RecoveredChanges(trip: reference, device: reference, person: reference, changes: 3)
        ], refused: 1, settled: 1, missing: LeftFiles(["IMG_1.jpg"]), membershipChanges: 2)
    static let redate = RedateView(
        device: reference, offsetMilliseconds: -5, done: true,
        trips: [
            RedatedTrip(
                trip: reference, changes: 2, first: moment, last: moment, newFirst: moment,
                newLast: moment)
        ], refused: [reference])
    static let conflict = ConflictView(
        id: "c1", shortID: "c", trip: reference, collection: "memory", record: reference,
        field: "title", rule: .longest, shown: "Dom\u{0}",
        values: [
            .init(
                field: nil, text: "Dom", author: reference, device: reference, written: moment,
                isShown: true)
        ])
    static let digest = DigestView(
        trip: reference, digest: "ff00", filesVerified: 1, filesTotal: 2)
    static let tag = TagView(
        id: "x1", shortID: "x", name: "food", category: "what", trip: reference, memoryCount: 5)
    static let item = BucketItemView(
        id: "b1", shortID: "b", title: "See it", done: true, trip: reference)
    static let file = ExportedFile(path: "/tmp/a b.jpg", bytes: 10, sha256: "00ff")

    /// One of each kind, with content that is hard to encode.
    static let values: [String: FieldValue] = [
        "none": .null, "text": .text(" \u{65}\u{301} \u{E9} 🍝\u{0}\n"), "empty": .text(""),
        "most": .integer(.max), "least": .integer(.min), "decimal": .decimal("-0003.900"),
        "flag": .boolean(true), "time": .time(moment), "position": .position(position),
        "json": .json("{\"a\": 1.10, \"a\": null}"),
        "blob": .blob(BlobReference(id: "ab", bytes: 5_000_000_000, here: false, path: "/a b")),
        "reference": .reference(
            RecordReference(id: "r1", shortID: "r", name: "\"x\"", state: .pending)),
        "set": .set([.text("b"), .integer(1), .set([])]), "unknown": .unknown("00ff"),
        "typed": .typed(TypedText("3,90", folder: "/home/ann", zone: "Europe/Rome")),
    ]
    static let scope = RecordScope(space: "a&b=c", collection: "c")
    static let record: RecordView = {
        var record = RecordView(
            .init(
                id: "r1", shortID: "r", space: reference, collection: "product", name: "Milk",
                fields: ["all": .set(values.sorted { $0.key < $1.key }.map(\.value))],
                derived: ["best": .decimal("1.29")], unknown: ["later": .text("x")]),
            .init(
                .held, conflicts: ["text"],
                overruled: [
                    .init(field: "note", value: .text("x"), author: reference, by: reference)
                ], seen: "00.11", author: reference, changed: moment, status: .conflict))
        (record.content.schema, record.state.origin) = (schema.collections[0], trip.origin)
        return record
    }()
    static let why = WhyView(
        subject: .init(
            kind: .file, id: "r1", shortID: "r", name: "a b.jpg", collection: "media",
            space: reference, deleted: false), status: .needsUpload, everywhere: false,
        verdict: "1 of 2 \u{201C}devices\u{201D}",
        devices: [
            .init(
                device: reference, person: reference, here: false, state: .lacksFiles,
                lacks: WaitingCount(changes: 0, files: 1, bytes: 3), sentence: "lacks",
                reasons: [.init(kind: .notConnected, sentence: "away")], remedy: nil)
        ])
    static let allThatWaits = WaitingView(
        items: [
            .init(
                device: (reference, of: reference, here: false), space: reference,
                lacks: (
                    WaitingCount(changes: 1, files: 0, bytes: 0),
                    elsewhere: WaitingCount(changes: 0, files: 1, bytes: 3)
                ), since: moment, changes: changeLog.entries,
                reasons: [.init(kind: .notConnected, sentence: "away")], remedy: "bring it")
        ],
        decisions: [ProblemView(kind: .invitation, urgent: false, sentence: "x", remedy: nil)])
    static let spaceCheck = SpaceCheckView(
        space: reference, verdict: "well", sound: true, records: 3,
        findings: [
            .init(
                kind: .pendingReference, severity: .note, collection: "memory", field: "tags",
                count: 2, examples: [reference], sentence: "refers", remedy: nil)
        ])
    static let standing = StandingView(
        space: reference,
        record: .init(
            id: "r1", shortID: "r", name: "Milk", collection: "product", deleted: true,
            status: .needsDeletion),
        collections: [.init(name: "product", statuses: ["in_sync": 2])])
    static var batchReport: RecordBatchReport {
        var report = RecordBatchReport(
            space: reference, collection: "product", ids: ["r1", "r2"], commits: 2)
        report.unfinished = 1
        return report
    }
    static let schema = SchemaView(
        id: "s1", name: "groceries", version: 2, document: "schema: 1\n# ü\n",
        collections: [
            .init(
                name: "product",
                fields: [
                    .init(
                        name: "labels", type: "set", of: "reference", to: "label",
                        strategy: "union", required: false, local: false, searched: true)
                ], derived: ["best"], finishedBy: "ended")
        ], spaces: [reference])

    static var recordFilter: RecordFilter {
        var filter = RecordFilter(space: "a&b=c", collection: "c")
        filter.text = "100 % + ü"
        filter.fields = values
        filter.deleted = true
        filter.retired = true
        filter.limit = 7
        filter.after = "00ff"
        return filter
    }

    static var searchQuery: SearchQuery {
        var query = SearchQuery(words: "100 % + ü&b=c")
        (query.space, query.kind, query.tag) = (hardName, "memory", hardName)
        (query.since, query.limit) = (Moment(milliseconds: -5), 7)
        query.near = MemoryFilter.Near(latitude: -33.5, longitude: 151.25, radius: 300)
        return query
    }

    static var searchReport: SearchReport {
        func hit(_ context: String, at: Moment?) -> SearchHit {
            SearchHit(
                id: "a1", shortID: "a1", space: reference, collection: "memory", name: hardName,
                context: context, at: at, changed: moment, author: reference)
        }
        return SearchReport(hits: [hit(hardName, at: moment), hit("", at: nil)], more: true)
    }

    static var recordChanges: RecordChanges {
        var changes = RecordChanges(space: "s", collection: "c")
        changes.fields = values
        changes.add = ["labels": [.text("a"), .reference(RecordReference(id: "x"))]]
        changes.remove = ["labels": [.text("")]]
        changes.place = RecordPlace(after: "b", first: false)
        changes.seen = "00.11"
        return changes
    }

    static var draft: MemoryDraft {
        var draft = MemoryDraft(trip: "Arezzo 2008")
        draft.title = "Duomo"
        draft.text = "viele Wörter"
        draft.at = moment
        draft.position = position
        draft.locationName = "Arezzo"
        draft.weather = "sun"
        draft.tags = ["food", "art"]
        draft.bucketItem = "b1"
        draft.photoPaths = ["/a b.jpg"]
        draft.trackPath = "/w.gpx"
        return draft
    }

    static var changes: MemoryChanges {
        var changes = MemoryChanges()
        changes.title = "Dom"
        changes.text = ""
        changes.at = moment
        changes.position = position
        changes.addTags = ["a"]
        changes.removeTags = ["b"]
        changes.addPhotoPaths = ["/c.jpg"]
        changes.removeMedia = ["m1"]
        changes.trackPath = "/w.gpx"
        changes.clear = [.weather, .bucketItem]
        changes.seen = "0123456789abcdef"
        return changes
    }

    static var filter: MemoryFilter {
        var filter = MemoryFilter()
        filter.trip = "Arezzo 2008"
        filter.tag = "a&b=c"
        filter.since = Moment(milliseconds: -5)
        filter.until = Moment(milliseconds: 1_224_685_680_000)
        filter.near = .init(latitude: -33.9, longitude: 151.2, radius: 0.1 + 0.2)
        filter.text = "100 % + ü"
        filter.limit = 10
        filter.after = Moment(milliseconds: 1_224_685_680_001)
        return filter
    }
}
