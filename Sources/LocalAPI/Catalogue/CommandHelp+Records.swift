extension CommandHelp {
    package static let schema = CommandHelp(
        "Say what a space may hold, in a file.", examples: ["peersync schema check groceries.yaml"])
    package static let schemaCheck = CommandHelp(
        "Name every mistake in a schema file, with its line.",
        examples: ["peersync schema check groceries.yaml"],
        remarks: "The exit code is 0 when there is none.")
    package static let schemaShow = CommandHelp(
        "Show a schema, or list those that are known here.",
        examples: [
            "peersync schema show", "peersync schema show journal", "peersync schema show Home",
        ],
        remarks: "NAME is a schema, or a space that follows one.")
    package static let schemaChange = CommandHelp(
        "Give a space another version of its schema, for everybody.",
        examples: ["peersync schema change Home groceries.yaml"],
        remarks: """
            Only an admin of the space may. `version` in the file must be higher than before. New \
            collections, new fields and renames (`was:`) need nothing else; a field cannot get \
            another type.
            """)

    package static let space = CommandHelp(
        "Make and share spaces of any schema; a trip is one of the journal.",
        examples: ["peersync space create --schema groceries.yaml Home"])
    package static let spaceCreate = CommandHelp(
        "Make a new space that follows a schema.",
        examples: [
            "peersync space create --schema groceries.yaml Home",
            "peersync space create --schema groceries \"Holiday flat\"",
        ],
        remarks: """
            The schema travels with the space: other devices need no file. A NAME instead of a file \
            means a schema that another space of this device follows.
            """)
    package static let spaceList = CommandHelp(
        "List your spaces, trips too, and what waits for your answer.",
        examples: ["peersync space list"])
    package static let spaceShow = CommandHelp(
        "Show one space with its people.", examples: ["peersync space show Home"])
    package static let spaceGrant = CommandHelp(
        "Share a space with a person, or change what they may do.",
        examples: [
            "peersync space grant Home Ben --role editor",
            "peersync space grant Wiki Cleo --authority",
        ],
        remarks: """
            viewer reads; contributor also adds and edits; editor also deletes; admin also shares. \
            On the other person's device the space waits until they accept it. \(authorityRemark)
            """)
    static let authorityRemark = """
        With --authority what they write from then on wins over what others write, on every device \
        and also over newer values, which are kept; the founder can give it, also to themselves. It \
        is not taken back.
        """
    package static let spaceAccept = CommandHelp(
        "Take a space that someone shares with you.", examples: ["peersync space accept Home"])
    package static let spaceLeave = CommandHelp(
        "Give up a space for yourself; the others keep it.", examples: ["peersync space leave Home"]
    )
    package static let spaceDelete = CommandHelp(
        "Delete a space for everybody.", examples: ["peersync space delete Home"])

    package static let record = CommandHelp(
        "Work with the records of any space, trips too.",
        examples: ["peersync record add Home product name=Milk"],
        remarks: """
            FIELD=VALUE is read as the schema says; FIELD+=VALUE and FIELD-=VALUE put into a set and \
            take out of it. SPACE is a name, or `home` for your own lists and settings.
            """)
    package static let recordAdd = CommandHelp(
        "Add a record, or all that a file lists.",
        examples: [
            "peersync record add Home product name=Milk labels+=cold",
            "peersync record add Home purchase product=Milk price=1.29 at=today\\ 9:30",
            "peersync record add Gym exercise name=Squat --before Bench",
            "peersync record add Home purchase --from purchases.csv",
            "peersync record add Flat store --from stores.jsonl",
        ],
        remarks: """
            A reference is the name or id of a record, a file its path, a position 43.46,11.88, a \
            time as in --at of a memory.

            --from takes CSV with a first line that names the fields (name,labels; the values of a \
            set with | between them: cold|daily; columns may also be separated by semicolons or \
            tabs), or JSON lines: one object each, with texts as in CSV or values as in the fields of \
            'record list --json', and sets as arrays. Everything is checked first: when a line does \
            not fit, nothing is added. Many records are written in several parts, of which each \
            arrives on other devices whole or not at all.
            """)
    package static let recordSet = CommandHelp(
        "Change fields of a record.",
        examples: [
            "peersync record set Home product Milk note=\"the blue one\" labels-=cold",
            "peersync record set Home product Milk --clear note --after Bread",
            "peersync record set Home product Milk note=x --seen 3f2a9c01d2e4b5a6",
        ],
        remarks: """
            What you do not name stays as it is. With --seen only what 'record get' showed is \
            replaced: a value that arrived since then stays beside yours until somebody decides.
            """)
    package static let recordGet = CommandHelp(
        "Show a record with everything in it.",
        examples: [
            "peersync record get Home product Milk",
            "peersync record get Home product Milk --save photo --to ~/Pictures",
        ])
    package static let recordList = CommandHelp(
        "List records, all or those that match.",
        examples: [
            "peersync record list Home product",
            "peersync record list Home purchase product=Milk --text market",
        ])
    package static let recordDelete = CommandHelp(
        "Delete a record, for everybody.", examples: ["peersync record delete Home product Milk"],
        remarks: """
            What belongs to it is hidden with it; a record that others need is not deleted. \
            'peersync record restore' brings it back.
            """)
    package static let recordStatus = CommandHelp(
        "Say where a record stands: sent, fetched, waiting.",
        examples: [
            "peersync record status Home product Milk", "peersync record status Home product",
            "peersync record status Home",
        ],
        remarks: """
            Relative to the devices that may read the space, by what each said last. Without RECORD \
            it counts. A deleted record is listed until every device has heard of it.
            """)
    package static let recordRestore = CommandHelp(
        "Bring a deleted record back, for everybody.",
        examples: ["peersync record restore Home product Milk"])
}

extension OptionHelp {
    package static let schemaFile = "A schema file (YAML)."
    package static let schemaName = "A schema, or a space that follows one; without it, all."
    package static let schemaOption = "A schema file, or the name of a known schema."
    package static let space = "Name of a space, or the first letters of its id."
    package static let spaceName = "Name of the new space."
    package static let recordSpace = "Name of a space; home for your own."
    package static let collection = "Collection, as the schema calls it."
    package static let record = "Name of a record, or the first letters of its id."
    package static let anyCollection = "Collection, as the schema calls it; without it, all."
    package static let anyRecord =
        "Name or first letters of the id, of a deleted one too; without it, all."
    package static let assignments = "FIELD=VALUE, FIELD+=VALUE or FIELD-=VALUE."
    package static let recordFile = "Add what this file lists, CSV or JSON lines; - is the input."
    package static let recordFileAlone = "--from stands alone: the file says which records."
    package static let conditions = "FIELD=VALUE: only those."
    package static let clearField = "Empty a field; repeat it for more."
    package static let seen = "What 'record get' gave as seen."
    package static let before = "Put it right before this record."
    package static let after = "Put it right after this record."
    package static let first = "Put it before all others."
    package static let last = "Put it after all others."
    package static let recordText = "Only with this in a searched field."
    package static let deletedRecords = "The deleted ones."
    package static let saveField = "Save the file in this field."
}
