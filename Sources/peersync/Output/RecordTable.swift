package import LocalAPI

/// Records as rows.
enum RecordTable {
    static var none: String { tr("No record found.") }

    /// One column per field that any record has, in the order of the schema; derived values follow.
    static func rendered(
        _ records: [RecordView], of collection: SchemaView.Collection?, width: Int?
    ) -> String {
        guard !records.isEmpty else { return none }
        var rows = RecordRows(of: collection, for: records)
        return rows.part(records, isLast: true, width: width)
    }
}

/// A table of records that may come part by part.
package struct RecordRows {
    private let fields: [SchemaView.Field]
    private let derived: [String]
    private let finishedBy: String?
    private var table: Table
    private var unfinished = 0

    /// One column per field, in the order of the schema; derived values follow. Where all `records` are known,
    /// only fields that any of them has.
    package init(of collection: SchemaView.Collection?, for records: [RecordView]? = nil) {
        fields = (collection?.fields ?? []).filter { field in
            field.type != "order"
                && records?.contains { $0.fields[field.name] != nil } ?? true
        }
        derived = (collection?.derived ?? []).filter { name in
            records?.contains { $0.derived[name] != nil } ?? true
        }
        finishedBy = collection?.finishedBy
        var columns = [Table.Column.text("")]
        for field in fields {
            let isNumber = field.type == "integer" || field.type == "decimal"
            columns.append(isNumber ? .number(field.name) : .text(field.name, shrinksTo: 8))
        }
        columns += derived.map { .number($0) }
        table = Table(columns + [.text(tr("id"))])
    }

    /// The lines of some records; the headings stand above the first part, and a remark below the last one.
    package mutating func part(_ records: [RecordView], isLast: Bool, width: Int?) -> String {
        for record in records {
            let isPlain = record.standing == .shown || record.standing == .deleted
            var cells = [isPlain ? Symbols.of(record.status) : Style.yellow("!")]
            cells += fields.map { field in record.fields[field.name].map { FieldText.of($0) } ?? ""
            }
            cells += derived.map { name in record.derived[name].map { FieldText.of($0) } ?? "" }
            table.add(cells + [record.shortID])
        }
        unfinished += records.count { $0.status == .unfinished }
        var lines = records.isEmpty ? [] : [table.part(width: width)]
        if isLast, unfinished > 0 {
            lines.append(RecordText.some(unfinished, field: finishedBy))
        }
        return lines.joined(separator: "\n")
    }
}

/// One record with all its fields.
enum RecordDetails {
    /// Fields are in the order of the schema; unknown ones follow.
    static func rendered(_ record: RecordView, width: Int?) -> String {
        let collection = record.schema
        let name = record.name.isEmpty ? record.shortID : record.name
        var parts = [
            "\(Style.bold(Printable.line(name)))  \(Symbols.of(record.status)) "
                + StandingText.of(record.status),
            facts(record).rendered(width: width, indent: 2),
        ]
        for (field, value) in ordered(record.fields, collection?.fields.map(\.name)) {
            guard case .text(let text) = value, text.contains("\n") else { continue }
            parts += ["", field + ":", Printable.paragraph(text)]
        }
        let state = standing(record.standing)
        if !state.isEmpty { parts += ["", "\(Style.yellow("!")) \(state)"] }
        if let stays = RecordText.stays(record) {
            parts += ["", "\(Symbols.of(record.status)) \(stays)"]
        }
        if !record.conflicts.isEmpty {
            let notice = conflicts(record.conflicts)
            parts += ["", "\(Style.yellow("!")) \(notice)"]
        }
        if !record.overruled.isEmpty { parts.append("") }
        parts += record.overruled.map { value in
            tr(
                """
                \(value.field): \(Sentence.name(FieldText.of(value.value))) of \
                \(Sentence.plain(value.author.name)) is kept, but not shown, as \
                \(Sentence.plain(value.by.name)) writes with authority.
                """)
        }
        return parts.joined(separator: "\n")
    }

    private static func ordered(
        _ values: [String: FieldValue], _ names: [String]?
    ) -> [(String, FieldValue)] {
        let names = names ?? []
        let others = values.keys.filter { !names.contains($0) }.sorted()
        return (names + others).compactMap { name in values[name].map { (name, $0) } }
    }

    private static func facts(_ record: RecordView) -> Table {
        let collection = record.schema
        var table = Table([.text(""), .wrapping("", shrinksTo: 20)])
        // A position is a key for programs only.
        let orders = Set((collection?.fields ?? []).filter { $0.type == "order" }.map(\.name))
        for (field, value) in ordered(record.fields, collection?.fields.map(\.name))
        where !orders.contains(field) {
            if case .text(let text) = value, text.contains("\n") { continue }
            table.add([field, FieldText.of(value)])
        }
        for (name, value) in ordered(record.derived, collection?.derived) {
            table.add([name, FieldText.of(value)])
        }
        for (name, value) in record.unknown.sorted(by: { $0.key < $1.key }) {
            table.add([name + "?", FieldText.of(value)])
        }
        table.add([tr("changed"), tr("\(Formatting.ago(record.changed)) by \(record.author.name)")])
        if let origin = record.origin { table.add([tr("before"), OriginText.of(origin)]) }
        table.add([tr("seen"), record.seen])
        table.add([tr("id"), record.id])
        return table
    }

    static func conflicts(_ fields: [String]) -> String {
        let names = fields.map { Sentence.Changes.field($0) }.joined(separator: ", ")
        return tr("Changed on several devices at once: \(names). Every value is kept.")
    }

    private static func standing(_ standing: RecordView.Standing) -> String {
        switch standing {
        case .shown: ""
        case .retired: tr("left its data set, and is only listed with --retired")
        case .held: tr("deleted, and still shown because other records need it")
        case .hidden: tr("hidden, because what it belongs to is deleted")
        case .deleted: tr("deleted", context: "record")
        }
    }
}
