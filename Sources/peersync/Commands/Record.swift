internal import ArgumentParser
internal import LocalAPI

/// Records of any schema.
struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
        "record", "Work with the records of any space, including trips.",
        examples: [tr("peersync record add Home product name=Milk")],
        remarks: """
            FIELD=VALUE is parsed by the type in the schema. FIELD+=VALUE and FIELD-=VALUE add to \
            a set and remove from it. SPACE is a name, or `home` for your own lists and settings.
            """,
        subcommands: [
            RecordAdd.command, RecordSet.command, RecordGet.command, RecordList.command,
            RecordDelete.command, RecordRestore.command, RecordStatusCommand.command,
        ])
}

struct RecordAdd: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "add", "Add a record, or all records of a file.",
        examples: [
            tr("peersync record add Home product name=Milk labels+=cold"),
            tr("peersync record add Home purchase product=Milk price=1.29 at=today\\ 9:30"),
            tr("peersync record add Gym exercise name=Squat --before Bench"),
            tr("peersync record add Home purchase --from purchases.csv"),
            tr("peersync record add Flat store --from stores.jsonl"),
        ],
        remarks: """
            Give a reference as the name or id of a record, a file as its path, a position as \
            43.46,11.88, and a time as for --at of a memory.

            Where the schema names the field that finishes a record, one without it stays on this \
            device until 'record set' gives it a value.

            --from reads CSV or JSON lines. CSV: the first line names the fields; separate columns \
            by commas, semicolons or tabs, and the values of a set by | (cold|daily). JSON lines: \
            one object per line, with texts as in CSV or values as in 'record list --json', and \
            sets as arrays. All lines are checked first; if one is invalid, nothing is added. Many \
            records are written in several parts; each part arrives on other devices completely or \
            not at all.
            """)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.assignments, valueName: "field=value"))
    var assignments: [String] = []

    @Option(
        help: .tr(
            "Add the records of this file, CSV or JSON lines; - is standard input.",
            valueName: "file"), completion: .file())
    var from: String?

    @OptionGroup var place: PlaceOptions

    func validate() throws {
        guard from == nil || (assignments.isEmpty && place.place == nil) else {
            throw ValidationError(tr("--from stands alone: the file says which records."))
        }
    }

    func run(in context: CommandContext) async throws {
        if let from { return try await add(allOf: from, in: context) }
        let input = try AssignmentInput(assignments)
        let draft = RecordDraft(
            space: target.space, collection: target.collection,
            fields: input.fields.merging(input.add.mapValues { .set($0) }) { $1 },
            place: place.place)
        try await context.show(\.records.add, draft) { RecordText.added($0) }
    }

    private func add(allOf file: String, in context: CommandContext) async throws {
        let bytes = try await RecordFile.bytes(of: file)
        let (report, collection) = try await context.withService { service in
            let schema = try await service.call(\.spaces.schema, id: target.space)
            let collection = schema.collection(target.collection)
            let report = try await service.call(
                \.records.addBatch,
                RecordBatchDraft(
                    space: target.space, collection: target.collection,
                    records: try RecordFile(of: collection).records(bytes)))
            return (report, collection)
        }
        try context.output.result(report) {
            RecordText.added($0, field: collection?.finishedBy)
        }
    }
}

struct RecordSet: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "set", "Change fields of a record.",
        examples: [
            tr("peersync record set Home product Milk note=\"the blue one\" labels-=cold"),
            tr("peersync record set Home product Milk --clear note --after Bread"),
            tr("peersync record set Home product Milk note=x --seen 3f2a9c01d2e4b5a6"),
        ],
        remarks: """
            Fields that you do not name stay unchanged. With --seen, only the values that 'record \
            get' showed are replaced; a value that arrived since then becomes a conflict with yours.
            """)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.record, valueName: "record")) var record: String

    @Argument(help: ArgumentHelp(OptionHelp.assignments, valueName: "field=value"))
    var assignments: [String] = []

    @Option(help: .tr("Clear a field; repeat it for more.", valueName: "field"))
    var clear: [String] = []

    @Option(help: .tr("The value that 'record get' shows as seen.", valueName: "token"))
    var seen: String?

    @OptionGroup var place: PlaceOptions

    func run(in context: CommandContext) async throws {
        let input = try AssignmentInput(assignments)
        var changes = RecordChanges(space: target.space, collection: target.collection)
        changes.fields = input.fields
        for field in clear { changes.fields[field] = .null }
        changes.add = input.add
        changes.remove = input.remove
        changes.place = place.place
        changes.seen = seen
        try await context.show(\.records.change, id: record, changes) {
            RecordText.changed(
                $0, fields: Set(input.fields.keys).union(clear),
                sets: Set(input.add.keys).union(input.remove.keys))
        }
    }
}

