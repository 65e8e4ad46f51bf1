extension CommandHelp {
    package static let schema = CommandHelp(
        "Check, show and change the schemas of spaces.",
        examples: ["peersync schema check groceries.yaml"])
    package static let schemaCheck = CommandHelp(
        "List all errors in a schema file, with line numbers.",
        examples: ["peersync schema check groceries.yaml"],
        remarks: "The exit code is 0 if there are none.")
    package static let schemaShow = CommandHelp(
        "Show a schema, or list those that are known here.",
        examples: [
            "peersync schema show", "peersync schema show journal", "peersync schema show Home",
        ],
        remarks: "NAME is a schema, or a space that uses one.")
    package static let schemaChange = CommandHelp(
        "Change a space to another version of its schema, for everybody.",
        examples: ["peersync schema change Home groceries.yaml"],
        remarks: """
            Only an admin of the space can do this. `version` in the file must be higher than \
            before. You can add collections and fields and rename them (`was:`), but not change the \
            type of a field.
            """)

    package static let space = CommandHelp(
        "Create and share spaces of any schema; a trip is a space of the journal.",
        examples: ["peersync space create --schema groceries.yaml Home"])
    package static let spaceCreate = CommandHelp(
        "Create a space with a schema.",
        examples: [
            "peersync space create --schema groceries.yaml Home",
            "peersync space create --schema groceries \"Holiday flat\"",
        ],
        remarks: """
            The schema is part of the space: other devices do not need the file. Instead of a file \
            you can give the NAME of a schema that another space on this device uses.
            """)
    package static let spaceList = CommandHelp(
        "List your spaces, including trips and those you have not accepted yet.",
        examples: ["peersync space list"])

    package static let search = CommandHelp(
        "Search all trips, spaces and lists for words.",
        examples: [
            "peersync search duomo", "peersync search \"piero della\" --trip Arezzo",
            "peersync search rain --kind memory --since 2008-10-01",
            "peersync search bread --near 43.46,11.88,5km --tag food",
        ],
        remarks: """
            Case and accents do not matter, and each word may be the beginning of a longer one. Best \
            matches come first. Encrypted trips are searched where you can read them.
            """)

    package static let record = CommandHelp(
        "Work with the records of any space, including trips.",
        examples: ["peersync record add Home product name=Milk"],
        remarks: """
            FIELD=VALUE is parsed by the type in the schema. FIELD+=VALUE and FIELD-=VALUE add to a \
            set and remove from it. SPACE is a name, or `home` for your own lists and settings.
            """)
    package static let recordAdd = CommandHelp(
        "Add a record, or all records of a file.",
        examples: [
            "peersync record add Home product name=Milk labels+=cold",
            "peersync record add Home purchase product=Milk price=1.29 at=today\\ 9:30",
            "peersync record add Gym exercise name=Squat --before Bench",
            "peersync record add Home purchase --from purchases.csv",
            "peersync record add Flat store --from stores.jsonl",
        ],
        remarks: """
            Give a reference as the name or id of a record, a file as its path, a position as \
            43.46,11.88, and a time as for --at of a memory.

            Where the schema names the field that finishes a record, one without it stays on this device until \
            'record set' gives it a value.

            --from reads CSV or JSON lines. CSV: the first line names the fields; separate columns \
            by commas, semicolons or tabs, and the values of a set by | (cold|daily). JSON lines: one \
            object per line, with texts as in CSV or values as in 'record list --json', and sets as \
            arrays. All lines are checked first; if one is invalid, nothing is added. Many records \
            are written in several parts; each part arrives on other devices completely or not at \
            all.
            """)
    package static let recordSet = CommandHelp(
        "Change fields of a record.",
        examples: [
            "peersync record set Home product Milk note=\"the blue one\" labels-=cold",
            "peersync record set Home product Milk --clear note --after Bread",
            "peersync record set Home product Milk note=x --seen 3f2a9c01d2e4b5a6",
        ],
        remarks: """
            Fields that you do not name stay unchanged. With --seen, only the values that 'record \
            get' showed are replaced; a value that arrived since then becomes a conflict with yours.
            """)
    package static let recordGet = CommandHelp(
        "Show all fields of a record.",
        examples: [
            "peersync record get Home product Milk",
            "peersync record get Home product Milk --save photo --to ~/Pictures",
        ])
    package static let recordList = CommandHelp(
        "List all records, or those that match.",
        examples: [
            "peersync record list Home product",
            "peersync record list Home purchase product=Milk --text market",
        ])
    package static let recordDelete = CommandHelp(
        "Delete a record for everybody.", examples: ["peersync record delete Home product Milk"],
        remarks: """
            Records that belong to it are hidden with it. A record that others require cannot be \
            deleted. 'peersync record restore' brings it back.
            """)
    package static let recordStatus = CommandHelp(
        "Show whether a record is sent, fetched or pending.",
        examples: [
            "peersync record status Home product Milk", "peersync record status Home product",
            "peersync record status Home",
        ],
        remarks: """
            For the devices that may read the space, by what each reported last. Without RECORD it \
            shows counts. A deleted record is listed until every device knows of the deletion.
            """)
    package static let recordRestore = CommandHelp(
        "Restore a deleted record for everybody.",
        examples: ["peersync record restore Home product Milk"])
}

extension OptionHelp {
    package static var schemaFile: String { tr("A schema file (YAML).") }
    package static var schemaName: String {
        tr("A schema, or a space that uses one; all by default.")
    }
    package static var schemaOption: String { tr("A schema file, or the name of a known schema.") }
    package static var spaceName: String { tr("Name of the new space.") }
    package static var recordSpace: String { tr("Name of a space; home for your own.") }
    package static var collection: String { tr("Collection, as the schema calls it.") }
    package static var record: String { tr("Name of a record, or the first letters of its id.") }
    package static var anyCollection: String {
        tr("Collection, as the schema calls it; all by default.")
    }
    package static var anyRecord: String {
        tr("Name or first letters of the id, also of a deleted one; all by default.")
    }
    package static var assignments: String { tr("FIELD=VALUE, FIELD+=VALUE or FIELD-=VALUE.") }
    package static var recordFile: String {
        tr("Add the records of this file, CSV or JSON lines; - is standard input.")
    }
    package static var recordFileAlone: String {
        tr("--from stands alone: the file says which records.")
    }
    package static var conditions: String { tr("Only records with FIELD=VALUE.") }
    package static var clearField: String { tr("Clear a field; repeat it for more.") }
    package static var seen: String { tr("The value that 'record get' shows as seen.") }
    package static var before: String { tr("Place it right before this record.") }
    package static var after: String { tr("Place it right after this record.") }
    package static var first: String { tr("Place it before all others.") }
    package static var last: String { tr("Place it after all others.") }
    package static var recordText: String { tr("Only records with this in a searched field.") }
    package static var deletedRecords: String { tr("List deleted records.") }
    package static var saveField: String { tr("Save the file in this field.") }
}