struct RecordGet: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "get", "Show all fields of a record.",
        examples: [
            tr("peersync record get Home product Milk"),
            tr("peersync record get Home product Milk --save photo --to ~/Pictures"),
        ])

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.record, valueName: "record")) var record: String

    @Option(help: .tr("Save the file in this field.", valueName: "field"))
    var save: String?

    @Option(help: ArgumentHelp(OptionHelp.to, valueName: "path"), completion: .file()) var to:
        String = "."

    func run(in context: CommandContext) async throws {
        guard let save else {
            try await context.show(\.records.show, id: record, target.scope) {
                RecordDetails.rendered($0, width: context.output.width)
            }
            return
        }
        let export = RecordExport(
            space: target.space, collection: target.collection, field: save,
            path: try InputPath.target(to))
        try await context.show(\.records.export, id: record, export, as: { $0.told })
    }
}

struct RecordList: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "List all records, or those that match.",
        examples: [
            tr("peersync record list Home product"),
            tr("peersync record list Home purchase product=Milk --text market"),
        ])

    @OptionGroup var target: CollectionArguments

    @Argument(help: .tr("Only records with FIELD=VALUE.", valueName: "field=value"))
    var conditions: [String] = []

    @Option(
        parsing: .unconditional,
        help: .tr("Only records with this in a searched field.", valueName: "text"))
    var text: String?

    @Flag(help: .tr("List deleted records."))
    var deleted = false

    @OptionGroup var retired: RetiredOption

    func run(in context: CommandContext) async throws {
        var filter = RecordFilter(space: target.space, collection: target.collection)
        filter.fields = try AssignmentInput(conditions).fields
        filter.text = text
        (filter.deleted, filter.retired) = (deleted, retired.retired)
        filter.limit = LocalLimits.recordsOfPart
        let first = filter
        let output = context.output
        try await context.withService { service in
            var rows: RecordRows?
            try await context.showParts(
                of: \.records.list, first, from: service,
                whole: { all in
                    try output.result(all.records) {
                        RecordTable.rendered($0, of: all.collection, width: output.width)
                    }
                },
                show: { part, isFirst, isLast in
                    if isFirst { rows = RecordRows(of: part.collection) }
                    try output.part(part.records, isFirst: isFirst, isLast: isLast) {
                        rows?.part($0, isLast: isLast, width: output.width) ?? ""
                    }
                })
        }
    }
}

struct RecordDelete: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "delete", "Delete a record for everybody.",
        examples: [tr("peersync record delete Home product Milk")],
        remarks: """
            Records that belong to it are hidden with it. A record that others require cannot be \
            deleted. 'peersync record restore' brings it back.
            """)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.record, valueName: "record")) var record: String

    func run(in context: CommandContext) async throws {
        try await context.ask(
            RecordText.askDelete, of: \.records.show, id: record, target.scope,
            then: \.records.delete, as: RecordText.deleted)
    }
}

struct RecordRestore: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "restore", "Restore a deleted record for everybody.",
        examples: [tr("peersync record restore Home product Milk")])

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.record, valueName: "record")) var record: String

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.records.restore, id: record, target.scope
        ) { tr("\(RecordText.title($0)) is back, for everybody.") }
    }
}

struct RecordStatusCommand: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "status", "Show whether a record is sent, fetched or pending.",
        examples: [
            tr("peersync record status Home product Milk"),
            tr("peersync record status Home product"),
            tr("peersync record status Home"),
        ],
        remarks: """
            For the devices that may read the space, by what each reported last. Without RECORD it \
            shows counts. A deleted record is listed until every device knows of the deletion.
            """)

    @Argument(
        help: ArgumentHelp(OptionHelp.recordSpace, valueName: "space"),
        completion: .names(of: .space)) var space: String

    @Argument(
        help: .tr("Collection, as the schema calls it; all by default.", valueName: "collection"))
    var collection: String?

    @Argument(
        help: .tr(
            "Name or first letters of the id, also of a deleted one; all by default.",
            valueName: "record"))
    var record: String?

    func run(in context: CommandContext) async throws {
        let scope = StandingScope(collection: collection, record: record)
        try await context.show(\.spaces.standing, id: space, scope) {
            StandingText.rendered($0, width: context.output.width)
        }
    }
}
